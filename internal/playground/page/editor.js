// A text area with line numbers, above a layer that underlines findings. The layer has
// the same text in the same font, so that both have the same places.
import { element } from "./element.js";

const text = document.getElementById("text");
const under = document.getElementById("under");
const numbers = document.getElementById("numbers");
const pane = text.parentElement;

// The most findings that are underlined. Each splits the layer.
const maxUnderlined = 1000;

let spans = []; // [element, place]
let marked = ""; // the text with the underlines
let lines = 0;

export const value = () => text.value;
export const focus = () => text.focus();

// onInput calls changed after each change of the text.
export function onInput(changed) {
  text.addEventListener("input", () => {
    underline(moved(spans.map(([, place]) => place)));
    changed();
  });
}

// onceFocused calls focused when the text area gets the focus first.
export function onceFocused(focused) {
  text.addEventListener("focus", focused, { once: true });
}

// onMove calls moved with the offset of the cursor.
export function onMove(moved) {
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === text) moved(text.selectionStart);
  });
}

// put replaces the text without the focus, as when the page opens.
export function put(next) {
  text.value = next;
  text.dispatchEvent(new Event("input"));
}

// set replaces the text as one change that the user can undo.
export function set(next) {
  const old = text.value;
  if (old === next) return;
  const { from, cut } = difference(old, next);
  text.focus();
  text.setSelectionRange(from, old.length - cut);
  const insert = next.slice(from, next.length - cut);
  // Only this command leaves the change to undo, but browsers need long for long texts.
  const done = insert.length < 20_000 && document.execCommand(insert ? "insertText" : "delete", false, insert);
  if (!done || text.value !== next) put(next);
  text.setSelectionRange(from, from);
}

// difference returns how many characters two texts have in common at their beginnings,
// and then at their ends.
function difference(old, next) {
  const most = Math.min(old.length, next.length);
  let from = 0;
  while (from < most && old[from] === next[from]) from++;
  let cut = 0;
  while (cut < most - from && old[old.length - 1 - cut] === next[next.length - 1 - cut]) cut++;
  return { from, cut };
}

// moved returns places of the text before a change as they are now, without those that
// changed.
function moved(places) {
  const { from, cut } = difference(marked, text.value);
  const by = text.value.length - marked.length;
  return places.flatMap((p) => {
    if (p.end <= from) return [p];
    if (p.start >= marked.length - cut) return [{ ...p, start: p.start + by, end: p.end + by }];
    return [];
  });
}

// select shows a place of the text.
export function select({ start, end }) {
  text.focus();
  text.setSelectionRange(start, end);
  const before = text.value.slice(0, start);
  const line = before.split("\n").length - 1;
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, line * height - text.clientHeight / 3);
  const span = spans.find(([, places]) => places.start === start)?.[0];
  const left = span ? span.offsetLeft : 0;
  if (left < text.scrollLeft || left > text.scrollLeft + text.clientWidth * 0.8) text.scrollLeft = Math.max(0, left - text.clientWidth / 3);
}

// underline marks places: [{start, end, severity, message}] of the current text.
export function underline(places) {
  const all = places.slice(0, maxUnderlined).sort((a, b) => a.start - b.start || b.end - a.end);
  const now = text.value;
  const parts = [];
  spans = [];
  let at = 0;
  for (const p of all) {
    if (p.start < at || p.start >= p.end) continue; // inside of another one
    if (p.start > at) parts.push(now.slice(at, p.start));
    const span = element("span", { className: p.severity }, now.slice(p.start, p.end));
    spans.push([span, p]);
    parts.push(span);
    at = p.end;
  }
  parts.push(now.slice(at) + "\n");
  under.replaceChildren(...parts);
  marked = now;
  follow();
}

// follow numbers the lines of the text.
function follow() {
  const count = text.value.split("\n").length;
  if (count !== lines) {
    lines = count;
    numbers.firstChild?.remove();
    numbers.append(element("pre", {}, Array.from({ length: count }, (_, i) => i + 1).join("\n") + "\n"));
  }
  scroll();
}

function scroll() {
  under.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
  if (numbers.firstChild) numbers.firstChild.style.transform = `translateY(${-text.scrollTop}px)`;
}

// The finding below the pointer is the tooltip. The layer is below the text area, and
// has no events of its own.
pane.addEventListener("pointermove", (event) => {
  const at = document.elementsFromPoint(event.clientX, event.clientY);
  const found = spans.find(([span]) => at.includes(span));
  const message = found?.[1].message ?? "";
  if (text.title !== message) text.title = message;
});
text.addEventListener("scroll", scroll);
new ResizeObserver(scroll).observe(text);
follow();
