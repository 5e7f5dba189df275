"use strict";
// page has what all reports share. The reports' own scripts follow and use it.
const page = (() => {
const svgSpace = "http://www.w3.org/2000/svg";

// make makes an element. Texts come from strangers: they become text nodes and
// attribute values, never markup.
function make(name, attributes, ...children) { return fill(document.createElement(name), attributes, children); }
function svg(name, attributes, ...children) { return fill(document.createElementNS(svgSpace, name), attributes, children); }
function fill(element, attributes, children) {
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  for (const child of children) element.append(child);
  return element;
}
const count = (n) => n.toLocaleString("en-US");
const plural = (n, what) => count(n) + " " + (n === 1 ? what : what.replace(/([^aeiou])y$/, "$1ie") + "s");
const cut = (s, n) => { const c = Array.from(s); return c.length > n ? c.slice(0, n - 1).join("") + "…" : s; };
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// soft allows lines to break inside long words, after punctuation, as the function
// of the same name in text.go does.
function soft(text) {
  const out = document.createDocumentFragment();
  for (const word of text.split(/(?<= )/)) {
    const chars = Array.from(word);
    if (chars.length <= 24) { out.append(word); continue; }
    let run = "", n = 0;
    chars.forEach((c, i) => {
      run += c;
      n++;
      if (i < chars.length - 5 && (n >= (c === "." ? 28 : 4) && "/:.-_@,;=|)]}".includes(c) && !(".-".includes(c) && /\d/.test(chars[i + 1])) || n >= 48)) { out.append(run, make("wbr")); run = ""; n = 0; }
    });
    out.append(run);
  }
  return out;
}

// later runs something when typing has stopped for a moment.
function later(what) {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(what, 120); };
}

// The state is in the fragment of the address: no server learns it. A fragment
// without "=" is a place in the page.
const values = new Map(), listeners = [];
function read() {
  values.clear();
  const text = location.hash.slice(1);
  if (text.includes("=")) for (const [key, value] of new URLSearchParams(text)) if (value) values.set(key, value);
}
const state = {
  get: (key) => values.get(key) || "",
  // set changes values without telling the listeners.
  set(changes) {
    for (const key in changes) if (changes[key]) values.set(key, changes[key]); else values.delete(key);
    const text = new URLSearchParams([...values].sort()).toString().replaceAll("%2C", ",");
    history.replaceState(null, "", "#" + text);
  },
  // change changes values and tells the listeners.
  change(changes) { state.set(changes); apply(); },
  listen(f) { listeners.push(f); },
};
function apply() {
  for (const c of controls) show(c);
  for (const f of listeners) f();
}

// Controls are elements that show and change a value of the state.
const controls = all("[data-state]");
function show(c) {
  const value = state.get(c.dataset.state);
  if (c.type === "radio") c.checked = value ? c.value === value : c.defaultChecked;
  else if (c.type === "checkbox") c.checked = value.split(",").includes(c.value);
  else if (c !== document.activeElement || c.value.trim() !== value) c.value = value;
}
function take(c) {
  const key = c.dataset.state;
  if (c.type === "radio") state.change({ [key]: c.defaultChecked ? "" : c.value });
  else if (c.type === "checkbox") state.change({ [key]: controls.filter((x) => x.dataset.state === key && x.checked).map((x) => x.value).join(",") });
  else state.change({ [key]: c.value.trim() });
}
for (const c of controls) {
  if (c.type === "search") c.addEventListener("input", later(() => take(c)));
  else c.addEventListener("change", () => take(c));
}

// go shows a place of the page without losing the state.
function go(id) {
  const to = document.getElementById(id);
  if (!to) return;
  for (let d = to.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  if (to.tagName === "DETAILS") to.open = true;
  to.scrollIntoView();
}
document.addEventListener("click", (e) => {
  const set = e.target.closest("[data-set]"), link = e.target.closest("a[href^='#']");
  if (set) state.change(Object.fromEntries(new URLSearchParams(set.dataset.set)));
  if (link && (set || values.size)) { e.preventDefault(); go(link.getAttribute("href").slice(1)); }
});

// Buttons.
for (const e of all("[data-scripted]")) e.hidden = false;
for (const b of all("[data-print]")) b.addEventListener("click", () => print());
for (const b of all("[data-share]")) b.addEventListener("click", async () => {
  const title = b.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    b.textContent = "Link copied";
  } catch {
    const box = make("input", { readonly: "", "aria-label": "Link to this view", value: location.href });
    b.after(box);
    box.select();
    b.textContent = "Copy it from here:";
  }
  setTimeout(() => { b.textContent = title; }, 3000);
});

// On paper nobody can unfold anything.
let opened = [];
addEventListener("beforeprint", () => {
  opened = all("main details:not([open], .fold:not([data-unfold]))").filter((d) => !d.closest("details.fold:not([open], [data-unfold]), [hidden]"));
  for (const d of opened) d.open = true;
});
addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

// Tables: wide ones scroll in a box of their own, the others have headings that
// stay below the bar.
const bar = document.querySelector(".bar"), root = document.documentElement;
const watch = new ResizeObserver((list) => requestAnimationFrame(() => {
  for (const { target } of list) {
    if (target === bar) root.style.setProperty("--bar", (getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0) + "px");
    else fit(target);
  }
}));
function fit(box) { box.classList.toggle("fits", box.firstElementChild.scrollWidth <= box.clientWidth + 1); }
function boxed(box) { watch.observe(box); fit(box); }
if (bar) watch.observe(bar);
for (const box of all(".scroll")) if (box.querySelector("table")) boxed(box);

const collator = new Intl.Collator("en", { numeric: true });
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], rows = [...body.rows], key = "sort-" + table.id;
  const value = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  heads.forEach((h, i) => {
    const button = make("button", { type: "button" }, ...h.childNodes);
    button.addEventListener("click", () => {
      const now = state.get(key), up = String(i + 1), down = "-" + up, first = h.classList.contains("number") ? down : up;
      state.change({ [key]: now === first ? (first === up ? down : up) : first });
    });
    h.replaceChildren(button);
  });
  state.listen(() => {
    const by = Number(state.get(key)) || 0, i = Math.abs(by) - 1;
    heads.forEach((h, j) => { if (by && i === j) h.setAttribute("aria-sort", by < 0 ? "descending" : "ascending"); else h.removeAttribute("aria-sort"); });
    const order = by && heads[i] ? rows.slice().sort((a, b) => Math.sign(by) * collator.compare(value(a, i), value(b, i)) || rows.indexOf(a) - rows.indexOf(b)) : rows;
    if (order.some((r, j) => r !== body.rows[j])) body.append(...order);
  });
}
for (const t of all("table[data-sortable]")) sortable(t);

// Units are the entries of groups. They can be searched, filtered, ticked off, and
// grouped by any of their properties.
const worst = ["must", "error", "should", "warning", "already", "info", "preview"];
const units = all(".unit").map((el) => ({ el, id: el.dataset.id, list: el.parentElement, group: el.closest(".group"), part: el.closest(".part") }));
for (const u of units) u.level = u.group.dataset.level;
const words = (u) => (u.text ??= (u.group.querySelector(".head").textContent + "\n" + (u.group.querySelector(".remedy")?.textContent || "") + "\n" + u.el.textContent + "\n" + (u.el.dataset.text || "")).toLowerCase());

function brief(u) {
  if (u.brief) return;
  u.brief = make("span", { class: "what" });
  for (const x of all("[data-brief]", u.group)) u.brief.append(x.cloneNode(true), " ");
  u.el.querySelector(".who").before(u.brief);
}
let grouped = "";
function regroup(by) {
  if (by === grouped) return;
  grouped = by;
  for (const other of all(".groups.other")) other.remove();
  const parts = new Map();
  for (const u of units) {
    u.list.append(u.el);
    u.now = u.group;
    if (!parts.has(u.part)) parts.set(u.part, new Map());
    const groups = parts.get(u.part), key = u.el.dataset[by] ?? "";
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(u);
  }
  for (const [part, groups] of parts) {
    const home = part.querySelector(".groups");
    home.hidden = by !== "";
    if (!by) continue;
    const other = make("div", { class: "groups other" });
    const rank = (list) => Math.min(...list.map((u) => worst.indexOf(u.level)));
    for (const list of [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.length - a.length)) {
      const level = worst[rank(list)] || "", label = list[0].el.dataset[by + "Label"] ?? list[0].el.dataset[by];
      const box = make("ul", {}), group = make("article", { class: "group " + level, "data-level": level },
        make("div", { class: "head" }, make("h4", {}, soft(label)), make("span", { class: "meta" }, plural(list.length, part.dataset.unit || "entry"))),
        fill(make("details", { class: "units" }), list.length <= 12 ? { open: "" } : {}, [make("summary", {}, "What to do"), box]));
      for (const u of list) { brief(u); box.append(u.el); u.now = group; }
      other.append(group);
    }
    home.after(other);
  }
}

function filter() {
  regroup(state.get("by"));
  const find = state.get("q").toLowerCase().split(/\s+/).filter(Boolean), levels = state.get("level").split(",").filter(Boolean);
  const keys = ["owner", "rule", "file", "category", "news"].filter((k) => state.get(k));
  const done = new Set(state.get("done").split(",")), hide = state.get("hide") === "done", narrow = find.length > 0 || keys.length > 0;
  const groups = new Map(), parts = new Map();
  let shown = 0, ticked = 0, toTick = 0;
  for (const u of units) {
    const isDone = done.has(u.id), box = u.el.querySelector("input[data-done]");
    if (box) {
      box.checked = isDone;
      u.el.classList.toggle("done", isDone);
      if (u.level === "must") { toTick++; if (isDone) ticked++; }
    }
    const visible = (!levels.length || levels.includes(u.level)) && keys.every((k) => state.get(k).split(",").includes(u.el.dataset[k])) && !(hide && isDone) && find.every((w) => words(u).includes(w));
    u.el.hidden = !visible;
    shown += visible;
    groups.set(u.now ?? u.group, (groups.get(u.now ?? u.group) || 0) + visible);
    parts.set(u.part, (parts.get(u.part) || 0) + visible);
  }
  for (const [g, n] of groups) {
    g.hidden = !n;
    if (g.closest(".other")) g.querySelector(".meta").textContent = plural(n, g.closest(".part").dataset.unit || "entry");
    if (n && narrow) g.querySelector(".units").open = true;
  }
  for (const [p, n] of parts) {
    p.classList.toggle("nothing", !n);
    const fold = p.closest("details.fold");
    if (fold && n && (narrow || levels.length)) fold.open = true;
    let note = p.querySelector(":scope > .empty");
    if (!n && !note) p.append(note = make("p", { class: "empty" }, "Nothing here matches the filters."));
    if (note) note.hidden = n > 0;
  }
  for (const e of all("[data-shown]")) e.textContent = shown === units.length ? plural(shown, e.dataset.shown) : count(shown) + " of " + plural(units.length, e.dataset.shown) + " shown";
  for (const e of all("[data-clear]")) e.hidden = !(narrow || levels.length || hide);
  for (const e of all("[data-progress]")) { e.querySelector("progress").value = ticked; e.querySelector("span").textContent = count(ticked) + " of " + count(toTick) + " done"; }
}
if (units.length) {
  state.listen(filter);
  document.addEventListener("change", (e) => {
    const id = e.target.dataset?.done;
    if (!id) return;
    const done = new Set(state.get("done").split(",").filter(Boolean));
    if (e.target.checked) done.add(id); else done.delete(id);
    state.change({ done: [...done].sort().join(",") });
  });
  for (const b of all("[data-clear]")) b.addEventListener("click", () => state.change({ q: "", level: "", owner: "", rule: "", file: "", category: "", news: "", hide: "" }));
}

addEventListener("hashchange", () => { if (location.hash.includes("=")) { read(); apply(); } });
read();
// The reports' own scripts add their listeners first.
setTimeout(apply);
return { make, svg, fill, count, plural, cut, soft, later, state, boxed, fit, all };
})();
