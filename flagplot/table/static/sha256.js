/* SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers have their own for pages that came over https; a table in one's own
   house is served over http, where they hide it. */
const hashing = (() => {
  "use strict";

  const rotated = (word, by) => (word >>> by) | (word << (32 - by));
  const fraction = (number) => (number - Math.floor(number)) * 2 ** 32 | 0;
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);
  const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

  function padded(bytes) {
    const whole = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64);
    whole.set(bytes);
    whole[bytes.length] = 128;
    const view = new DataView(whole.buffer);
    view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(whole.length - 4, bytes.length << 3);
    return view;
  }

  function schedule(view, at, words) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) {
        words[i] = view.getInt32(at + 4 * i);
      } else {
        const early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + words[i - 7]
          + (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) + (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10));
      }
    }
  }

  function sha256(bytes) {
    const view = padded(bytes), words = new Int32Array(64), state = Int32Array.from(START);
    for (let at = 0; at < view.byteLength; at += 64) {
      schedule(view, at, words);
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i];
        const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
    }
    const found = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => found.setInt32(4 * i, word));
    return new Uint8Array(found.buffer);
  }

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    return sha256(joined(block.map((byte) => byte ^ 0x5c), sha256(joined(block.map((byte) => byte ^ 0x36), message))));
  }

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const random = (count) => hex(crypto.getRandomValues(new Uint8Array(count)));

  return {
    random,
    ofText: (text) => hex(sha256(utf8(text))),
    ofBytes: (text) => hex(sha256(unhex(text))),
    receipt: (secret, line) => hex(hmac(utf8(secret), utf8(`receipt/${line}`))),
    hmac: (key, text) => hex(hmac(utf8(key), utf8(text))),
  };
})();
