/* Dice as they fall: what came since the last move is shown line by line, each roll large, each blow on the counter that it
   struck. Any key or click completes what is running, `s` or Skip all of it; with reduced motion nothing is played. */
(() => {
  "use strict";

  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const TIMES = { roll: 1900, headline: 1700, other: 350 };
  const MANY = 14;  // rolls beyond which everything goes faster

  let queue = [], timer = 0, goOn = null, now = 0, past = null, steps = null, keeping = 0;

  /* --- what this browser has shown already, by the number of the line in the log --- */

  const list = () => one("#part-since .since");
  const key = () => `flagplot-shown:${list()?.dataset.table}`;
  const number = (line) => Number(line.dataset.line);
  function shown() {
    try { return JSON.parse(localStorage.getItem(key())) ?? 0; } catch { return 0; }
  }
  function mark(last) {
    try { localStorage.setItem(key(), JSON.stringify(last)); } catch { /* nothing is kept, and all is shown again */ }
  }

  /* --- the show --- */

  /* While it runs, the board as it was stands in for the one that knows the end already; on it blows land. So do the steps
     as they were. */

  function keep() {
    const board = one("#part-board");
    past = one(":scope > .seas", board) ? board.cloneNode(true) : null;
    steps = past && one("#part-status > .ribbon")?.cloneNode(true);
  }

  function keepSoon() {  // when all parts of the news are there
    clearTimeout(keeping);
    keeping = setTimeout(keep, 400);
  }

  function standIn() {
    clearTimeout(keeping);
    if (!past) return;
    for (const part of [past, ...all("[id], [form], [name]", past)]) for (const name of ["id", "form", "name"]) part.removeAttribute(name);
    past.className = "past";
    past.inert = true;
    one("#part-board").before(past);
    if (!steps) return;
    const bar = document.createElement("div");
    bar.className = "status then";
    bar.inert = true;
    bar.append(steps);
    one(".round", steps).textContent = one("#part-status .ribbon .round")?.textContent ?? "";
    one("#part-status").before(bar);
  }

  function look() {
    const lines = all("#part-since .entry"), last = lines.length ? number(lines.at(-1)) : 0, before = shown();
    if (goOn) return;
    if (!lines.length) { keepSoon(); return; }
    const fresh = lines.filter((line) => before <= last && number(line) > before);  // the log is shorter after a take-back
    if (still.matches || document.hidden || !fresh.some((line) => line.matches(".roll, .headline:not(.round)"))) {
      mark(last);
      if (fresh.length && plan()) fold();
      keepSoon();
      return;
    }
    play(fresh.map(number));
  }

  const plan = () => one("#part-question :is(#plan, .answer)");
  const at = (line) => one(`#part-since .entry[data-line="${line}"]`);

  function play(numbers) {
    queue = numbers;
    document.body.classList.add("playing");
    standIn();
    list().open = true;
    for (const line of all("#part-since .entry")) line.classList.toggle("waiting", queue.includes(number(line)));
    titles();
    next();
  }

  /* A heading without lines yet would tell what comes. */
  function titles() {
    for (const title of all("#part-since .beats h3")) {
      title.classList.toggle("waiting", !one(".entry:not(.waiting)", title.nextElementSibling));
    }
  }

  /* The steps follow the headings of what is shown. */
  function step(line) {
    const title = line.closest("ol").previousElementSibling?.textContent, places = all(".status.then li");
    const at = places.findIndex((place) => one(".step", place).textContent === title);
    if (at < 0) return;
    places.forEach((place, number) => {
      place.classList.toggle("done", number < at);
      place.classList.toggle("now", number === at);
      place.classList.toggle("near", Math.abs(number - at) === 1);
    });
  }

  function next() {
    clearTimeout(timer);
    lift();
    for (const line of all("#part-since .present")) line.classList.remove("present", "done");
    const line = queue.length ? at(queue.shift()) : null;
    if (!line) return queue.length ? next() : end();
    now = number(line);
    mark(now);
    line.classList.remove("waiting");
    present(line);
    titles();
    step(line);
    line.scrollIntoView({ block: "nearest" });
    if (line.matches(".headline:not(.round)")) land(line);
    const kind = line.matches(".roll") ? "roll" : line.matches(".headline") ? "headline" : "other";
    goOn = next;
    timer = setTimeout(next, TIMES[kind] * (queue.length > MANY ? 0.5 : 1));
    return null;
  }

  function present(line) {
    line.classList.add("present");
    line.classList.toggle("few", all(".flagplot-die", line).length > 3);
  }

  function end() {
    goOn = null;
    clearTimeout(timer);
    lift();
    document.body.classList.remove("playing");
    past?.remove();
    one(".status.then")?.remove();
    keep();
    for (const line of all("#part-since .waiting, #part-since .present")) line.classList.remove("waiting", "present", "done");
    if (plan()) {
      fold();
      one("#asked")?.focus({ preventScroll: true });
    }
    look();  // more may have come meanwhile
  }

  function skip() {
    const lines = all("#part-since .entry");
    if (lines.length) mark(number(lines.at(-1)));
    queue = [];
    end();
  }

  function fold() {
    list().open = false;
  }

  /* --- a blow lands on the counter that it struck; the others dim --- */

  function land(line) {
    const chart = one(".chart"), names = (line.dataset.of ?? "").split(" ").filter(Boolean);
    const board = past?.isConnected ? past : chart;
    const struck = names.flatMap((name) => all(`[data-counter="${CSS.escape(name)}"], [data-stack="${CSS.escape(name)}"]`, board));
    const banner = document.createElement("div");
    banner.className = `blow ${[...line.classList].find((name) => ["sunk", "damaged", "air-lost", "found"].includes(name)) ?? ""}`;
    banner.setAttribute("aria-hidden", "true");
    const icon = one(".ico", line)?.cloneNode(true), words = document.createElement("span");
    const said = one("p", line).cloneNode(true);
    one(".ruled", said)?.remove();
    words.textContent = said.textContent.trim();
    banner.append(...(icon ? [icon] : []), words);
    chart.append(banner);
    const ships = board === past ? struck.filter((place) => place.matches(".ctr:not(.pile)")) : [];
    for (const ship of ships) ship.classList.add(...(line.matches(".sunk") ? ["sunk"] : line.matches(".damaged") ? ["hurt"] : []));
    for (const place of struck) {
      place.classList.add("struck");
      place.closest("[data-stack]")?.classList.add("struck");
    }
    if (struck.length) chart.classList.add("hush");
    struck[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    put(banner, struck[0], chart);
  }

  function put(banner, place, chart) {
    const inside = chart.getBoundingClientRect();
    const box = place?.getBoundingClientRect();
    const left = box ? box.left + box.width / 2 - inside.left + chart.scrollLeft : chart.clientWidth / 2 + chart.scrollLeft;
    const above = box ? box.top - inside.top + chart.scrollTop - banner.offsetHeight - 16 : chart.clientHeight / 3 + chart.scrollTop;
    const below = Boolean(box) && above < chart.scrollTop + 4;
    const top = below ? Math.min(box.bottom - inside.top + 16, chart.clientHeight - banner.offsetHeight - 8) + chart.scrollTop : above;
    banner.classList.toggle("loose", !box);
    banner.classList.toggle("below", below);
    const half = banner.offsetWidth / 2 + 8;
    banner.style.left = `${Math.min(Math.max(left, half), chart.scrollWidth - half) - half + 8}px`;
    banner.style.top = `${Math.max(top, 8)}px`;
  }

  function lift() {
    for (const banner of all(".chart .blow")) banner.remove();
    for (const place of all(".chart .struck")) place.classList.remove("struck");
    one(".chart")?.classList.remove("hush");
  }

  /* --- any key or click completes what is running: first the fall of the dice, then this line --- */

  function complete() {
    const line = one("#part-since .present");
    if (line?.matches(".roll:not(.done)")) line.classList.add("done");
    else goOn?.();
  }

  document.addEventListener("keydown", (event) => {
    if (!goOn || event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab" || event.key === "Shift") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "s" || event.key === "Escape") skip();
    else complete();
  }, true);

  document.addEventListener("click", (event) => {
    if (!goOn || event.target.closest("a, summary, dialog, .menu")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.target.closest("[data-skip]")) skip();
    else complete();
  }, true);

  document.addEventListener("htmx:after:swap", () => {
    if (goOn) {  // the parts were made anew: what waits goes on waiting
      for (const line of all("#part-since .entry")) {
        if (number(line) > shown() && !queue.includes(number(line))) queue.push(number(line));
        line.classList.toggle("waiting", queue.includes(number(line)));
        if (number(line) === now) present(line);
      }
      titles();
    } else look();
  });

  function begin() {
    look();
    if (list() && plan() && !goOn) fold();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
