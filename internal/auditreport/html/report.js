(() => {
const { make, svg, count, plural, cut, soft, later, state, boxed, fit } = page;
const data = JSON.parse(document.getElementById("data").textContent);
const first = 50, step = 200, chunk = 400;
const classes = {
  __proto__: null,
  "rejected already": "gone", "gone at the target": "gone", "removed later": "later", "deprecated": "old", "reads everything": "reads",
  "ongoing": "ongoing", "ended": "ended", "exact": "exact", "partial": "partial", "probable": "probable",
};
// order compares cells of one column. What is not known comes last.
function order(kind) {
  const texts = new Intl.Collator("en", { numeric: true });
  if (kind === "number") return (a, b) => a - b;
  if (kind === "release") return (a, b) => (a === "-") - (b === "-") || texts.compare(a, b);
  if (kind === "time") return (a, b) => (a === b ? 0 : a < b ? -1 : 1);
  if (kind === "list") return (a, b) => texts.compare(a.join(" "), b.join(" "));
  if (kind === "spans") return (a, b) => start(a) - start(b);
  return (a, b) => texts.compare(a, b);
}
const start = (spans) => Math.min(...spans.map((s) => (s.from < 0 ? 2 : s.from)));

function text(cell) {
  if (!Array.isArray(cell)) return String(cell);
  return cell.map((x) => (typeof x === "string" ? x : x.text)).join(" ");
}

// Table is a table that shows its rows as they are wanted.
class Table {
  constructor(sheet) {
    this.sheet = sheet;
    this.box = document.getElementById(sheet.id);
    this.table = this.box.querySelector("table");
    this.body = this.table.tBodies[0];
    this.picks = new Map();
    this.search = "";
    this.own = "";
    this.sorted = -1;
    this.down = false;
    this.open = new Set();
    this.all = sheet.rows.map((_, i) => i);
    this.rows = this.all;
    this.shown = first;
    this.heads();
    this.tools();
    this.more = this.box.querySelector(".beyond") || make("p", { class: "beyond" });
    this.table.parentElement.after(this.more);
    boxed(this.table.parentElement);
    state.listen(() => this.restore());
  }
  // key names a value of the table in the address.
  key(name) { return this.sheet.id + "-" + name; }
  // restore shows the rows that the address asks for.
  restore() {
    const by = Number(state.get(this.key("sort"))) || 0, words = state.get("q").toLowerCase(), own = state.get(this.key("find"));
    let same = this.drawn !== undefined && by === this.by && words === this.search && own.toLowerCase() === this.own;
    this.by = by;
    this.search = words;
    this.own = own.toLowerCase();
    this.sorted = Math.abs(by) - 1;
    this.down = by < 0;
    if (this.input && this.input !== document.activeElement) this.input.value = own;
    for (const [i, p] of this.picks) {
      const value = state.get(this.key("pick" + i));
      same = same && value === p.value;
      p.value = p.select.value = value;
    }
    if (same) return;
    const cells = this.table.tHead.rows[0].cells;
    for (const c of cells) c.removeAttribute("aria-sort");
    cells[this.sorted]?.setAttribute("aria-sort", this.down ? "descending" : "ascending");
    this.arrange();
  }
  heads() {
    const cells = this.table.tHead.rows[0].cells;
    this.sheet.columns.forEach((column, i) => {
      const button = make("button", { type: "button" }, column.title);
      button.addEventListener("click", () => {
        // Numbers are looked at from the largest.
        const down = this.sorted === i ? !this.down : column.kind === "number";
        state.change({ [this.key("sort")]: (down ? "-" : "") + (i + 1) });
      });
      cells[i].replaceChildren(button);
    });
  }
  tools() {
    const tools = make("div", { class: "tools" });
    const id = this.sheet.id;
    if (this.sheet.rows.length > 5) {
      const input = make("input", { type: "search", id: id + "-search", autocomplete: "off", spellcheck: "false" });
      input.addEventListener("input", later(() => state.change({ [this.key("find")]: input.value.trim() })));
      this.input = input;
      tools.append(make("span", {}, make("label", { for: id + "-search" }, "Find here "), input));
    }
    this.sheet.columns.forEach((column, i) => {
      if (!column.pick) return;
      const values = [...new Set(this.sheet.rows.flatMap((r) => r[i]))].sort(order(column.kind === "list" ? "text" : column.kind));
      if (values.length < 2 || values.length > 200) return;
      const select = make("select", { id: id + "-pick-" + i }, make("option", { value: "" }, "all"));
      for (const v of values) select.append(make("option", { value: "=" + v }, cut(v, 60)));
      select.addEventListener("change", () => this.pick(i, select.value));
      tools.append(make("span", {}, make("label", { for: select.id }, column.title + " "), select));
      this.picks.set(i, { select, value: "" });
    });
    this.status = make("span", { class: "status", role: "status" });
    tools.append(this.status);
    this.table.parentElement.before(tools);
  }
  pick(i, value) {
    const p = this.picks.get(i);
    if (p) state.change({ [this.key("pick" + i)]: value });
  }
  texts() {
    return (this.cache ??= this.sheet.rows.map((r) => r.map(text).join("\n").toLowerCase()));
  }
  arrange() {
    let rows = this.all;
    for (const [i, p] of this.picks) if (p.value) rows = rows.filter((r) => [].concat(this.sheet.rows[r][i]).some((v) => "=" + v === p.value));
    for (const words of [this.search, this.own])
      for (const word of words.split(/\s+/)) if (word) { const t = this.texts(); rows = rows.filter((r) => t[r].includes(word)); }
    if (this.sorted >= 0) {
      const i = this.sorted, by = order(this.sheet.columns[i].kind), sign = this.down ? -1 : 1;
      rows = rows.slice().sort((a, b) => sign * by(this.sheet.rows[a][i], this.sheet.rows[b][i]) || a - b);
    }
    this.rows = rows;
    this.shown = first;
    this.draw();
    if (this.changed) this.changed();
  }
  draw() {
    this.body.replaceChildren();
    this.drawn = 0;
    this.append();
  }
  // append draws rows up to shown, a frame's worth at once.
  append() {
    const end = Math.min(this.shown, this.rows.length), to = Math.min(end, this.drawn + chunk);
    const part = document.createDocumentFragment();
    for (; this.drawn < to; this.drawn++) this.row(part, this.rows[this.drawn]);
    this.body.append(part);
    const n = this.rows.length, total = this.all.length;
    this.status.textContent = n === total ? plural(n, "row") : count(n) + " of " + plural(total, "row");
    if (this.drawn < end) {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.append());
      return;
    }
    this.more.replaceChildren();
    if (end < n) {
      this.more.append(make("span", { class: "note" }, plural(n - end, "more row") + ". "));
      for (const [title, to] of [["Show " + Math.min(step, n - end) + " more", end + step], ["Show all", n]]) {
        const button = make("button", { type: "button" }, title);
        button.addEventListener("click", () => {
          const next = this.drawn;
          this.shown = to;
          this.append();
          this.focus(next);
        });
        this.more.append(button, " ");
      }
    }
  }
  // focus goes to the first of the rows that were added: the button is gone.
  focus(next) {
    const row = this.body.querySelectorAll(":scope > tr:not(.more)")[next];
    if (row) { row.tabIndex = -1; row.focus({ preventScroll: true }); }
  }
  row(to, index) {
    const row = make("tr", {}), cells = this.sheet.rows[index];
    cells.forEach((cell, i) => {
      const kind = this.sheet.columns[i].kind;
      const td = make("td", { class: this.sheet.columns[i].screen ? kind + " screen" : kind });
      if (kind === "state") td.append(pill(cell));
      else if (kind === "spans") td.append(lanes(cell));
      else if (kind === "place") td.append(...place(cell));
      else if (Array.isArray(cell)) for (const x of cell) td.append(make("div", {}, soft(x)));
      else td.append(kind === "number" ? count(cell) : soft(cell));
      if (cell === 0) td.classList.add("zero");
      row.append(td);
    });
    to.append(row);
    if (this.detail) {
      const button = make("button", { type: "button", class: "open", "aria-expanded": "false" }, soft(cells[0]));
      row.cells[0].replaceChildren(button);
      let more = null;
      const set = (open) => {
        button.setAttribute("aria-expanded", String(open));
        if (open) this.open.add(index); else this.open.delete(index);
        if (open && !more) {
          more = make("tr", { class: "more" }, make("td", { colspan: cells.length }, this.detail(index)));
          row.after(more);
        } else if (!open && more) { more.remove(); more = null; }
      };
      button.addEventListener("click", () => set(!more));
      if (this.open.has(index)) set(true);
    }
  }
}

// place links to a line of a log, with the audit ID below.
function place([text, id, address]) {
  const line = make("div", {}, address ? make("a", { href: address }, soft(text)) : soft(text));
  return id ? [line, make("div", {}, id)] : [line];
}

function pill(value) {
  return make("span", { class: "pill " + (classes[value] || "") }, value);
}

// lanes draws when a client used old APIs, one bar for each.
function lanes(spans) {
  const bars = spans.filter((s) => s.from >= 0), height = 9 * bars.length + 3;
  const label = spans.map((s) => s.text).join("; ");
  const drawing = svg("svg", { viewBox: "0 0 400 " + height, height, preserveAspectRatio: "none", class: "lanes", role: "img", "aria-label": label });
  for (const x of [0.5, 100, 200, 300, 399.5]) drawing.append(svg("line", { x1: x, x2: x, y1: 0, y2: height }));
  bars.forEach((s, i) => {
    const y = 9 * i + 2, name = classes[s.state] || "", group = svg("g", { class: name }, svg("title", {}, s.text));
    if (!s.counts) {
      const width = Math.max(3, 400 * (s.to - s.from));
      group.append(svg("rect", { x: Math.min(397, 400 * s.from), y, width, height: 7, class: name }));
    } else {
      // One path for each of a few shades: a rectangle for each step would be
      // too much for a browser where there are thousands of rows.
      group.append(svg("rect", { x: Math.min(397, 400 * s.from), y: y + 3, width: Math.max(3, 400 * (s.to - s.from)), height: 1, class: name }));
      const most = Math.max(...s.counts), width = s.width || 0, shades = ["", "", "", ""];
      s.counts.forEach((n, k) => {
        if (!n) return;
        const from = Math.max(0, Math.min(397, 400 * ((s.begin || 0) + k * width)));
        const to = Math.max(from + 2, Math.min(400, 400 * ((s.begin || 0) + (k + 1) * width)));
        shades[Math.min(3, Math.floor(4 * Math.sqrt(n / most) - 0.001))] += `M${from.toFixed(1)} ${y}H${to.toFixed(1)}v7H${from.toFixed(1)}z`;
      });
      shades.forEach((d, shade) => { if (d) group.append(svg("path", { d, class: name + " shade" + shade })); });
    }
    drawing.append(group);
  });
  const out = make("div", {}, drawing);
  for (const s of spans) if (s.from < 0) out.append(make("small", {}, s.text));
  return out;
}

// useDetail tells when a client used old APIs, in numbers.
const maxListed = 40;
function useDetail(spans) {
  const out = document.createDocumentFragment();
  for (const s of spans) {
    out.append(make("p", {}, s.text));
    if (!s.counts) continue;
    const time = (k) => new Date(Date.parse(s.at.replace(" ", "T")) + 1000 * s.step * k).toISOString().replace("T", " ").slice(0, s.step % 60 ? 19 : s.step % 86400 ? 16 : 10);
    const figure = spark(s.counts, Math.max(...s.counts), 0, s.text);
    for (const bar of figure.querySelectorAll("rect")) bar.setAttribute("class", classes[s.state] || "");
    const list = make("ol", { class: "steps" });
    let more = 0;
    s.counts.forEach((n, k) => {
      if (!n) return;
      if (list.children.length < maxListed) list.append(make("li", {}, time(k) + ": ", make("b", {}, count(n))));
      else more++;
    });
    if (more) list.append(make("li", {}, "and " + plural(more, "more step")));
    out.append(make("div", { class: "over" }, figure, make("div", { class: "ends" }, make("span", {}, time(0)), make("span", {}, time(s.counts.length)))), list);
  }
  return out;
}

// spark draws reversals over time.
function spark(steps, most, color, label) {
  const n = Math.max(1, steps.length), width = 480 / n;
  const drawing = svg("svg", { viewBox: "0 0 480 28", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label }, svg("line", { x1: 0, x2: 480, y1: 27.5, y2: 27.5 }));
  steps.forEach((v, i) => {
    if (v > 0) { const h = Math.max(2, 26 * v / most); drawing.append(svg("rect", { x: (i * width).toFixed(2), y: (27 - h).toFixed(2), width: Math.max(0.8, width - 0.4).toFixed(2), height: h.toFixed(2), class: "c" + color })); }
  });
  return drawing;
}

// fightDetail tells all of one fight.
function fightDetail(f) {
  const out = document.createDocumentFragment();
  out.append(make("p", {}, make("b", {}, "Why: "), f.cause + "."), make("p", {}, make("b", {}, "What to change: "), f.cure + ". "), make("p", {}, "Rule: " + f.page + (f.versions.length ? "; written through " + f.versions.join(", ") : "") + (f.atLeast ? "; at least, since older writes were forgotten" : "")));
  const most = Math.max(1, ...f.writers.flatMap((w) => w.steps));
  const head = make("tr", {});
  for (const h of ["User", "Agent", "Manager", "Reverts by", "Writes", "Reversals", "From " + f.first + " to " + f.last]) head.append(make("th", { scope: "col" }, h));
  const body = make("tbody", {});
  f.writers.forEach((w, i) => {
    const user = make("td", {}, w.webhook ? "webhook " + w.user : w.user);
    if (w.wins) user.append(" ", make("span", { class: "pill" }, "wins"));
    body.append(make("tr", {}, user, make("td", {}, w.agent), make("td", {}, w.manager), make("td", {}, w.how.join(", ")), make("td", { class: "number" }, count(w.writes)), make("td", { class: "number" }, count(w.reversals)),
      make("td", { class: "over" }, spark(w.steps, most, i % 6, plural(w.reversals, "reversal") + " over time"))));
  });
  out.append(make("div", { class: "scroll" }, make("table", { class: "fighters" }, make("thead", {}, head), body)));
  if (f.fields.length) {
    const list = make("ul", {});
    for (const x of f.fields) list.append(make("li", {}, x.path + (x.values ? " (" + x.values + ")" : "") + ": " + plural(x.n, "reversal")));
    if (f.left) list.append(make("li", {}, "and " + plural(f.left, "more field")));
    out.append(make("p", {}, make("b", {}, "Fields")), list);
  }
  if (f.turns.length) {
    const list = make("ul", {});
    for (const x of f.turns) {
      const [line, id, address] = x.place, at = address ? make("a", { href: address }, soft(line)) : soft(line);
      list.append(make("li", {}, x.text + ", ", at, id ? ", audit ID " + id : ""));
    }
    out.append(make("p", {}, make("b", {}, "Last writes")), list);
  }
  return out;
}

// The graph: writers to the left, objects to the right, between them what
// reverts, as thick as it is often.
const drawnFights = 24;

function graph(fights, total, choose) {
  const figure = document.querySelector(".graph"), box = document.getElementById("graph"), caption = figure.querySelector("figcaption");
  figure.hidden = fights.length === 0;
  if (!fights.length) return;
  const list = fights.slice().sort((a, b) => b.reversals - a.reversals).slice(0, drawnFights);
  const writers = new Map();
  list.forEach((f, i) => f.writers.forEach((w) => {
    const x = writers.get(w.id) || { w, rows: [], edges: [], n: 0 };
    x.rows.push(i);
    x.n += w.reversals;
    writers.set(w.id, x);
  }));
  // Writers stand beside the middle of their objects, so that few lines cross;
  // objects of one writer beside each other.
  const lead = (f) => Math.min(...f.writers.map((w) => w.id));
  list.sort((a, b) => lead(a) - lead(b) || b.reversals - a.reversals);
  for (const x of writers.values()) x.rows = [];
  list.forEach((f, i) => f.writers.forEach((w) => writers.get(w.id).rows.push(i)));
  const mean = (x) => x.rows.reduce((a, b) => a + b, 0) / x.rows.length;
  const left = [...writers.values()].sort((a, b) => mean(a) - mean(b) || a.w.id - b.w.id);
  const gap = 38, rows = Math.max(left.length, list.length), height = rows * gap + 34, top = 26;
  const y = (i, n) => top + (i + 0.5) * rows * gap / n;
  const stamp = (s) => Date.parse(s.replace(" ", "T"));
  const from = Math.min(...list.map((f) => stamp(f.first))), to = Math.max(...list.map((f) => stamp(f.last)), from + 1000);
  const drawing = svg("svg", { viewBox: "0 0 1120 " + height, role: "group", "aria-label": "Writers, the objects that they fight over, and reversals over time" });
  drawing.append(svg("text", { x: 10, y: 14, class: "dim" }, "Writers"), svg("text", { x: 480, y: 14, class: "dim" }, "Objects"), svg("text", { x: 820, y: 14, class: "dim" }, "Reversals, " + range(from, to)));
  const most = Math.max(1, ...list.flatMap((f) => f.writers.map((w) => w.reversals)));
  const edges = svg("g", {});
  drawing.append(edges);
  const paths = [];
  list.forEach((f, i) => f.writers.forEach((w) => {
    const j = left.indexOf(writers.get(w.id)), y1 = y(j, left.length), y2 = y(i, list.length);
    const path = svg("path", { d: `M282 ${y1} C 380 ${y1}, 380 ${y2}, 478 ${y2}`, "stroke-width": (1.2 + 10 * Math.sqrt(w.reversals / most)).toFixed(1), class: (f.ongoing ? "ongoing" : "ended") + (f.evidence === "probable" ? " guess" : "") },
      svg("title", {}, w.name + ": " + plural(w.reversals, "reversal") + " on " + f.object));
    edges.append(path);
    paths.push({ path, writer: w.id, object: i });
  }));
  const node = (x, at, width, title, under, long, mine, search) => {
    const g = svg("g", { class: "node", tabindex: 0, role: "button", "aria-label": long }, svg("title", {}, long),
      svg("rect", { class: "box", x, y: at - 16, width, height: 32, rx: 4 }), // An inner drawing cuts off what its neighbours would else stand under.
      svg("svg", { x: x + 8, y: at - 16, width: width - 14, height: 32 }, svg("text", { x: 0, y: 13 }, cut(title, Math.floor(width / 7))), svg("text", { x: 0, y: 27, class: "dim" }, cut(under, Math.floor(width / 6.2)))));
    const light = (on) => { for (const p of paths) p.path.classList.toggle("dim", on && !mine(p)); };
    g.addEventListener("mouseenter", () => light(true));
    g.addEventListener("mouseleave", () => light(false));
    g.addEventListener("focus", () => light(true));
    g.addEventListener("blur", () => light(false));
    g.addEventListener("click", () => choose(search));
    g.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); choose(search); } });
    drawing.append(g);
  };
  left.forEach((x, j) => node(10, y(j, left.length), 272, (x.w.webhook ? "webhook " : "") + x.w.name, x.w.user + (x.w.manager && x.w.manager !== x.w.name ? " as " + x.w.manager : ""),
    "Writer " + x.w.user + ", agent " + x.w.agent + ", manager " + x.w.manager + ": " + plural(x.n, "reversal") + ". Find its rows.", (p) => p.writer === x.w.id, x.w.name));
  list.forEach((f, i) => {
    const at = y(i, list.length), space = f.object.indexOf(" ");
    node(480, at, 325, f.object.slice(space + 1), f.object.slice(0, Math.max(space, 0)) + (f.fields.length ? "  " + f.fields[0].path : ""), f.object + ": " + plural(f.reversals, "reversal") + ", " + (f.ongoing ? "ongoing" : "ended") + ", " + f.evidence + ". Find its rows.", (p) => p.object === i, f.object);
    drawing.append(svg("line", { x1: 820, x2: 1060, y1: at + 12, y2: at + 12 }), svg("text", { x: 1112, y: at + 4, "text-anchor": "end" }, count(f.reversals)));
    const bins = bin(f, from, to, stamp(f.first)), peak = Math.max(1, ...bins.map((b) => b.reduce((x, v) => x + v, 0)));
    bins.forEach((byWriter, k) => {
      let base = at + 12;
      byWriter.forEach((v, c) => {
        if (!v) return;
        const h = 24 * v / peak;
        base -= h;
        drawing.append(svg("rect", { x: 820 + 3 * k, y: base.toFixed(1), width: 2.6, height: h.toFixed(1), class: "c" + (c % 6) }));
      });
    });
  });
  box.replaceChildren(drawing);
  caption.replaceChildren("A line is as thick as the writer reverts often: ", make("span", { class: "key ongoing" }), "ongoing", make("span", { class: "key" }), "ended; dashed where the log makes it only probable. The bars have one colour for each writer of an object. ",
    list.length < fights.length ? "The " + list.length + " with the most reversals of " + plural(fights.length, "fight") + " are drawn; the table has all. " : "",
    fights.length < total ? plural(total - fights.length, "fight") + " left out by the search. " : "");
}

// bin spreads the steps of a fight over 80 bars of the time of all fights;
// where many bars would be one on the other, their sum counts.
function bin(f, from, to, begin) {
  const n = 80, bins = Array.from({ length: n }, () => f.writers.map(() => 0));
  f.writers.forEach((w, c) => w.steps.forEach((v, i) => {
    if (!v) return;
    const at = (begin + (i + 0.5) * f.step * 1000 - from) / (to - from);
    const k = Math.min(n - 1, Math.max(0, Math.floor(at * n)));
    bins[k][c] += v;
  }));
  return bins;
}
// range leaves out what both ends share, or the seconds.
function range(from, to) {
  const [a, b] = [from, to].map((t) => new Date(t).toISOString().replace("T", " "));
  return a.slice(0, 10) === b.slice(0, 10) ? a.slice(0, 19) + " to " + b.slice(11, 19) : a.slice(0, 16) + " to " + b.slice(0, 16);
}

const tables = new Map();
for (const sheet of data.tables) if (sheet.rows && sheet.rows.length) {
  const table = new Table(sheet);
  if (sheet.details) table.detail = (i) => {
    const out = document.createDocumentFragment();
    for (const text of sheet.details[i]) out.append(make("p", {}, soft(text)));
    return out;
  };
  tables.set(sheet.id, table);
}
const bySheet = { fighting: [], flapping: [] };
for (const f of data.fights) bySheet[f.sheet][f.row] = f;
const search = document.getElementById("search");
search.form.addEventListener("submit", (e) => e.preventDefault());

for (const id of ["fighting", "flapping"]) {
  const table = tables.get(id);
  if (!table) continue;
  table.detail = (i) => fightDetail(bySheet[id][i]);
  if (bySheet[id].length <= 3) bySheet[id].forEach((_, i) => table.open.add(i));
}
const over = tables.get("times");
if (over) {
  const spans = over.sheet.columns.findIndex((c) => c.kind === "spans");
  over.detail = (i) => useDetail(over.sheet.rows[i][spans]);
}
const fighting = tables.get("fighting");
if (fighting) {
  const choose = (words) => { state.change({ q: words }); search.focus(); };
  fighting.changed = () => graph(fighting.rows.map((i) => bySheet.fighting[i]), bySheet.fighting.length, choose);
}

// The cards narrow the tables below them.
for (const card of document.querySelectorAll(".card")) {
  const table = tables.get(card.dataset.sheet);
  if (!table) continue;
  const button = make("button", { type: "button" }, "Show these rows");
  button.addEventListener("click", () => {
    table.pick(0, "=" + card.dataset.release);
    table.box.scrollIntoView();
    table.table.parentElement.focus({ preventScroll: true });
  });
  card.append(button);
}
const times = document.querySelector("#times .tools");
if (times) {
  const legend = make("span", { class: "status" });
  for (const [state, name] of Object.entries(classes).slice(0, 4)) legend.append(make("span", { class: "key " + name }), state);
  times.append(legend);
}

// On paper nobody can ask for more rows.
addEventListener("beforeprint", () => {
  for (const t of tables.values()) {
    if (t.detail && t !== over) t.rows.slice(0, 50).forEach((i) => t.open.add(i));
    t.shown = Math.max(t.shown, 1000);
    cancelAnimationFrame(t.frame);
    t.body.replaceChildren();
    t.drawn = 0;
    while (t.drawn < Math.min(t.shown, t.rows.length)) { cancelAnimationFrame(t.frame); t.append(); }
  }
});
})();
