// Loads kubevet and asks it. One request runs at a time; the others wait.

const program = "kubevet.wasm.lzma";

// How long a request may take, in ms. The texts are small: most take less than 100 ms.
const patience = 10_000;

export class Failure extends Error {
  constructor(text, about = "") {
    super(text);
    this.about = about;
  }
}

let module; // compiled, for workers after the first
let worker;
let current; // {id, resolve, reject, timer}
let waiting = [];
let count = 0;

// load downloads and compiles kubevet. progress gets the bytes that are loaded and all.
export async function load(progress) {
  const response = await fetch(program).catch((e) => { throw new Failure(`kubevet cannot be loaded: ${e.message}`); });
  if (!response.ok) throw new Failure(`kubevet cannot be loaded: the server answers ${response.status}`);
  const all = Number(response.headers.get("Content-Length")) || 0;
  const chunks = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    loaded += value.length;
    progress(loaded, all);
  }
  const packed = await new Blob(chunks).arrayBuffer();
  await start({ packed }, [packed]);
}

// start starts a worker with kubevet, which is packed or already compiled.
function start(kubevet, transfer) {
  const mine = new Worker("worker.js");
  worker = mine;
  return new Promise((resolve, reject) => {
    mine.onerror = () => { reject(new Failure("kubevet does not start in this browser")); };
    mine.onmessage = ({ data }) => {
      if (mine !== worker) return;
      if (data.module) {
        module = data.module;
        resolve();
      } else if (data.failed) {
        reject(new Failure(`kubevet does not start in this browser: ${data.failed}`));
      } else if (data.ended) {
        restart("kubevet stopped unexpectedly on this text. Please report it.");
      } else {
        answered(data);
      }
    };
    mine.postMessage(kubevet, transfer);
  });
}

function restart(why) {
  worker.terminate();
  start({ module }).catch(() => {});
  const failed = current;
  current = undefined;
  if (failed) {
    clearTimeout(failed.timer);
    failed.reject(new Failure(why));
  }
  next();
}

function answered({ id, reply }) {
  if (current?.id !== id) return;
  const { resolve, reject, timer } = current;
  current = undefined;
  clearTimeout(timer);
  next();
  const { error, result } = JSON.parse(reply);
  if (error) reject(new Failure(error.text, error.about));
  else resolve(result);
}

function next() {
  if (current || waiting.length === 0) return;
  current = waiting.shift();
  current.timer = setTimeout(() => restart(`The check took longer than ${patience / 1000} s and was stopped.`), patience);
  worker.postMessage({ id: current.id, request: current.request });
}

// ask returns the reply to a request. Urgent requests come first.
export function ask(request, urgent = false) {
  return new Promise((resolve, reject) => {
    const entry = { id: ++count, request: JSON.stringify(request), resolve, reject };
    if (urgent) waiting.unshift(entry);
    else waiting.push(entry);
    next();
  });
}
