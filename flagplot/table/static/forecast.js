/* The odds of a whole battle: better figures come by a stream until they are good enough or somebody stops it. Without
   it the page is loaded again. */
(() => {
  "use strict";

  let source = null, address = "";

  function leave() {
    source?.close();
    source = null;
  }

  /* Follow the stream that the page names now; when a part of the page was exchanged it may be another one. */
  function follow() {
    const place = document.querySelector("[data-stream]");
    const wanted = document.hidden ? "" : place?.dataset.stream ?? "";
    if (wanted === address) return;
    leave();
    address = wanted;
    if (!wanted) return;
    source = new EventSource(wanted);
    source.addEventListener("message", (event) => {
      if (place.isConnected) htmx.swap({ sourceElement: place, target: "#forecast", swap: "innerMorph", text: event.data });
    });
    source.addEventListener("done", () => {
      leave();
      place.removeAttribute("data-stream");
      address = "";
      const told = document.querySelector("#forecast [data-announce]");
      if (told) document.querySelector("#announcer").textContent = told.dataset.announce;
    });
  }

  document.addEventListener("click", (event) => {
    const stop = event.target.closest?.("[data-stop]");
    if (stop) {
      event.preventDefault();
      if (source) leave(); else { address = ""; follow(); }
      stop.textContent = source ? "Stop" : "Continue";
    }
    const link = event.target.closest?.("[data-copy-address]");
    if (!link || !navigator.clipboard) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href).then(() => {
      link.textContent = "Copied";
      document.querySelector("#announcer").textContent = "Copied to the clipboard.";
    }, () => { location.assign(link.href); });
  });

  document.addEventListener("visibilitychange", follow);
  document.addEventListener("htmx:after:swap", (event) => { if (!event.target.dataset?.stream) follow(); });
  window.addEventListener("pagehide", leave);
  follow();
})();
