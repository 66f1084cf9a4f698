// Search runs in a worker, which browsers refuse to pages opened from a folder.
// There a hidden frame does the same work, so that search needs no server.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = (this.inside = this.frame.contentWindow);
      inside.postMessage = (data) => {
        data = structuredClone(data);
        setTimeout(() => this.onmessage?.({ data }));
      };
      const script = inside.document.createElement("script");
      script.src = address;
      script.onload = () => {
        this.ready = true;
        this.waiting.forEach((data) => this.give(data));
      };
      script.onerror = (event) => this.onerror?.(event);
      inside.document.head.append(script);
    }

    postMessage(data) {
      data = structuredClone(data);
      if (this.ready) this.give(data);
      else this.waiting.push(data);
    }

    give(data) {
      setTimeout(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
