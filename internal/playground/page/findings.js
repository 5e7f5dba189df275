// The list of findings.
import { element } from "./element.js";

const list = document.getElementById("findings");
const notes = document.getElementById("notes");
const count = document.getElementById("count");

// The most findings that are listed.
const maxListed = 300;

// Where the pages of the rules are: the site has them beside the playground.
const pages = "../rules/";

// show lists findings. titles are those of the rules, jump is called with the index of
// the finding whose place to show, fix with that of the one to fix. Releases are shown if
// they are not the target.
export function show(findings, titles, jump, fix, target) {
  count.textContent = heading(findings);
  const shown = findings.slice(0, maxListed).map((f, i) => entry(f, i, titles, jump, fix, target));
  if (findings.length > maxListed) shown.push(element("li", {}, `${findings.length - maxListed} more are not listed.`));
  list.replaceChildren(...shown);
}

// Why documents are not checked, by the reasons in the summary. Others are findings.
const reasons = {
  templated: "a template, which the command renders",
  tooLarge: "too large",
  unparsable: "it does not parse",
};

// note lists what is not checked and not known, from the summary of the run.
export function note(summary) {
  const texts = summary.notJudged.filter((n) => n.reason in reasons)
    .map((n) => `Line ${n.line} is not checked: ${reasons[n.reason]}.`);
  for (const kind of summary.unchecked.kinds) {
    texts.push(`${kind.apiVersion} ${kind.kind} is not checked: the text has no definition of it.`);
  }
  for (const reason of summary.undecided.reasons) texts.push(`Not known: ${reason.what}.`);
  const more = texts.length - maxListed;
  if (more > 0) texts.splice(maxListed, more, `${more} more are not listed.`);
  notes.replaceChildren(...texts.map((text) => element("li", {}, text)));
}

// highlight marks the findings with these indexes.
export function highlight(indexes) {
  [...list.children].forEach((li, i) => li.classList.toggle("current", indexes.includes(i)));
}

function heading(findings) {
  if (findings.length === 0) return "No findings";
  const parts = [];
  for (const severity of ["error", "warning", "info", "preview"]) {
    const n = findings.filter((f) => f.severity === severity).length;
    const noun = { error: "error", warning: "warning", info: "note", preview: "preview" }[severity];
    if (n > 0) parts.push(`${n} ${noun}${n > 1 ? "s" : ""}`);
  }
  return parts.join(", ");
}

function entry(f, i, titles, jump, fix, target) {
  const where = f.line ? `Line ${f.line}` : "Text";
  const head = element("div", { className: "head" },
    element("span", { className: `badge ${f.severity}` }, f.severity),
    element("button", { type: "button", className: "place", onclick: () => jump(i) }, where),
    element("a", { href: `${pages}${encodeURIComponent(f.rule)}/`, target: "_blank", rel: "noopener", title: titles[f.rule] ?? "" }, f.rule));
  if (f.object?.kind) head.append(element("span", { className: "dim" }, [f.object.kind, f.object.name].filter(Boolean).join(" ")));
  const item = element("li", {}, head, element("p", {}, f.path ? element("code", {}, f.path) : "", f.path ? ": " : "", f.message));
  if (f.minors && f.minors !== target) item.append(element("p", { className: "dim" }, `Kubernetes ${f.minors.replaceAll("..", " to ").replaceAll(",", ", ")}`));
  const text = [f.server?.text, ...(f.server?.also ?? [])].join("\n");
  if (text && !f.message.endsWith(text)) {
    item.append(element("p", { className: "says" }, f.server.kind === "error" ? "The server’s error: " : "The server’s warning: ", element("code", {}, text)));
  }
  for (const note of f.notes ?? []) item.append(element("p", { className: "dim" }, note));
  if (f.fix) {
    const label = f.fix.safe ? "Fix" : "Fix with review";
    item.append(element("p", { className: "fix" }, element("button", { type: "button", onclick: () => fix(i) }, label), ` ${f.fix.message}`));
  }
  return item;
}
