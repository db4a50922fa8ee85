/* The map: zoom, drag, touch and keys; which size of names is shown; what is known of a hex or a path; paths drawn by
   clicking hexes. The map can be read, scrolled and answered without it. */
(() => {
  "use strict";

  const UNIT = 40;
  const ROW = Math.sqrt(0.75);
  const LEVELS = [9, 13, 18, 25, 35, 49, 69, 96];
  const LARGEST = 130;
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = () => one("[data-map]");
  const view = () => one(".map-view", box() ?? document);
  const sheet = () => one(".map-sheet", box());
  const ground = () => one(".m-ground", box());
  const kept = `map ${location.pathname}`;

  let dots = 0;  /* of the screen, for the width of a hex */
  let whole = 0;  /* the same when all of the map is to be seen */

  /* --- size and place --- */

  const across = () => ground().viewBox.baseVal.width / UNIT;
  const down = () => ground().viewBox.baseVal.height / UNIT;

  function measure() {
    whole = Math.min(view().clientWidth / across(), view().clientHeight / down());
  }

  /* Make hexes so wide, and keep the point (x, y) of the box where it is. */
  function zoom(wanted, x = view().clientWidth / 2, y = view().clientHeight / 2) {
    const place = view();
    const before = sheet().getBoundingClientRect();
    const frame = place.getBoundingClientRect();
    const share = [(frame.left + x - before.left) / before.width, (frame.top + y - before.top) / before.height];
    dots = Math.min(LARGEST, Math.max(whole, wanted));
    sheet().style.width = `${dots * across()}px`;
    const after = sheet().getBoundingClientRect();
    place.scrollLeft += after.left + share[0] * after.width - (frame.left + x);
    place.scrollTop += after.top + share[1] * after.height - (frame.top + y);
    level();
    keep();
  }

  function level() {
    const fit = LEVELS.filter((size) => size <= dots + 0.01).length - 1;
    box().dataset.level = Math.max(0, fit);
  }

  function keep() {
    const place = view();
    const middle = [(place.scrollLeft + place.clientWidth / 2) / dots, (place.scrollTop + place.clientHeight / 2) / dots];
    try { sessionStorage.setItem(kept, JSON.stringify([dots, ...middle])); } catch { /* then it is not kept */ }
  }

  /* Show a point, given in units of the drawing, in the middle. */
  function centre(x, y) {
    const place = view();
    place.scrollLeft = (x / UNIT) * dots - place.clientWidth / 2;
    place.scrollTop = (y / UNIT) * dots - place.clientHeight / 2;
  }

  /* What the map is about now: the rings, else the counters. */
  function middleOfAll() {
    const spots = all(".m-rings .m-field:first-of-type foreignObject").map((part) => part.getBBox?.() ?? null).filter(Boolean);
    if (!spots.length) return null;
    const x = spots.map((spot) => spot.x + spot.width / 2);
    const y = spots.map((spot) => spot.y + spot.height / 2);
    return [(Math.min(...x) + Math.max(...x)) / 2, (Math.min(...y) + Math.max(...y)) / 2];
  }

  function start() {
    measure();
    let was = null;
    try { was = JSON.parse(sessionStorage.getItem(kept)); } catch { /* nothing was kept */ }
    if (Array.isArray(was) && was.length === 3) {
      dots = was[0];
      zoom(was[0]);
      centre(was[1] * UNIT, was[2] * UNIT);
      return;
    }
    const cover = Math.max(view().clientWidth / across(), view().clientHeight / down());
    zoom(Math.max(whole, Math.min(40, Math.max(cover, 30))));
    const middle = middleOfAll();
    if (middle) centre(...middle);
  }

  /* --- by hand --- */

  function wheel(event) {
    event.preventDefault();
    const frame = view().getBoundingClientRect();
    zoom(dots * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - frame.left, event.clientY - frame.top);
  }

  let held = null;
  let dragged = false;
  function down_(event) {
    dragged = false;
    if (event.pointerType === "mouse" && event.button === 0) held = [event.clientX, event.clientY, view().scrollLeft, view().scrollTop];
  }
  function move(event) {
    if (!held) {
      if (event.pointerType === "mouse") look(event);
      return;
    }
    const [x, y] = [event.clientX - held[0], event.clientY - held[1]];
    if (Math.hypot(x, y) > 4) dragged = true;
    if (dragged) {
      view().classList.add("held");
      view().scrollLeft = held[2] - x;
      view().scrollTop = held[3] - y;
    }
  }
  function up() {
    held = null;
    view()?.classList.remove("held");
    if (dragged) keep();
  }

  let pinch = null;
  const apart = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  function touch(event) {
    if (event.touches.length !== 2) { pinch = null; return; }
    event.preventDefault();
    if (pinch === null) { pinch = [apart(event.touches), dots]; return; }
    const frame = view().getBoundingClientRect();
    const [one_, other] = event.touches;
    zoom(pinch[1] * apart(event.touches) / pinch[0], (one_.clientX + other.clientX) / 2 - frame.left, (one_.clientY + other.clientY) / 2 - frame.top);
  }

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) view().scrollBy({ left: step[0] * 90, top: step[1] * 90 });
    else if (event.key === "+" || event.key === "=") zoom(dots * 1.3);
    else if (event.key === "-") zoom(dots / 1.3);
    else if (event.key === "0") zoom(whole);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* --- hexes --- */

  function hexAt(event) {
    const area = ground().getBoundingClientRect();
    const x = ((event.clientX - area.left) / area.width) * across() + Number(ground().dataset.left);
    const y = ((event.clientY - area.top) / area.height) * down() + Number(ground().dataset.top);
    const r = y / ROW;
    const q = x - r / 2;
    let [a, b, c] = [Math.round(q), Math.round(r), Math.round(-q - r)];
    const [da, db, dc] = [Math.abs(a - q), Math.abs(b - r), Math.abs(c + q + r)];
    if (da > db && da > dc) a = -b - c;
    else if (db > dc) b = -a - c;
    return `${a},${b}`;
  }

  /* --- what is known, on a card --- */

  let told = "";
  function tell(parts, name) {
    const card = one(".map-card", box());
    if (name === told && !card.hidden === parts.length > 0) return;
    told = name;
    card.replaceChildren(...parts);
    card.hidden = !parts.length;
    aside(card);
  }

  /* The card stands in the corner where it hides least of what it is about. */
  function aside(card) {
    const frame = view().getBoundingClientRect();
    const shown = `.lv${box().dataset.level} use`;
    const spots = all(`.m-way.show .m-step, .m-field.on .m-way.on .m-step, .m-rings .m-field.on .m-goal, .m-ask.show .m-goal, .m-counters ${shown}`, box())
      .map((part) => part.getBoundingClientRect());
    const covers = (corner) => {
      card.className = `map-card ${corner}`;
      const room = card.getBoundingClientRect();
      return spots.filter((spot) => spot.left < room.right && spot.right > room.left && spot.top < room.bottom && spot.bottom > room.top).length;
    };
    const corners = frame.width > 600 ? ["", "high", "right"] : [""];
    const hidden = corners.map(covers);
    card.className = `map-card ${corners[hidden.indexOf(Math.min(...hidden))]}`;
  }

  function look(event) {
    const ask = event.target.closest?.(".m-ask");
    if (ask) { show(ask.dataset.option); return; }
    if (picked) return;
    show("");
    const at = hexAt(event);
    const place = one(`[data-at="${at}"]`);
    if (!place) { settle(); return; }
    const words = document.createElement("p");
    words.append(...[...place.childNodes].map((node) => node.cloneNode(true)));
    tell([words], at);
  }

  /* The path and the facts of an option. */
  function show(option) {
    for (const part of all(".m-way, .m-ask", box())) part.classList.toggle("show", Boolean(option) && part.dataset.option === option);
    one(".m-ways", box())?.classList.toggle("looking", Boolean(option));
    const facts = option && all("[data-known]").find((part) => part.dataset.known === option);
    if (!facts) { if (option || !picked) tell([], ""); return; }
    const copy = facts.cloneNode(true);
    copy.hidden = false;
    tell([copy, ...confirming(option)], option);
  }

  /* A path that was drawn is taken once, with a button below what is known of it. */
  function confirming(option) {
    const source = all(".m-button", box()).find((button) => button.dataset.option === option);
    if (picked !== option || !source || source.dataset.field) return [];
    const button = document.createElement("button");
    button.className = "btn main choose";
    button.setAttribute("form", source.getAttribute("form"));
    button.name = "option";
    button.value = option;
    button.textContent = "Take this path";
    return [button];
  }

  /* --- paths by clicking: the ways through all hexes that were clicked, else through the last one --- */

  let picked = "";
  let through = [];
  let next = "";  /* the field of the plan to be looked at when it is there: after an order the way */
  function waysThrough(hexes) {
    const shown = all(".m-ways .m-field", box()).filter((group) => getComputedStyle(group).display !== "none");
    const ways = shown.flatMap((group) => all(".m-way", group)).filter((way) => isWay(way.dataset.option));
    return ways.filter((way) => hexes.every((at) => way.dataset.hexes.split(" ").includes(at)));
  }
  const isWay = (option) => option.startsWith("way:");
  const length = (way) => way.dataset.hexes.split(" ").length;

  function draw(at) {
    let found = waysThrough([...through, at]);
    through = found.length ? [...through, at] : [at];
    if (!found.length) found = waysThrough(through);
    if (!found.length) { through = []; return false; }
    take(found.reduce((best, way) => (length(way) < length(best) ? way : best)).dataset.option);
    return true;
  }

  /* Take a path: of a plan it is set there, of a question it is shown with a button that takes it. */
  function take(option) {
    const button = all(".m-button", box()).find((source) => source.dataset.option === option);
    picked = option;
    if (button?.dataset.field) {
      picked = "";
      button.click();
    }
    show(option);
  }

  function click(event) {
    if (dragged) { event.preventDefault(); event.stopPropagation(); dragged = false; return; }
    const button = event.target.closest?.(".m-button");
    const asked = button?.dataset.field ?? "";
    if (asked.startsWith("order:")) next = asked.replace("order:", "way:");
    if (button && isWay(button.dataset.option) && !button.dataset.field) {
      event.preventDefault();
      through = [];
      take(button.dataset.option);
    } else if (!button && event.target.closest?.(".map-view")) {
      const hex = new CustomEvent("map:hex", { bubbles: true, detail: hexAt(event) });
      if (!draw(hexAt(event))) { picked = ""; show(""); look(event); }
      view().dispatchEvent(hex);
    }
  }

  /* --- fields of a plan, and ranges --- */

  const fields = () => [...new Set(all(".m-rings .m-field", box()).map((group) => group.dataset.for))];

  function field(name) {
    if (!fields().includes(name)) return;
    box().dataset.field = name;
    for (const group of all(".m-field", box())) {
      group.classList.toggle("on", group.dataset.for === name);
      group.classList.toggle("with", name.startsWith("order:") && group.dataset.for === name.replace("order:", "way:"));
    }
    settle();
  }

  /* What is known of the path that the plan has, while nobody points at another; on a small screen it would hide the map. */
  function settle() {
    const chosen = one(".m-ways .m-field.with .m-way.on", box()) ?? one(".m-ways .m-field.on .m-way.on", box());
    if (picked || one(".m-way.show, .m-ask.show", box()) || !matchMedia("(min-width: 700px)").matches) return;
    const facts = chosen && all("[data-known]").find((part) => part.dataset.known === chosen.dataset.option);
    tell(facts ? [facts.cloneNode(true)] : [], facts ? `plan ${chosen.dataset.option}` : "");
  }

  function again() {
    if (!box()) return;
    level();
    ranges();
    const name = box().dataset.field;
    delete box().dataset.field;
    const wanted = [next, name, fields().find(Boolean)].find((one_) => one_ && fields().includes(one_));
    if (next === wanted) next = "";
    if (wanted) field(wanted);
    if (picked && !all(".m-way", box()).some((way) => way.dataset.option === picked)) { picked = ""; through = []; show(""); }
  }

  function ranges() {
    const wanted = all("[data-range]:checked").map((input) => input.dataset.range);
    for (const part of all(".m-reach", box())) part.classList.toggle("on", wanted.includes(part.dataset.reach));
  }

  /* A list that is open over the map is shut by a click beside it. */
  document.addEventListener("click", (event) => {
    for (const list of all(".map-words details[open]")) if (!list.contains(event.target)) list.open = false;
  });

  /* --- beginning --- */

  function listen() {
    const place = view();
    place.addEventListener("wheel", wheel, { passive: false });
    place.addEventListener("pointerdown", down_);
    place.addEventListener("pointermove", (event) => { if (!held) move(event); });
    place.addEventListener("pointerleave", () => { if (!held && !picked) { show(""); settle(); } });
    place.addEventListener("touchstart", touch, { passive: false });
    place.addEventListener("touchmove", touch, { passive: false });
    place.addEventListener("touchend", () => { pinch = null; keep(); });
    place.addEventListener("keydown", key);
    place.addEventListener("click", click, true);
    place.addEventListener("scroll", () => { if (!held) keep(); }, { passive: true });
    place.addEventListener("focusin", (event) => { const ask = event.target.closest?.(".m-ask"); if (ask) show(ask.dataset.option); });
    box().addEventListener("click", (event) => {
      const how = event.target.closest("[data-zoom]")?.dataset.zoom;
      if (how) zoom(how === "in" ? dots * 1.4 : how === "out" ? dots / 1.4 : whole);
    });
    new ResizeObserver(() => { measure(); zoom(dots); }).observe(place);
  }

  /* A map that comes with a part of the page begins when it is there. */
  function open() {
    if (!box() || !ground() || box().classList.contains("zooming")) return;
    box().classList.add("zooming");
    start();
    listen();
    again();
  }

  function begin() {
    open();
    document.addEventListener("pointermove", (event) => { if (held) move(event); });
    document.addEventListener("pointerup", up);
    document.addEventListener("change", (event) => { if (event.target.matches("[data-range]")) ranges(); });
    document.addEventListener("focusin", (event) => {
      const name = event.target.name ?? "";
      if (box() && name.startsWith("field.")) field(name.slice("field.".length));
    });
    document.addEventListener("htmx:after:swap", () => { open(); again(); });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
