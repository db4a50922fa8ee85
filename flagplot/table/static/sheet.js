/* The battle page: the plan's form, odds beside it, and keys. Without it the form is posted whole and answers do the same. */
(() => {
  "use strict";

  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  document.documentElement.classList.add("js");

  const plan = () => one("form#plan");
  const control = (key, option) => all(`[name="field.${CSS.escape(key)}"]`, plan() ?? document)
    .find((input) => input.type !== "radio" || input.value === option);

  /* --- a change of the plan: the server works out what follows from it, and the focus stays where it is --- */

  let waiting = 0, changes = 0;
  function changed(form) {
    changes += 1;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = 0;
      if (form.isConnected) form.requestSubmit(one("[data-update]", form));
    }, 220);
  }

  /* An answer that comes after a newer change would undo it: the one to that change follows. */
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.request.submitter?.matches("[data-update]")) ctx.change = changes;
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const { change } = event.detail.ctx ?? {};
    if (change !== undefined && change !== changes) event.preventDefault();
  });

  function set(input, value) {
    if (!input) return;
    if (input.type === "radio") input.checked = true;
    else input.value = input.type === "number" ? Math.min(Math.max(value, input.min), input.max) : value;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function steppers(form) {
    for (const input of all("input[type=number]", form)) {
      const [less, more] = all("[data-step]", input.parentElement);
      less.disabled = Number(input.value) <= Number(input.min);
      more.disabled = Number(input.value) >= Number(input.max);
    }
  }

  /* Units divided between targets: what one of them gets others lose, whoever has the most first. */
  function divide(input) {
    const others = all("[data-share]", input.form).filter((other) => other !== input && other.dataset.share === input.dataset.share);
    others.sort((a, b) => b.value - a.value);
    let over = others.reduce((sum, other) => sum + Number(other.value), Number(input.value) - input.max);
    for (const other of others) {
      const value = Math.max(0, other.value - over);
      over -= other.value - value;
      other.value = value;
    }
  }

  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (form?.id !== "plan" || !/^(field|share)[.]/.test(event.target.name ?? "")) return;
    if (event.target.dataset.share) divide(event.target);
    steppers(form);
    changed(form);
  });

  function step(input, by) {
    set(input, Number(input.value) + by);
  }

  /* What is clicked on the chart or map answers a field of the plan: <button data-field data-option>. */
  function answer(button) {
    const { field, option } = button.dataset, target = all("input[data-share]").find((one_) => one_.dataset.option === option && one_.value !== one_.max);
    if (target) step(target, 1);
    if (all("input[data-share]").some((one_) => one_.dataset.option === option)) return true;
    const input = control(field, option);
    if (!input) return false;
    set(input, input.type === "number" ? Number(option.split(":").pop()) : option);
    input.closest("details.block")?.setAttribute("open", "");
    return true;
  }

  /* Nothing of anything: the lowest number, and the answer that does nothing. */
  const IDLE = /:(0|none|no|done|stay|hold|alone)$/;
  function clear(form) {
    for (const input of all("input[type=number]:not([data-share])", form)) input.value = input.min;
    for (const input of all("input[type=radio]", form)) if (IDLE.test(input.value)) input.checked = true;
    steppers(form);
    changed(form);
  }

  /* All units for the target that has the most. */
  function gather(form) {
    const most = all("[data-share]", form).reduce((best, input) => (Number(input.value) > Number(best.value) ? input : best));
    for (const input of all("[data-share]", form)) if (input.dataset.option === most.dataset.option) set(input, input.max);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button, a");
    if (!button) return closeMenu(event);
    if (button.dataset.step) step(one("input", button.parentElement), Number(button.dataset.step));
    else if ("clear" in button.dataset) clear(button.form);
    else if ("all" in button.dataset) gather(button.form);
    else if ("field" in button.dataset) { if (answer(button)) event.preventDefault(); }
    else if ("keys" in button.dataset) one("#keys-dialog").showModal();
    else if ("grip" in button.dataset) grip();
    return closeMenu(event);
  });

  function closeMenu(event) {
    const menu = one(".menu details[open]");
    if (menu && !(event.target.closest("summary") && menu.contains(event.target))) menu.open = false;
  }

  /* The sheet at the bottom of a small screen: its title, the form, or all of the screen. */
  function grip() {
    const sheet = one("#sheet"), heights = ["", "full", "low"];
    const now = heights.findIndex((height) => height && sheet.classList.contains(height));
    sheet.classList.remove("full", "low");
    const next = heights[(Math.max(now, 0) + 1) % 3];
    if (next) sheet.classList.add(next);
  }

  /* On a small screen the coach says his title until he is asked, and the answers stay in sight. */
  const folded = new Set();
  function fold() {
    if (!matchMedia("(max-width: 599px)").matches) return;
    for (const card of all(".coach details")) {
      if (!folded.has(card.textContent)) card.open = false;
      folded.add(card.textContent);
    }
  }
  document.addEventListener("htmx:after:swap", fold);

  /* --- odds: of the plan as it stands now; quick ones by themselves, others when they are asked for --- */

  let shown = "";
  async function odds(wanted = false, more = "", believe = "") {
    const form = plan() ?? one("form.answer"), place = form && one("[data-odds]", form);
    if (!place) return;
    const said = new URLSearchParams(new FormData(form));
    said.delete("form_token");
    said.set("quick", wanted ? "" : "yes");
    if (more) said.set("more", more);
    if (believe) said.set("believe", believe);
    const address = `${place.dataset.odds}?${said}`;
    if (address === shown && place.childElementCount) return;
    shown = address;
    if (wanted) place.classList.add("htmx-request");
    const reply = await fetch(address, { headers: { "HX-Request": "true" } });
    const text = reply.ok ? await reply.text() : "";
    if (shown === address && place.isConnected) place.innerHTML = text;
    place.classList.remove("htmx-request");
  }
  const tryOdds = (...wanted) => odds(...wanted).catch(() => {});

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-calculate]");
    if (button) tryOdds(true, button.dataset.more, one("[data-believe]")?.value);
  });
  document.addEventListener("change", (event) => { if (event.target.matches("[data-believe]")) tryOdds(true, "", event.target.value); });
  document.addEventListener("htmx:after:swap", () => { setTimeout(tryOdds, 60); });

  /* --- keys --- */

  const KEYS = { w: ".odds summary, .entry.present summary", g: ".chart .twin > summary", "?": "[data-keys]" };
  const typing = "select, textarea, [contenteditable], input:not([type=number], [type=radio], [type=checkbox])";

  function confirmKey() {
    const button = one("#part-question [data-confirm-key]");
    if (button && !one("body.playing")) button.click();
  }

  /* Arrows go from counter to counter on the chart, and from field to field in the sheet. */
  function beside(from, key) {
    const root = from.closest(".chart, #sheet");
    if (!root) return null;
    const cell = from.closest(".missions td, .missions th"), vertical = key === "ArrowUp" || key === "ArrowDown";
    if (cell && vertical) return below(cell, key === "ArrowDown" ? 1 : -1);
    const stops = all("button.ctr, [data-option], .stepper input, .offer input:checked, select, summary", root).filter((place) => place.offsetParent);
    const here = stops.indexOf(from);
    return here < 0 ? null : stops[here + (key === "ArrowDown" || key === "ArrowRight" ? 1 : -1)] ?? null;
  }

  /* In the grid of missions up and down keep to the column. */
  function below(cell, step) {
    const column = cell.cellIndex, rows = all("tr", cell.closest("table"));
    for (let at = rows.indexOf(cell.parentElement) + step; rows[at]; at += step) {
      const found = rows[at].cells[column] && one("input, select", rows[at].cells[column]);
      if (found) return found;
    }
    return null;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]") || event.target.closest?.(typing)) return;
    const stepper = event.target.closest?.(".stepper input") ?? one(".stepper input", one("[data-row]:focus-within") ?? document.createElement("i"));
    if ("+-".includes(event.key) && stepper) {
      event.preventDefault();
      step(stepper, event.key === "+" ? 1 : -1);
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary")) {
      event.preventDefault();
      confirmKey();
    } else if (event.key.startsWith("Arrow") && event.target.type !== "radio") {
      if (event.target.type === "number" && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const next = beside(event.target, event.key);
      if (next) {
        event.preventDefault();
        next.focus();
      }
    } else if (KEYS[event.key] && event.target.type !== "number") {
      const place = one(KEYS[event.key]);
      if (place) {
        event.preventDefault();
        place.click();
      }
    }
  });

  /* --- a stream that connects again sends all parts: what somebody has changed in his plan stays. Once his staff has
     thought, the server fills in the other fields anew --- */

  document.addEventListener("htmx:before:swap", (event) => {
    for (const task of event.detail.tasks ?? []) {
      const kept = task.target?.id === "part-question" && plan(), fresh = kept && one("form#plan", task.fragment);
      if (!fresh || fresh.dataset.at !== kept.dataset.at || !(waiting || one(".by.you", kept))) continue;
      const copy = kept.cloneNode(true), advice = one("#adviser", fresh), other = fresh.dataset.by !== kept.dataset.by;
      fresh.replaceWith(copy);
      one("#adviser", copy)?.remove();
      if (advice) one("#asked", copy).after(advice);
      if (other) setTimeout(() => { if (plan()) changed(plan()); });
    }
  });

  const begin = () => { fold(); tryOdds(); };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
