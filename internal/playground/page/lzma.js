// Unpacks a file of the format .lzma with a known size. Browsers unpack only gzip, with
// which kubevet is half as large again.
// The format: https://github.com/jljusten/LZMA-SDK/blob/master/DOC/lzma-specification.txt
"use strict";

// The most bytes that a file may unpack to.
const maxUnpackedLZMA = 256 << 20;

function unpackLZMA(input) {
  const header = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const size = header.getUint32(5, true);
  if (input[0] >= 9 * 5 * 5 || header.getUint32(9, true) !== 0 || size > maxUnpackedLZMA) throw new Error("not an .lzma file");
  const lc = input[0] % 9;
  const lp = Math.floor(input[0] / 9) % 5;
  const pb = Math.floor(input[0] / 45);
  const out = new Uint8Array(size);

  // The range decoder. Its numbers have 32 bits, and those in a typed array stay so.
  const state = new Uint32Array([0xffffffff, header.getUint32(14)]);
  let from = 18;
  const normalize = () => {
    if (state[0] < 0x1000000) {
      state[0] <<= 8;
      state[1] = (state[1] << 8) | input[from++];
    }
  };
  const bit = (odds, i) => {
    const p = odds[i];
    const bound = (state[0] >>> 11) * p;
    if (state[1] < bound) {
      state[0] = bound;
      odds[i] = p + ((2048 - p) >> 5);
      normalize();
      return 0;
    }
    state[0] -= bound;
    state[1] -= bound;
    odds[i] = p - (p >> 5);
    normalize();
    return 1;
  };
  const direct = (n) => {
    let value = 0;
    for (; n > 0; n--) {
      state[0] >>>= 1;
      const one = state[1] >= state[0] ? 1 : 0;
      if (one) state[1] -= state[0];
      normalize();
      value = (value << 1) | one;
    }
    return value >>> 0;
  };
  const tree = (odds, at, bits) => {
    let m = 1;
    for (let i = 0; i < bits; i++) m = (m << 1) | bit(odds, at + m);
    return m - (1 << bits);
  };
  const reversed = (odds, at, bits) => {
    let m = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const b = bit(odds, at + m);
      m = (m << 1) | b;
      value |= b << i;
    }
    return value;
  };

  const even = (n) => new Uint16Array(n).fill(1024);
  const literals = even(0x300 << (lc + lp));
  const isMatch = even(12 << 4);
  const isRep = even(12), isRep0 = even(12), isRep1 = even(12), isRep2 = even(12);
  const isLongRep0 = even(12 << 4);
  const slots = even(4 << 6);
  const ends = even(1 + 128 - 14);
  const align = even(16);
  const lengths = () => ({ choice: even(2), low: even(16 << 3), mid: even(16 << 3), high: even(256) });
  const matches = lengths(), reps = lengths();
  const length = (l, place) => {
    if (bit(l.choice, 0) === 0) return tree(l.low, place << 3, 3);
    if (bit(l.choice, 1) === 0) return 8 + tree(l.mid, place << 3, 3);
    return 16 + tree(l.high, 0, 8);
  };

  let kind = 0; // of what was decoded last
  let rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
  let to = 0;

  const literal = () => {
    const before = to > 0 ? out[to - 1] : 0;
    const at = 0x300 * (((to & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
    let symbol = 1;
    if (kind >= 7) {
      let match = out[to - rep0 - 1];
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1;
        match <<= 1;
        const b = bit(literals, at + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | b;
        if (expected !== b) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, at + symbol);
    out[to++] = symbol;
    kind = kind < 4 ? 0 : kind < 10 ? kind - 3 : kind - 6;
  };
  const distance = (len) => {
    const slot = tree(slots, Math.min(len, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + reversed(ends, base - slot, bits);
    return (base >>> 0) + direct(bits - 4) * 16 + reversed(align, 0, 4);
  };

  while (to < size) {
    if (from > input.length) throw new Error("the file is cut off");
    const place = to & ((1 << pb) - 1);
    if (bit(isMatch, (kind << 4) + place) === 0) {
      literal();
      continue;
    }
    let len;
    if (bit(isRep, kind) === 0) {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      len = length(matches, place);
      kind = kind < 7 ? 7 : 10;
      rep0 = distance(len);
    } else {
      if (bit(isRep0, kind) === 0) {
        if (bit(isLongRep0, (kind << 4) + place) === 0) {
          kind = kind < 7 ? 9 : 11;
          if (rep0 >= to) throw new Error("the file is damaged");
          out[to] = out[to - rep0 - 1];
          to++;
          continue;
        }
      } else {
        let found;
        if (bit(isRep1, kind) === 0) {
          found = rep1;
        } else {
          if (bit(isRep2, kind) === 0) {
            found = rep2;
          } else {
            found = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = found;
      }
      len = length(reps, place);
      kind = kind < 7 ? 8 : 11;
    }
    len = Math.min(len + 2, size - to);
    if (rep0 >= to) throw new Error("the file is damaged");
    for (const end = to + len; to < end; to++) out[to] = out[to - rep0 - 1];
  }
  return out;
}
