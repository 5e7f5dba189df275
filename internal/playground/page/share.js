// Puts a text and its settings into the fragment of an address, and reads it. Browsers
// do not send fragments to servers.

// The longest fragment, in characters. Chats and mail programs cut longer links.
const maxFragment = 16 * 1024;

// The longest text that a fragment may unpack to, in bytes.
const maxUnpacked = 300 * 1024;

const mark = "1."; // the version of the format

// toFragment returns the fragment of a state {text, target, gates}.
export async function toFragment(state) {
  const json = new Blob([JSON.stringify([state.text, state.target, state.gates])]);
  const packed = new Response(json.stream().pipeThrough(new CompressionStream("deflate-raw")));
  const fragment = mark + encode(new Uint8Array(await packed.arrayBuffer()));
  if (fragment.length > maxFragment) {
    throw new Error(`The text is too long for a link: it needs ${kib(fragment.length)}, and links have at most ${kib(maxFragment)}.`);
  }
  return fragment;
}

// fromFragment returns the state in a fragment, and undefined for a fragment without one.
// A fragment comes from a stranger: it is bounded, and what is in it is text.
export async function fromFragment(fragment) {
  if (!fragment.startsWith(mark)) return undefined;
  if (fragment.length > 4 * maxFragment) throw new Error("The link is too long.");
  let values;
  try {
    values = JSON.parse(await unpack(decode(fragment.slice(mark.length))));
  } catch (e) {
    if (e instanceof RangeError) throw new Error(e.message);
    throw new Error("The link is damaged.");
  }
  const isState = Array.isArray(values) && values.length === 3 && values.every((v) => typeof v === "string");
  if (!isState) throw new Error("The link is damaged.");
  const [text, target, gates] = values;
  return { text, target: target.slice(0, 32), gates: gates.slice(0, 16 * 1024) };
}

async function unpack(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxUnpacked) {
      reader.cancel().catch(() => {});
      throw new RangeError("The text in the link is too long.");
    }
    chunks.push(value);
  }
  return new Blob(chunks).text();
}

function encode(bytes) {
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

function kib(n) {
  return `${Math.ceil(n / 1024)} KiB`;
}
