// The playground: connects the editor, the settings, the linter and what they show.
import * as editor from "./editor.js";
import * as findings from "./findings.js";
import * as releases from "./releases.js";
import { ask, load } from "./linter.js";
import { element } from "./element.js";
import { examples } from "./examples.js";
import { preview } from "./preview.js";
import { fromFragment, toFragment } from "./share.js";

const at = (id) => document.getElementById(id);
const target = at("target");
const gates = at("gates");

// How long the text must stay the same before it is checked, in ms.
const pause = 120;

// Both ends are known without kubevet, so that a link can set the target at once.
const oldest = 16;
const newest = 37;
const everything = `1.${oldest}..1.${newest}`;

let about; // what kubevet says about itself; undefined until it is loaded
let loading = false;
let timer;
let changes = 0;
let found = []; // {…finding, place}

const question = () => ({ text: editor.value(), target: target.value, gates: gates.value });

function fail(text) {
  at("failure").textContent = text;
  at("failure").hidden = text === "";
}

async function begin() {
  if (about || loading) return;
  loading = true;
  fail("");
  at("load").disabled = true;
  const bar = at("progress");
  bar.hidden = false;
  try {
    await load((done, all) => {
      if (all > 0) {
        bar.max = all;
        bar.value = done;
      }
      at("load-note").textContent = `Loading: ${(done / 1e6).toFixed(1)} MB${all > 0 ? ` of ${(all / 1e6).toFixed(1)} MB` : ""}`;
    });
    about = await ask({ do: "about" });
  } catch (e) {
    fail(e.message);
    at("load").disabled = false;
    at("load-note").textContent = "";
    bar.hidden = true;
    loading = false;
    return;
  }
  at("start").hidden = true;
  releases.show(about.releases, choose);
  await check();
}

// choose makes a release the target.
function choose(release) {
  target.value = release;
  changed();
}

function changed() {
  changes++;
  at("shared").hidden = true;
  if (!about) return;
  releases.clear();
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

async function check() {
  const mine = ++changes;
  const asked = question();
  const last = target.value.split("..").at(-1);
  releases.move(last);
  try {
    const result = await ask({ ...asked, do: "lint" }, true);
    if (mine !== changes) return;
    fail("");
    problem("");
    show(result);
    await releases.update(asked, result.server);
  } catch (e) {
    if (mine !== changes) return;
    if (e.about === "gates") problem(e.message);
    else fail(e.message);
  }
}

function problem(text) {
  at("gates-error").textContent = text;
  at("gates-error").hidden = text === "";
  gates.setAttribute("aria-invalid", text !== "");
}

function show({ report, places, server }) {
  found = report.findings.map((f, i) => ({ ...f, place: places[i] }));
  at("results").hidden = false;
  findings.show(found, about.rules, (i) => editor.select(found[i].place), (i) => fix({ finding: i + 1, all: true }, found[i].fix), report.summary.target);
  findings.note(report.summary);
  editor.underline(found.map((f) => ({ ...f.place, severity: f.severity, message: f.message })));
  const safe = found.filter((f) => f.fix?.safe).length;
  const all = found.filter((f) => f.fix).length;
  at("fix-safe").hidden = safe === 0;
  at("fix-safe").textContent = safe === 1 ? "Fix 1 finding" : `Fix ${safe} findings`;
  at("fix-all").hidden = all === safe;
  at("fix-all").textContent = all === 1 ? "Fix 1 finding, with review" : `Fix ${all} findings, with review`;
  at("server-title").textContent = `Answer of Kubernetes ${server.release}`;
  at("server").textContent = server.text;
}

// fix shows what fixes change, and changes it.
async function fix(which, one) {
  const mine = changes;
  try {
    const fixed = await ask({ ...question(), ...which, do: "fix" }, true);
    if (mine !== changes) return;
    const review = one ? !one.safe : which.all;
    if (await preview(fixed, one?.message, review)) {
      editor.set(fixed.text);
      changed();
    }
  } catch (e) {
    fail(e.message);
  }
}

async function share() {
  const note = at("share-note");
  at("shared").hidden = false;
  try {
    const fragment = await toFragment(question());
    history.replaceState(null, "", `#${fragment}`);
    at("link").hidden = false;
    at("link").value = location.href;
    at("link").select();
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    note.textContent = `${copied ? "The link is copied." : "Copy the link."} It contains the text. Browsers do not send the part behind # to servers.`;
  } catch (e) {
    at("link").hidden = true;
    note.textContent = e.message;
  }
}

// open shows what the address has.
async function open() {
  let state;
  try {
    state = await fromFragment(location.hash.slice(1));
  } catch (e) {
    fail(e.message);
  }
  if (!state) return;
  fail("");
  editor.put(state.text);
  if ([...target.options].some((o) => o.value === state.target)) target.value = state.target;
  gates.value = state.gates;
  changed();
}

function here(offset) {
  const indexes = found.flatMap((f, i) => (f.place.start <= offset && offset <= f.place.end ? [i] : []));
  findings.highlight(indexes);
  at("here").textContent = indexes.map((i) => `${found[i].severity}: ${found[i].message}`).join("\n");
}

for (let minor = newest; minor >= oldest; minor--) target.append(element("option", {}, `1.${minor}`));
target.append(element("option", { value: everything }, `all: 1.${oldest} to 1.${newest}`));
for (const name of Object.keys(examples)) at("example").append(element("option", {}, name));

editor.onInput(changed);
editor.onceFocused(begin);
editor.onMove(here);
at("load").addEventListener("click", begin);
at("settings").addEventListener("submit", (e) => e.preventDefault());
target.addEventListener("change", changed);
gates.addEventListener("input", changed);
at("share").addEventListener("click", share);
at("fix-safe").addEventListener("click", () => fix({ all: false }));
at("fix-all").addEventListener("click", () => fix({ all: true }));
at("example").addEventListener("change", () => {
  const example = examples[at("example").value];
  if (!example) return;
  target.value = example.target;
  gates.value = example.gates ?? "";
  editor.set(example.text);
  at("example").value = "";
  begin();
  changed();
});
window.addEventListener("hashchange", open);
open();
