/* What this browser keeps of a table, for each side that it plays: the fingerprint of the server's secret, the nonces of
   its answers, the bytes it pledged, and the server's receipts; and how they are compared with the finished game. */
const receipts = (() => {
  "use strict";

  const EMPTY = { commitment: "", contribution: "", kept: [], nonces: {}, plan: "", pledges: {} };
  const PLEDGES = 20;  // several windows of one seat may pledge at the same time
  const memory = {};  // where a browser keeps nothing, at least as long as the page is open

  function read(name) {
    try {
      return JSON.parse(localStorage.getItem(name) ?? memory[name] ?? "{}");
    } catch {
      return JSON.parse(memory[name] ?? "{}");
    }
  }

  function write(name, record) {
    memory[name] = JSON.stringify(record);
    try {
      localStorage.setItem(name, memory[name]);
    } catch {
      /* it is full, or switched off */
    }
  }

  /* The nonce of a line of a plan, counted from 0. */
  const line = (nonce, place) => (place ? hashing.ofText(`${nonce}/${place}`).slice(0, 32) : nonce);

  /* The record of one side. Every change reads it anew: other windows change it too. */
  function of(game, side) {
    const name = `flagplot/${game}/${side}`;
    const now = () => ({ ...structuredClone(EMPTY), ...read(name) });
    const change = (deed) => {
      const record = now();
      const found = deed(record);
      write(name, record);
      return found;
    };
    return {
      now,

      see: (commitment) => change((record) => { record.commitment ||= commitment; }),

      contribution: () => change((record) => (record.contribution ||= hashing.random(32))),

      /* One nonce for one deed, however often it has to be sent: else a server could claim that an answer got lost, and
         let it be given again until it likes the dice. */
      nonce: (deed) => change((record) => (record.nonces[deed] ??= hashing.random(16))),

      /* What was done with a nonce, with the receipts of its lines: a plan has several, whose nonces follow from the one
         that was drawn for it. */
      take: (deed, nonce, receipts) => change((record) => {
        if (record.nonces[deed] === nonce) delete record.nonces[deed];
        if (deed.startsWith("plan-")) record.plan = nonce;
        (receipts ?? "").split(",").filter(Boolean).forEach((receipt, place) => {
          const own = line(nonce, place);
          if (!record.kept.some((one) => one.nonce === own)) record.kept.push({ nonce: own, receipt });
        });
      }),

      /* The nonce of the last plan if it has more lines by now than there are receipts: its orders ahead were given. */
      planWithMore: (lines) => {
        const { kept, plan } = now();
        let known = 0;
        while (plan && kept.some((one) => one.nonce === line(plan, known))) known += 1;
        return known < lines ? plan : "";
      },

      /* Whoever sits down again adds others. */
      contributed: (bytes, receipt) => change((record) => {
        record.contribution = "";
        if (receipt && !record.kept.some((one) => one.contribute === bytes)) record.kept.push({ contribute: bytes, receipt });
      }),

      pledge: () => change((record) => {
        const bytes = hashing.random(32), mark = hashing.ofBytes(bytes);
        record.pledges[mark] = bytes;
        for (const old of Object.keys(record.pledges).slice(0, -PLEDGES)) delete record.pledges[old];
        return mark;
      }),

      /* The bytes of a pledge if they may be told: for one answer, by its receipt, and for no other, and no others for
         that answer. Else a server could claim that they got lost, change its own answer and ask again. That they were
         told is kept at once: a server that says it did not get them knows them all the same. */
      bytesFor: (mark, before) => change((record) => {
        const bytes = record.pledges[mark];
        const told = record.kept.find((one) => one.reveal && (one.reveal === bytes || one.before === before));
        if (!bytes || (told && (told.reveal !== bytes || told.before !== before))) return undefined;
        if (!told) record.kept.push({ reveal: bytes, before });
        return bytes;
      }),

      file: () => {
        const { commitment, kept } = now();
        return JSON.stringify({ flagplot: "receipts", game, side, commitment, kept }, null, 1);
      },
    };
  }

  /* --- comparing with the finished game --- */

  const SEAL = /,"hash":"([0-9a-f]{64})"\}$/;

  /* The lines of a save, each with its hash; a fault in words if the chain is broken. */
  function chain(text) {
    const lines = [];
    for (const line of text.trimEnd().split("\n")) {
      const hash = SEAL.exec(line)?.[1];
      const body = hash && JSON.parse(line);
      const before = lines.at(-1);
      if (!hash || hashing.ofText(line.replace(SEAL, "}")) !== hash || body.prev !== before?.hash) {
        return { lines, fault: `Line ${lines.length + 1} of the game was changed: its hash does not fit.` };
      }
      lines.push(body);
    }
    return { lines, fault: "" };
  }

  const ACT = (line) => "choose" in line || "undo" in line;

  function answerBefore(lines, place) {
    let at = place - 1;
    while (at > 0 && !ACT(lines[at])) at -= 1;
    return lines[at];
  }

  /* Why a receipt does not match, in words; nothing if it does. */
  function mismatch(one, side, lines, secret) {
    if (one.reveal) return mismatchOfBytes(one, side, lines, secret);
    const [key, what, is] = one.nonce ? ["nonce", "your answer", "is"] : ["contribute", "the bytes you added to the dice", "are"];
    const line = lines.find((each) => each[key] === one[key]);
    if (!line) return `the server took ${what}, but the game does not have ${is === "is" ? "it" : "them"}`;
    if (line.side !== side && line.consent !== side) return `${what} ${is} in the game for another side`;
    if (hashing.receipt(secret, line.hash) === one.receipt) return "";
    return `${what}, or something earlier in the game, changed after the server took ${is === "is" ? "it" : "them"}`;
  }

  /* After the answer that they were told for stand the bytes, or that they came too late. */
  function mismatchOfBytes(one, side, lines, secret) {
    const pledge = hashing.ofBytes(one.reveal);
    const place = lines.findIndex((line) => line.side === side && (line.reveal === one.reveal || line.skip === pledge));
    if (place < 0) return "this browser told its fresh bytes, but the game neither has them nor says that they came too late";
    const fits = hashing.receipt(secret, answerBefore(lines, place).hash) === one.before;
    return fits ? "" : "the answer that called for the dice changed after the server had this browser’s fresh bytes";
  }

  /* How often the bytes that this browser told are said to have come too late. */
  function late(record, text) {
    const skipped = new Set(chain(text).lines.map((line) => line.skip));
    return record.kept.filter((one) => one.reveal && skipped.has(hashing.ofBytes(one.reveal))).length;
  }

  /* All that does not match, in sentences; nothing if all is well. */
  function faults(record, side, text) {
    const { lines, fault } = chain(text);
    if (fault) return [fault];
    const secret = lines.at(-1).secret ?? "";
    const found = [];
    if (lines[0].dice?.commitment !== hashing.ofText(secret)) found.push("The opened secret does not fit the fingerprint in the game.");
    if (record.commitment && lines[0].dice?.commitment !== record.commitment) {
      found.push("The fingerprint in the game is not the one that this browser saw at the start.");
    }
    record.kept.forEach((one, place) => {
      const words = mismatch(one, side, lines, secret);
      if (words) found.push(`Receipt ${place + 1}: ${words}.`);
    });
    const silent = Object.values(record.nonces ?? {}).filter((nonce) => lines.some((line) => line.nonce === nonce));
    if (silent.length) found.push(`The game has ${silent.length} of your answers for which the server gave no receipt.`);
    return found;
  }

  return { of, faults, late };
})();
