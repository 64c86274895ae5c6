/* The library in its worker. A worker that computes hears nothing, so to stop it, it is replaced: what it told stays. */

const library = {
  worker: null, module: null, requests: new Map(), asked: 0,

  async open() {
    this.module ??= await WebAssembly.compile(bytesOf(WASM_BASE64));
    this.worker = new Worker(URL.createObjectURL(new Blob([WORKER_CODE], { type: "text/javascript" })));
    this.worker.onmessage = ({ data: { id, news, answer, error } }) => {
      const request = this.requests.get(id);
      if (!request) return;
      if (news) return request.hear?.(news);
      this.requests.delete(id);
      if (error === undefined) request.resolve(answer);
      else request.reject(new Error(error));
    };
    await this.send("open", { module: this.module });
  },

  send(name, request = {}, hear) {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.requests.set(id, { resolve, reject, hear });
      this.worker.postMessage({ id, name, ...request });
    });
  },

  async ask(name, request, hear) {
    this.opened ??= this.open();
    await this.opened;
    return this.send(name, request, hear);
  },

  /* Ends what is under way: its promise is resolved with null. */
  stop() {
    this.worker?.terminate();
    this.opened = null;
    for (const { resolve } of this.requests.values()) resolve(null);
    this.requests.clear();
  },
};
