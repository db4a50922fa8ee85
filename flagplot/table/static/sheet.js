/* The battle page: what its script adds to the sheet, the dice and the keys. */
(() => {
  "use strict";
  document.documentElement.classList.add("js");
})();
