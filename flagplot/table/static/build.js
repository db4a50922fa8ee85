/* The builder: what is marked behind the text follows it, and what was typed outlives a reload. Without it the form is sent. */
(() => {
  "use strict";

  const KEPT = "flagplot-build";
  document.documentElement.classList.add("js");
  const text = () => document.querySelector("#text");

  /* Until the server has read it, the marks would stand at the wrong places: the lines are shown plain. */
  function plain(area) {
    const lines = area.value.split("\n").map((line) => {
      const made = document.createElement("p");
      made.className = "plain";
      made.textContent = `${line}\u200b`;
      return made;
    });
    document.querySelector("#typed-back").replaceChildren(...lines);
  }

  document.addEventListener("input", (event) => {
    if (event.target !== text()) return;
    plain(event.target);
    try { sessionStorage.setItem(KEPT, JSON.stringify([location.href, event.target.value])); } catch { /* it is full */ }
  });

  /* What changes is read a moment later; a button that is pressed meanwhile sends it all, and nothing comes after it that
     would take its place. What is only chosen for a button is not read. */
  const PAUSE = 350, CHOSEN = "#thing, #spot, [name=units]";
  let waiting = 0;
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form?.id !== "build" || event.target.matches(CHOSEN)) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => form.dispatchEvent(new Event("read")), PAUSE);
  });
  document.addEventListener("submit", () => clearTimeout(waiting), true);

  /* A reload before the address has followed: what was typed last at this address is read again. */
  function restore() {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(KEPT)); } catch { return; }
    if (!kept || kept[0] !== location.href || kept[1] === text().value) return;
    text().value = kept[1];
    plain(text());
    text().dispatchEvent(new Event("input", { bubbles: true }));
  }

  /* Parts that are swapped while somebody works in them: the focus and what is unfolded stay. */
  let focused = "", open = [];
  document.addEventListener("htmx:before:swap", () => {
    focused = document.activeElement?.id ?? "";
    open = [...document.querySelectorAll("#build-lot details[open], #build-problems details[open], #build-settings details[open]")].map((one) => one.id);
  });
  document.addEventListener("htmx:after:swap", () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
    const units = document.querySelector("[name=units]");
    if (added) units.value = "";
    added = false;
    const at = document.querySelector("[name=at]");
    if (at) at.value = "";
  });
  let added = false;
  document.addEventListener("click", (event) => { added = Boolean(event.target.closest?.("[name=add]")); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.name !== "units") return;
    event.preventDefault();
    document.querySelector("button[name=add]").click();
  });

  /* A click on the map puts what is chosen below it into that hex. */
  document.addEventListener("map:hex", (event) => {
    const at = document.querySelector("[name=at]");
    if (!at) return;
    at.value = event.detail;
    document.querySelector("button[name=place]").click();
  });

  restore();
})();
