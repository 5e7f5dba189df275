// The dialog that shows what fixes change.
import { element } from "./element.js";

const dialog = document.getElementById("preview");
const note = document.getElementById("preview-note");
const diff = document.getElementById("diff");
const apply = document.getElementById("apply");
const cancel = document.getElementById("cancel");

// preview shows a change and resolves to whether to make it. message is that of the only
// fix, if there is one.
export function preview(fixed, message, review) {
  const none = fixed.diff === "";
  const what = message ?? `${fixed.fixed} ${fixed.fixed === 1 ? "fix" : "fixes"}`;
  note.textContent = none ? "Nothing can be fixed." : review ? `${what}. Review the change before you apply it.` : what;
  apply.hidden = none;
  diff.hidden = none;
  diff.replaceChildren(...lines(fixed.diff));
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "apply");
    apply.onclick = () => dialog.close("apply");
    cancel.onclick = () => dialog.close("");
    dialog.oncancel = () => { dialog.returnValue = ""; };
  });
}

// lines returns the lines of a diff without the names of files.
function lines(text) {
  const all = text.split("\n");
  return all.slice(all.findIndex((line) => line.startsWith("@@"))).map((line) => {
    const kind = { "+": "added", "-": "removed", "@": "hunk" }[line[0]] ?? "";
    return element("span", { className: kind }, line);
  });
}
