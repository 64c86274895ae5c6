/* A link that carries the whole instance behind its #: only the browser that opens it ever sees that part. */

const LINK = /^#i1\.([\w-]+)$/; /* the 1 is the version of what follows */
/* No instance that the page takes is longer as text: two characters a wall, seven an agent's square, and a title. */
const MOST_TEXT = 2 * MOST_CELLS + 2 * 7 * MOST_AGENTS + 6 * MOST_TITLE + 100;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/* What comes out of `stream` when `bytes` go in. Reading ends where it is more than `most` bytes. */
async function pour(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), pieces = [];
  let size = 0;
  for (let piece; !(piece = await reader.read()).done; ) {
    size += piece.value.length;
    pieces.push(piece.value);
    if (size <= most) continue;
    reader.cancel().catch(() => {});
    throw new Error("it holds more than a page takes");
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function linkOf({ title, height, width, blocked, starts, goals }) {
  const walls = [];
  blocked.forEach((bit, square) => { if (bit) walls.push(square); });
  const gaps = walls.map((square, i) => square - (i ? walls[i - 1] : 0)); /* small numbers are short */
  const text = JSON.stringify([title.slice(0, MOST_TITLE), height, width, gaps, starts, goals]);
  const packed = await pour(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  let letters = "";
  for (let at = 0; at < packed.length; at += 8192) letters += String.fromCharCode(...packed.subarray(at, at + 8192));
  return `#i1.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/* The instance of a link, or null when there is none. Throws when it is damaged. */
async function instanceOf(hash) {
  const match = LINK.exec(hash);
  if (!match) return null;
  const packed = bytesOf(match[1].replaceAll("-", "+").replaceAll("_", "/"));
  const text = await pour(packed, new DecompressionStream("deflate-raw"), MOST_TEXT);
  return readInstance(JSON.parse(new TextDecoder().decode(text)));
}
