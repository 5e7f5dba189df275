// The slider over the releases, with the answer of each one.
import { element } from "./element.js";
import { ask } from "./linter.js";

const slider = document.getElementById("slider");
const marks = document.getElementById("marks");
const states = document.getElementById("states");

const signs = { accepted: "✓", warned: "!", rejected: "✕", unknown: "?", empty: "–" };
const words = { accepted: "accepted", warned: "accepted with warnings", rejected: "rejected", unknown: "not known", empty: "nothing to check" };

let releases = [];
let chosen = () => {};
let known = new Map(); // by release
let pass = 0;

// show makes the slider for releases. choose is called with the one that the user wants.
export function show(all, choose) {
  releases = all;
  document.getElementById("releases").hidden = false;
  chosen = choose;
  slider.max = all.length - 1;
  slider.disabled = false;
  marks.replaceChildren(...all.map((release) => {
    const mark = element("span", { title: release, onclick: () => choose(release) }, element("b", {}), release.replace(/^1\./, ""));
    mark.dataset.release = release;
    return mark;
  }));
  slider.addEventListener("input", () => choose(releases[slider.value]));
}

// move moves the slider to a release.
export function move(release) {
  const at = releases.indexOf(release);
  if (at >= 0) slider.value = at;
  for (const mark of marks.children) mark.classList.toggle("chosen", mark.dataset.release === release);
  describe();
}

// clear forgets the answers, because the text changes.
export function clear() {
  pass++;
  for (const mark of marks.children) mark.classList.add("old");
}

// update asks for the answers of all releases. first is what is known of one of them.
export async function update(question, first) {
  const mine = ++pass;
  known = new Map();
  learn(first);
  for (const release of [...releases].reverse()) {
    if (release === first.release) continue;
    const server = await ask({ ...question, do: "server", target: release });
    if (mine !== pass) return;
    learn(server);
  }
  states.textContent = summary();
}

function learn(server) {
  known.set(server.release, server.state);
  const mark = [...marks.children].find((m) => m.dataset.release === server.release);
  if (!mark) return;
  mark.className = mark.classList.contains("chosen") ? `${server.state} chosen` : server.state;
  mark.title = `Kubernetes ${server.release}: ${words[server.state]}`;
  mark.firstChild.textContent = signs[server.state];
  describe();
}

// describe says the state at the slider.
function describe() {
  const release = releases[slider.value];
  const state = known.get(release);
  slider.setAttribute("aria-valuetext", state ? `${release}: ${words[state]}` : release);
}

// summary says which releases answer what, in a sentence.
function summary() {
  const spans = [];
  for (const release of releases) {
    const state = known.get(release);
    const last = spans.at(-1);
    if (last?.state === state) last.to = release;
    else spans.push({ state, from: release, to: release });
  }
  const range = ({ from, to }) => (from === to ? from : `${from} to ${to}`);
  const parts = [];
  for (const state of Object.keys(words)) {
    const mine = spans.filter((s) => s.state === state).map(range);
    if (mine.length > 0) parts.push(`${words[state]}: ${mine.join(", ")}`);
  }
  const text = parts.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
