// node links.js: what a link of the playground may carry, without a browser. Node.js has the same streams.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const zlib = require("node:zlib");

const web = path.join(__dirname, "../../web");
const code = ["instance.js", "share.js"].map((file) => fs.readFileSync(path.join(web, file), "utf8")).join("\n");
const context = vm.createContext({ atob, btoa, Blob, TextEncoder, TextDecoder, CompressionStream, DecompressionStream,
  grouped: (number) => number.toLocaleString("en") });
const { linkOf, instanceOf, MOST_TEXT } = vm.runInContext(`${code}\n({ linkOf, instanceOf, MOST_TEXT })`, context);

const linkOfText = (text) => `#i1.${zlib.deflateRawSync(text).toString("base64url")}`;
const refused = (parts, why) => assert.rejects(instanceOf(linkOfText(JSON.stringify(parts))), why);

async function carries(instance) {
  const { blocked, ...rest } = await instanceOf(await linkOf(instance));
  assert.deepEqual([...blocked], [...instance.blocked]);
  assert.equal(JSON.stringify(rest), JSON.stringify({ ...instance, blocked: undefined }));
}

const tests = {
  async "an instance comes back as it was sent"() {
    await carries({ title: "tiny", height: 2, width: 3, blocked: Uint8Array.from([1, 0, 0, 0, 0, 1]), starts: [1, 3], goals: [3, 4] });
    await carries({ title: "", height: 1, width: 1, blocked: new Uint8Array(1), starts: [], goals: [] });
  },
  async "the largest instance that the page takes has a link"() {
    const cells = 512 * 512, free = Array.from({ length: 2000 }, (_, i) => cells - 1 - i);
    const blocked = new Uint8Array(cells).fill(1, 0, cells - 2000);
    await carries({ title: "\u{1F916}".repeat(100), height: 512, width: 512, blocked, starts: free, goals: [...free].reverse() });
  },
  async "what is no link is no instance"() {
    assert.equal(await instanceOf(""), null);
    assert.equal(await instanceOf("#t=12"), null);
  },
  async "every part is checked"() {
    await refused({}, /does not hold an instance/);
    await refused(["a", 2, 2, [], []], /does not hold an instance/);
    await refused([7, 2, 2, [], [], []], /does not hold a map/);
    for (const side of [0, -1, 1.5, "2", null, 1e300])
      await refused(["a", side, 2, [], [], []], side === 1e300 ? /too many/ : /does not hold a map/);
    for (const list of [null, "ab", { length: 1 }, 3]) await refused(["a", 2, 2, [], list, [0]], /does not hold walls/);
    await refused(["a", 600, 600, [], [], []], /too many/);
    await refused(["a", 512, 512, [], Array(2001).fill(0), []], /too many/);
    await refused(["a", 2, 2, [], [0], []], /1 starts do not go with 0 goals/);
  },
  async "squares off the map, on walls and taken twice are refused"() {
    for (const square of [-1, 4, 0.5, "1", null, 2 ** 32]) {
      await refused(["a", 2, 2, [], [square], [0]], /the start of agent 0 is not on the map/);
      await refused(["a", 2, 2, [], [0, 1], [0, square]], /the goal of agent 1 is not on the map/);
      await refused(["a", 2, 2, [square], [], []], /wall 0 is not on the map/);
    }
    await refused(["a", 2, 2, [1, 0], [], []], /wall 1 is not on the map/);
    await refused(["a", 2, 2, [1, 3], [], []], /wall 1 is not on the map/);
    await refused(["a", 2, 2, [3], [3], [0]], /the start of agent 0 is on a wall/);
    await refused(["a", 2, 2, [], [0, 0], [0, 1]], /the start of agent 1 is another agent's/);
  },
  async "inflating stops at the largest instance"() {
    const bomb = zlib.deflateRawSync(Buffer.alloc(256 << 20, " ")), before = process.memoryUsage().arrayBuffers;
    assert.ok(bomb.length < 300000);
    await assert.rejects(instanceOf(`#i1.${bomb.toString("base64url")}`), /more than a page takes/);
    assert.ok(process.memoryUsage().arrayBuffers - before < 64 << 20);
    assert.ok(MOST_TEXT < 1 << 20);
  },
  async "what is damaged is refused"() {
    const whole = linkOfText('["a",2,2,[],[0],[1]]');
    for (let size = 5; size < whole.length; size++) await assert.rejects(async () => {
      if (await instanceOf(whole.slice(0, size)) === null) throw new Error("no link");
    });
    await assert.rejects(instanceOf(linkOfText('["a",2,2')));
  },
};

(async () => {
  let failed = 0;
  for (const [name, body] of Object.entries(tests)) {
    try {
      await body();
      console.log(`ok ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n${error.stack}`);
    }
  }
  process.exit(failed ? 1 : 0);
})();
