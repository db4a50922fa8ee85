// Browsers refuse workers on pages that were opened from a folder. There the script of a worker runs in a frame that nobody
// sees, so that the documentation can be searched without a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow, page = frame.contentDocument;
      this.inside = inside;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
      inside.importScripts = (...addresses) => Promise.all(addresses.map(one => this.load(page, one)));
      this.load(page, address).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach(data => this.postMessage(data));
      });
    }

    load(page, address) {
      return new Promise((done, failed) => {
        const script = page.createElement("script");
        script.src = new URL(address, location.href);
        script.onload = done;
        script.onerror = failed;
        page.body.append(script);
      });
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.inside.dispatchEvent(new this.inside.MessageEvent("message", {data}));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
