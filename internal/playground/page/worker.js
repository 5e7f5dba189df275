// The linter, in a worker of its own: the page can end it when it takes too long.
"use strict";
importScripts("wasm_exec.js", "lzma.js");

// Nothing here needs the network any more.
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts"]) {
  Object.defineProperty(self, name, { value: undefined, writable: false, configurable: false });
}

async function begin({ packed, module }) {
  module ??= await WebAssembly.compile(unpackLZMA(new Uint8Array(packed)));
  const go = new Go();
  const ended = () => self.postMessage({ ended: true });
  go.run(await WebAssembly.instantiate(module, go.importObject)).then(ended, ended);
  self.postMessage({ module });
}

self.onmessage = ({ data }) => {
  if (data.request) {
    self.kubevet(data.request, (reply) => self.postMessage({ id: data.id, reply }));
  } else {
    begin(data).catch((e) => self.postMessage({ failed: e.message }));
  }
};
