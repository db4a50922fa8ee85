/* The board of a battle page: arrows go from counter to counter in a tray, and what is chosen in the plan is marked on the
   board as well. Without it counters are buttons of the plan's form, and their cards open when somebody points at them. */
(() => {
  "use strict";

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  document.addEventListener("keydown", (event) => {
    const tray = event.target.closest?.(".ctr[tabindex]") && event.target.closest(".tray");
    if (!tray || !STEPS[event.key]) return;
    const counters = all(".ctr", tray);
    const next = counters[counters.indexOf(event.target) + STEPS[event.key]];
    if (next) next.focus();
    event.preventDefault();
    event.stopPropagation();
  }, true);

  const fields = (key) => all(`#plan [name="field.${CSS.escape(key)}"]`);
  const value = (key) => fields(key).find((field) => field.type !== "radio" || field.checked)?.value;

  /* A counter that counts offers one more than the plan has, as long as there is one more. */
  function grow(button) {
    const number = Number(String(value(button.dataset.field)).split(":").pop());
    const option = button.dataset.option.replace(/\d+$/, number + 1);
    const offered = fields(button.dataset.field).some((field) => field.type === "number" ? number < field.max
      : field.value === option || [...(field.options ?? [])].some((one) => one.value === option));
    if (offered) button.dataset.option = button.value = option;
  }

  function mark() {
    all(".chart [data-more]").forEach(grow);
    for (const button of all(".chart [data-field][aria-pressed]")) {
      const { field, option } = button.dataset, shares = all("#plan [data-share]").filter((input) => input.dataset.option === option);
      const chosen = shares.length ? shares.some((input) => Number(input.value)) : value(field) === option;
      button.setAttribute("aria-pressed", String(chosen));
      button.classList.toggle("on", chosen && button.classList.contains("ask"));
    }
  }

  document.addEventListener("change", (event) => { if (event.target.form?.id === "plan") mark(); });
  document.addEventListener("htmx:after:swap", mark);
})();
