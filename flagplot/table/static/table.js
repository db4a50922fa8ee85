/* What a page of the table cannot do by itself. Pages are made on the server and can be read without it; joining by a link
   and answering need it. No part of it is in a page: the content security policy forbids that. */
(() => {
  "use strict";

  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  /* --- requests of htmx: they bring the token of forms, and never the address of the page (it may hold a secret) --- */

  document.addEventListener("htmx:config:request", (event) => {
    const headers = event.detail.ctx.request.headers;
    headers["X-Form-Token"] = one("meta[name=form-token]")?.content ?? "";
    delete headers["HX-Current-URL"];
  });

  /* --- announcements: for those who do not see what changed --- */

  let told = "";
  function announce(words) {
    const place = one("#announcer");
    if (place && words && words !== told) {
      told = words;
      place.textContent = words;
    }
  }

  function announceAll(root) {
    const words = all("[data-announce]", root).map((place) => place.dataset.announce);
    announce(words.filter(Boolean).join(" "));
  }

  document.addEventListener("htmx:after:swap", () => {
    announceAll(document);
    markFaults();
    localTimes(document);
  });

  function markFaults() {
    for (const place of all(".fault[id^=fault-]")) {
      for (const input of all(`[aria-describedby~="${place.id}"]`)) {
        if (place.textContent.trim()) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    }
  }

  /* --- rules: a number opens our summary in a dialog; with Ctrl, or without script, it is an ordinary link --- */

  async function showIn(address, label) {
    const dialog = one("#rule-dialog");
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    one("#rule-card").innerHTML = await answer.text();
    dialog.setAttribute("aria-label", label);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  function showRule(number) {
    return showIn(`/rules/${encodeURIComponent(number)}/card`, "A rule in our words");
  }

  /* --- words of the game: what they mean shows when somebody points at them, tabs to them or touches them --- */

  const tip = document.createElement("div");
  tip.id = "term-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let meanings = null;
  let tipped = null;

  async function showTip(link) {
    meanings ??= fetch("/glossary.json").then((answer) => answer.json());
    tipped = link;
    const meant = (await meanings.catch(() => { meanings = null; return {}; }))[link.dataset.term];
    if (tipped !== link || !meant || !link.isConnected) return;
    const dialog = link.closest("dialog");
    (dialog ?? document.body).append(tip);  // what lies under a dialog cannot be seen
    tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: meant.name }), ` ${meant.says}`);
    link.setAttribute("aria-describedby", tip.id);
    tip.hidden = false;
    const at = link.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    tip.style.left = `${Math.max(8, Math.min(at.left, room - tip.offsetWidth - 8))}px`;
    const below = at.bottom + 6 + tip.offsetHeight < innerHeight;
    tip.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - 6 - tip.offsetHeight)}px`;
  }

  function hideTip() {
    tipped?.removeAttribute("aria-describedby");
    tipped = null;
    tip.hidden = true;
  }

  for (const name of ["mouseover", "focusin"]) {
    document.addEventListener(name, (event) => {
      const link = event.target.closest?.("a[data-term]");
      if (link && link !== tipped) {
        hideTip();
        showTip(link);
      } else if (!link && !event.target.closest?.("#term-tip") && (name === "focusin" || tipped !== document.activeElement)) hideTip();
    });
  }
  addEventListener("scroll", hideTip, { passive: true, capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || tip.hidden) return;
    event.preventDefault();  // the dialog stays
    hideTip();
  }, true);

  /* --- copying --- */

  async function copy(button) {
    const source = document.getElementById(button.dataset.copy);
    const text = "value" in source ? source.value : source.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyOldWay(source, text);
    }
    const words = button.dataset.words ?? (button.dataset.words = button.firstChild.textContent);
    button.firstChild.textContent = "Copied";
    announce("Copied to the clipboard.");
    told = "";
    setTimeout(() => { button.firstChild.textContent = words; }, 1500);
  }

  function copyOldWay(source, text) {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }

  document.addEventListener("click", (event) => {
    const term = event.target.closest("a[data-term]");
    if (term && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      showTip(term);
      return;
    }
    const rule = event.target.closest("a[data-rule]");
    if (rule && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      showRule(rule.dataset.rule).catch(() => { location.href = rule.href; });
      return;
    }
    const panel = event.target.closest("a[data-panel]");
    if (panel && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      showIn(panel.href, panel.textContent.trim()).catch(() => { location.href = panel.href; });
      return;
    }
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    if (event.target.id === "rule-dialog") event.target.close();
  });

  document.addEventListener("submit", (event) => {
    const words = event.submitter?.dataset.confirm;
    if (words && !window.confirm(words)) event.preventDefault();
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("input[data-select]")) event.target.select();
  });

  /* --- number keys press the button with that number: <button data-key="1"> --- */

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog[open], [contenteditable]")) return;
    const button = /^[0-9a-z]$/.test(event.key) && one(`[data-key="${event.key}"]:not([disabled])`);
    if (button && !one("dialog[open]")) {
      event.preventDefault();
      if (!("stay" in button.dataset)) button.focus();  // else Enter goes on confirming
      button.click();
    }
  });

  /* --- fields that complete the last entry of a list --- */

  let words = null;
  async function knownWords() {
    words ??= fetch("/odds/words.json").then((answer) => answer.json());
    return words;
  }

  function candidates(kind, known, last) {
    const [number, ...rest] = last.split(" ");
    const counted = /^\d+$/.test(number);
    if (kind === "ships") return counted ? known.light.map((one) => `${number} ${one}`) : known.ships;
    if (kind === "air") {
      if (!counted) return [];
      const country = rest[0] ?? "";
      return known.countries.includes(country)
        ? known.arms.map((arm) => `${number} ${country} ${arm}`)
        : known.countries.map((one) => `${number} ${one} `);
    }
    return known[kind] ?? [];
  }

  async function complete(input) {
    const known = await knownWords();
    const cut = input.value.lastIndexOf(",") + 1;
    const before = input.value.slice(0, cut) + (cut ? " " : "");
    const last = input.value.slice(cut).trimStart();
    const wanted = last.toLowerCase();
    const found = wanted ? candidates(input.dataset.complete, known, last)
      .filter((one) => one.toLowerCase().startsWith(wanted) && one.toLowerCase().trim() !== wanted.trim()) : [];
    suggest(input, found.slice(0, 8), (chosen) => {
      input.value = before + chosen;
      input.focus();
      input.setSelectionRange(input.value.length, input.value.length);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  /* Buttons below the field: they can be clicked, tapped, or reached with the Tab key. */
  function suggest(input, found, choose) {
    let place = input.nextElementSibling;
    if (!place?.classList.contains("suggestions")) {
      place = document.createElement("div");
      place.className = "suggestions";
      place.setAttribute("role", "group");
      place.setAttribute("aria-label", "Suggestions");
      input.after(place);
    }
    place.replaceChildren(...found.map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = one.trim();
      button.addEventListener("click", () => choose(one));
      return button;
    }));
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-complete]")) complete(event.target).catch(() => {});
  });

  document.addEventListener("focusout", (event) => {
    const field = event.target.closest?.(".field");
    const place = field && one(".suggestions", field);
    if (place && !field.contains(event.relatedTarget)) place.replaceChildren();
  });

  /* A field of one line that is wrapped where it is long: Enter sends the form. */
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("textarea.line") && !event.isComposing) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });

  /* --- joining: the token stands behind the # of the link, where no server and no log sees it --- */

  async function join() {
    const form = one("form[data-join]");
    if (!form) return;
    const token = location.hash.slice(1);
    if (token) {
      form.elements.token.value = token;
      history.replaceState(null, "", location.pathname);
    }
    if (!form.elements.token.value) return;
    const body = new FormData(form);
    const answer = await fetch("/join/look", { method: "POST", body, headers: { "HX-Request": "true" } });
    one("#invitation").innerHTML = await answer.text();
    one("#pasted")?.toggleAttribute("hidden", answer.ok);
    form.toggleAttribute("hidden", false);
    announceAll(document);
  }

  /* --- what is chosen decides what is shown: <div data-shown-with="name=value"> --- */

  function showChosen(root) {
    for (const place of all("[data-shown-with]", root)) {
      const [name, value] = place.dataset.shownWith.split("=");
      place.hidden = !all(`[name="${name}"]`).some((input) => (input.type === "radio" ? input.checked && input.value === value : input.value === value));
    }
  }

  document.addEventListener("change", (event) => {
    showChosen(document);
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  /* --- times as they are here --- */

  function localTimes(root) {
    for (const place of all("time[datetime]:not([data-local])", root)) {
      const when = new Date(place.dateTime);
      if (!Number.isNaN(when.valueOf())) {
        place.textContent = when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
        place.dataset.local = "";
      }
    }
  }

  /* What Enter does on a page, without scrolling to it. */
  one("[data-first]")?.focus({ preventScroll: true });

  /* --- the battle page: how long somebody has been asked, and the next question gets the focus of the last --- */

  function clocks() {
    for (const place of all("time[data-since]")) {
      const when = new Date(place.dateTime);
      const minutes = Math.max(0, Math.floor((Date.now() - when) / 60000));
      const days = Math.floor(minutes / 1440);
      const hours = Math.floor(minutes / 60) % 24;
      const words = minutes < 1 ? "just now"
        : days ? `for ${days} day${days === 1 ? "" : "s"} and ${hours} h`
          : minutes < 60 ? `for ${minutes} min` : `for ${hours} h ${minutes % 60} min`;
      if (place.textContent !== words) place.textContent = words;
      place.title = when.toLocaleString();
    }
  }

  let answered = "";
  document.addEventListener("submit", (event) => {
    if (event.target.matches("#part-question form, #part-status form, #plan form")) answered = event.target.id || "form";
    event.target.closest("details.levels")?.removeAttribute("open"); // chosen: it would cover the button of the plan
  });
  document.addEventListener("htmx:after:swap", () => {
    clocks();
    const asked = one("#asked");
    if (answered && asked?.closest("form") && asked.closest("form").id !== answered) {
      answered = "";
      asked.focus({ preventScroll: true });
    }
  });

  /* The title says whose turn it is, so that one sees it while looking at another tab. */
  document.addEventListener("htmx:after:swap", () => {
    const whose = one("#part-top .whose");
    const name = one(".table .bar h1");
    const unread = Number(one("#part-top .mail")?.dataset.unread ?? 0);
    if (whose && name) document.title = `${unread ? `(${unread}) ` : ""}${whose.textContent.trim().replace(/\.$/, "")}. ${name.textContent} · Flagplot`;
  });

  /* While the server cannot be reached the page says so; it connects again by itself, and then has what is now. */
  const LOST = "The table cannot be reached just now. This page tries again by itself; what was not taken will be asked again.";
  const CROWDED = "Too many pages of this table are open, so this one does not show what happens. Close some of them, then reload this one.";
  function lost(words = LOST) {
    const place = one("#refusal");
    if (place && !one("[data-lost]", place)) {
      const message = document.createElement("div");
      message.className = "message wrong";
      message.dataset.lost = "";
      message.textContent = words;
      place.replaceChildren(message);
    }
  }
  document.addEventListener("htmx:error", (event) => { if (event.detail.ctx) lost(); });
  let connected = true;
  document.addEventListener("htmx:sse:error", (event) => {
    connected = false;
    if ([403, 404, 410].includes(event.detail.status)) {  // the link was replaced, or the table is gone: the page says which
      location.reload();
      return;
    }
    const words = event.detail.status === 429 ? CROWDED : LOST;
    setTimeout(() => { if (!connected) lost(words); }, 300);  // not if the page is only being left
  });
  document.addEventListener("htmx:sse:after:connection", () => {
    connected = true;
    one("#refusal [data-lost]")?.remove();
  });
  window.addEventListener("pagehide", () => { connected = true; });

  function begin() {
    clocks();
    setInterval(clocks, 15000);
    showChosen(document);
    localTimes(document);
    markFaults();
    join().catch(() => {});
    window.addEventListener("hashchange", () => { join().catch(() => {}); });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
