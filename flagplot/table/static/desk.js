/* The odds desk: − and + beside numbers. Without it the numbers are typed. */
(() => {
  "use strict";

  document.documentElement.classList.add("js");

  function step(input, by) {
    const now = Number(input.value || 0);
    if (!Number.isInteger(now)) return;
    const next = Math.min(Math.max(now + by, Number(input.dataset.min ?? 0)), Number(input.dataset.max ?? 99));
    if (next === now) return;
    input.value = next;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /* What was added stands in the force now, and no longer in the field for it. */
  let added = null;
  document.addEventListener("htmx:after:swap", () => {
    if (added) added.value = "";
    added = null;
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (event.target.matches("button[name=add]")) added = event.target.parentElement.querySelector("input");
    if (button) step(button.parentElement.querySelector("input"), Number(button.dataset.step));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.(".add input")) {
      event.preventDefault();
      event.target.parentElement.querySelector("button[name=add]").click();
    }
    if (!event.target.matches?.(".stepper input") || !["+", "-"].includes(event.key)) return;
    event.preventDefault();
    const buttons = event.target.parentElement.querySelectorAll("[data-step]");
    buttons[event.key === "+" ? buttons.length - 1 : 0].click();
  });
})();
