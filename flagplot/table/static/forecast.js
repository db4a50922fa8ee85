/* The odds of a whole battle: Stop ends the stream and leaves the figures; Link is copied. Without it both are links. */
(() => {
  "use strict";

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-copy-address]");
    if (!link || !navigator.clipboard) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href).then(() => {
      link.textContent = "Copied";
      document.querySelector("#announcer").textContent = "Copied to the clipboard.";
    }, () => { location.assign(link.href); });
  });
})();
