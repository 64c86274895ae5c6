/* A link that carries the whole instance behind its #: nobody but the browser that opens it ever sees that part. */

const LINK = /^#i1\.([\w-]+)$/; /* the 1 is the version of what follows */

async function squeeze(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function linkOf({ title, height, width, blocked, starts, goals }) {
  const walls = [];
  blocked.forEach((bit, square) => { if (bit) walls.push(square); });
  const gaps = walls.map((square, i) => square - (i ? walls[i - 1] : 0)); /* small numbers are short */
  const text = JSON.stringify([title, height, width, gaps, starts, goals]);
  const packed = await squeeze(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const base64 = btoa(String.fromCharCode(...packed)); /* apply has room for the largest instance the page takes */
  return `#i1.${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/* The instance of a link, or null when there is none. Throws when it is damaged. */
async function instanceOf(hash) {
  const match = LINK.exec(hash);
  if (!match) return null;
  const packed = bytesOf(match[1].replaceAll("-", "+").replaceAll("_", "/"));
  const unpacked = await squeeze(packed, new DecompressionStream("deflate-raw"));
  const [title, height, width, gaps, starts, goals] = JSON.parse(new TextDecoder().decode(unpacked));
  checkSize(height, width, starts.length);
  const blocked = new Uint8Array(height * width);
  gaps.reduce((square, gap) => { blocked[square + gap] = 1; return square + gap; }, 0);
  return { title: String(title), height, width, blocked, starts, goals };
}
