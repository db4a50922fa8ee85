/* The browser's part in honest dice, without a click: it adds random bytes when it sits down, a nonce to each answer, and
   fresh bytes to each roll (promised first, told when the answer is fixed that calls for it); it keeps the server's
   receipts, and compares them with the game when that is over. An element with data-commitment says what is wanted. */
(() => {
  "use strict";

  const one = (selector, root = document) => root.querySelector(selector);
  const RECEIPT = "Flagplot-Receipt";
  const busy = new Set();  // what is on its way
  const refused = new Set();  // what the server did not take

  function seats() {
    return [...document.querySelectorAll("[data-commitment]")].map(({ dataset }) => ({ ...dataset, dataset, record: receipts.of(dataset.game, dataset.side) }));
  }

  const seat = () => seats()[0];

  async function send(here, what, fields) {
    const body = new URLSearchParams({ as: here.side, ...fields });
    const headers = { "X-Form-Token": one("meta[name=form-token]").content, "HX-Request": "true" };
    return fetch(`/table/${here.game}/${what}`, { method: "POST", body, headers });
  }

  const taken = (answer) => answer.status === 204;  // a refusal is a page with words, as everywhere

  /* Do something once at a time; what could not be done is tried again with the next news. */
  async function once(what, deed) {
    if (busy.has(what)) return;
    busy.add(what);
    try {
      await deed();
    } catch {
      /* the server cannot be reached just now */
    } finally {
      busy.delete(what);
    }
  }

  /* --- nonces and receipts of answers: <form data-deed="answer-12"> --- */

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail, deed = ctx.request.form?.dataset.deed, here = deed && seat();
    if (!here || (ctx.request.body.get("do") ?? "confirm") !== "confirm") return;  // nothing is decided yet
    ctx.deed = deed;  // the form may be that of the next question when the reply comes
    ctx.request.body.set("nonce", here.record.nonce(deed));
    busy.add(deed);
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail, receipt = ctx.deed && ctx.response?.headers.get(RECEIPT);
    if (receipt) seat()?.record.take(ctx.deed, ctx.request.body.get("nonce"), receipt);
  });

  document.addEventListener("htmx:finally:request", (event) => {
    const here = busy.delete(event.detail.ctx.deed) && seat();
    if (here) settle(here);
  });

  /* An answer whose receipt got lost on the way: if the page does not ask for it any more, it was taken, or never will
     be; then it is not asked about twice. */
  function settle(here) {
    const open = Object.entries(here.record.now().nonces)
      .filter(([deed, nonce]) => !refused.has(nonce) && !one(`form[data-deed="${deed}"]`));
    const plan = here.record.planWithMore(Number(here.given ?? Infinity));
    if (plan) open.push(["later", plan]);
    return Promise.all(open.map(([deed, nonce]) => once(deed, async () => {
      const answer = await send(here, "receipt", { nonce });
      if (taken(answer)) here.record.take(deed, nonce, answer.headers.get(RECEIPT));
      else refused.add(nonce);
    })));
  }

  /* --- bytes of one's own, when one sits down: the same ones until there is a receipt for them --- */

  function contribute(here) {
    here.record.see(here.commitment);
    const { contribution } = here.record.now();
    if (here.contributed === "yes" && (!contribution || refused.has(contribution))) return;
    once(`contribute-${here.side}`, async () => {
      const bytes = here.record.contribution();
      const answer = await send(here, "contribute", { contribution: bytes });
      if (!taken(answer)) return void refused.add(bytes);
      here.record.contributed(bytes, answer.headers.get(RECEIPT));
      here.dataset.contributed = "yes";  // until the next news say so
    });
  }

  /* --- fresh bytes for rolls --- */

  const told = new Set();  // what this connection's server has

  function reveal(here) {
    if (told.has(here.pledge)) return;
    once("dice", async () => {
      const bytes = here.record.bytesFor(here.pledge, here.reveal);
      if (!bytes) return;
      const answer = await send(here, "reveal", { reveal: bytes, receipt: here.reveal, pledge: here.record.pledge() });
      if (taken(answer)) told.add(here.pledge);
    });
  }

  function pledge(here) {
    once("dice", async () => {
      const mark = here.record.pledge();
      if (taken(await send(here, "pledge", { pledge: mark }))) here.dataset.pledge = mark;  // until the next news say so
    });
  }

  /* A promise of another browser of the same seat is replaced when this one connects, and not again: else two of them
     would replace each other's for ever. */
  let fresh = false;
  document.addEventListener("htmx:sse:after:connection", () => {
    fresh = true;
    told.clear();  // a server that was started again may have forgotten them
  });
  document.addEventListener("htmx:sse:after:message", () => {
    const here = seat();
    if (!here) return;
    contribute(here);
    settle(here);
    if (!("pledge" in here)) return;  // nothing is asked of this seat
    if (here.reveal) reveal(here);
    else if (!here.pledge || (fresh && !(here.pledge in here.record.now().pledges))) pledge(here);
    fresh = false;
  });

  /* --- the page Dice and proof --- */

  const counted = (number) => `${number} receipt${number === 1 ? "" : "s"}`;

  function download(place, game, side) {
    const button = one("button", place);
    button.hidden = false;
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([receipts.of(game, side).file()], { type: "application/json" }));
      link.download = `receipts-${game}-${side}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }

  function say(place, words, faults = []) {
    one(".said", place).textContent = words;
    one(".faults", place).replaceChildren(...faults.map((fault) => {
      const line = document.createElement("li");
      line.className = "wrong";
      line.textContent = fault;
      return line;
    }));
  }

  async function prove(place) {
    const { game, side, name, save } = place.dataset;
    if (save) await settle({ game, side, record: receipts.of(game, side) });
    const record = receipts.of(game, side).now(), number = record.kept.length;
    if (!number) return say(place, `This browser keeps no receipts for ${name}.`);
    download(place, game, side);
    if (!save) return say(place, `This browser keeps ${counted(number)} for ${name}.`);
    const answer = await fetch(save);
    if (!answer.ok) throw new Error(String(answer.status));
    const text = await answer.text(), faults = receipts.faults(record, side, text), late = receipts.late(record, text);
    place.classList.toggle("wrong", faults.length > 0);
    if (faults.length) return say(place, `This browser’s ${counted(number)} do not all match the game.`, faults);
    const match = number === 1 ? "matches" : "all match", rolls = late === 1 ? "One roll" : `${late} rolls`;
    return say(place, `This browser’s ${counted(number)} ${match} the game.`
      + (late ? ` ${rolls} did not wait for its fresh bytes.` : ""));
  }

  function begin() {
    seats().forEach(contribute);
    for (const place of document.querySelectorAll(".receipts")) {
      prove(place).catch(() => say(place, "The game could not be read just now. Reload this page to try again."));
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
