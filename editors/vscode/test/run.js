// Runs the extension with vscode-languageclient and a stub of VS Code, which has only the
// functions that the client library uses. The arguments are the program kubevet and a file,
// to which the script writes the messages of the library.
"use strict";
const Module = require("node:module");
const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { fileURLToPath, pathToFileURL } = require("node:url");

const [program, trace] = process.argv.slice(2);
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "kubevet-")));
const old = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: backup\nspec:\n  schedule: \"0 3 * * *\"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          containers:\n          - {name: backup, image: backup}\n";
fs.writeFileSync(path.join(dir, "cron.yaml"), old);
const recorded = path.join(dir, "recorded");
const wrapper = path.join(dir, "wrapper.sh");
fs.writeFileSync(wrapper, `#!/bin/sh\ntee '${recorded}' | '${program}' "$@"\n`, { mode: 0o755 });

/** Anything that the library asks for and nobody needs. */
function anything(name) {
  const f = class {
    constructor(...args) { this.args = args; }
  };
  return new Proxy(f, {
    get: (target, key) => {
      if (key in target || typeof key === "symbol" || key === "prototype") return target[key];
      return (target[key] = anything(`${name}.${String(key)}`));
    },
    apply: () => ({ dispose() {} }),
  });
}

class EventEmitter {
  listeners = [];
  event = (listener, self) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.push(bound);
    return { dispose: () => (this.listeners = this.listeners.filter((l) => l !== bound)) };
  };
  fire(event) { return Promise.all(this.listeners.map((l) => l(event))); }
  dispose() {}
}
class Uri {
  static parse(text) { return new Uri(text); }
  static file(file) { return new Uri(pathToFileURL(file).href); }
  constructor(text) { this.text = text; this.scheme = text.split(":")[0]; this.authority = ""; this.path = new URL(text).pathname; this.fsPath = this.scheme === "file" ? fileURLToPath(text) : text; }
  toString() { return this.text; }
  with() { return this; }
}
class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range { constructor(start, end, l2, c2) { this.start = l2 === undefined ? start : new Position(start, end); this.end = l2 === undefined ? end : new Position(l2, c2); } get isEmpty() { return false; } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class Kind { constructor(value) { this.value = value; } append(part) { return new Kind(this.value ? `${this.value}.${part}` : part); } }
const kinds = { Empty: new Kind("") };
for (const kind of ["quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.move", "refactor.rewrite", "source", "source.fixAll", "source.organizeImports", "notebook"]) {
  kinds[kind === "quickfix" ? "QuickFix" : kind.split(".").map((w) => w[0].toUpperCase() + w.slice(1)).join("")] = new Kind(kind);
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: never };
  cancel() { this.token.isCancellationRequested = true; }
  dispose() {}
}
class WorkspaceEdit { set() {} replace() {} insert() {} delete() {} }
class Disposable { static from() { return { dispose() {} }; } constructor(f) { this.dispose = f ?? (() => {}); } }

const opened = new EventEmitter(), changed = new EventEmitter(), saved = new EventEmitter(), closed = new EventEmitter();
const shown = new Map();
const commands = new Map();
const providers = {};
const register = (kind) => (selector, provider) => { providers[kind] = provider; return { dispose() {} }; };
const never = () => ({ dispose() {} });
const folder = { uri: Uri.file(dir), name: "test", index: 0 };
const output = { append() {}, appendLine() {}, info() {}, warn() {}, error: (...e) => console.error(...e), debug() {}, trace() {}, show() {}, clear() {}, dispose() {}, logLevel: 0, onDidChangeLogLevel: never };
const settings = { "kubevet.path": wrapper };
let reason;
const stub = {
  version: "1.106.0", EventEmitter, Uri, Position, Range, Diagnostic, Disposable, CodeActionKind: kinds, CancellationTokenSource, WorkspaceEdit,
  env: { appName: "Visual Studio Code", language: "en", isTelemetryEnabled: false, logLevel: 0, onDidChangeLogLevel: never },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  extensions: { getExtension: () => undefined, all: [], onDidChange: never },
  workspace: {
    isTrusted: true, name: "test", rootPath: dir, workspaceFolders: [folder], textDocuments: [], notebookDocuments: [],
    getWorkspaceFolder: () => folder, asRelativePath: (p) => String(p),
    getConfiguration: (section) => ({ get: (key, value) => settings[`${section}.${key}`] ?? value, has: () => false, inspect: () => undefined }),
    onDidOpenTextDocument: opened.event, onDidChangeTextDocument: changed.event, onDidSaveTextDocument: saved.event, onDidCloseTextDocument: closed.event,
    createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, onDidDelete: never, dispose() {} }),
  },
  languages: {
    match: () => 10,
    createDiagnosticCollection: () => ({ set: (uri, list) => shown.set(uri.toString(), list), delete: (uri) => shown.delete(uri.toString()), clear() {}, forEach() {}, dispose() {}, has: () => false }),
    registerCodeActionsProvider: register("action"), registerHoverProvider: register("hover"), registerCodeLensProvider: register("lens"),
  },
  commands: {
    registerCommand: (name, run) => { commands.set(name, run); return { dispose() {} }; },
    executeCommand: (name, ...args) => commands.get(name)?.(...args),
  },
  window: {
    activeTextEditor: undefined, visibleTextEditors: [], tabGroups: { all: [], onDidChangeTabs: never },
    createOutputChannel: () => output, showInputBox: async () => reason, showQuickPick: async () => "1.24",
    showErrorMessage: async (text) => { console.error(text); }, showInformationMessage: async () => undefined, showWarningMessage: async () => undefined,
    createTextEditorDecorationType: never,
  },
};
for (const part of ["workspace", "languages", "window", "env"]) {
  stub[part] = new Proxy(stub[part], { get: (t, key) => (key in t ? t[key] : /^(on[A-Z]|register)/.test(String(key)) ? never : undefined) });
}
// The library copies the names of the module, so the module must have them.
const names = `CallHierarchyIncomingCall CallHierarchyItem CallHierarchyOutgoingCall CancellationError
CancellationTokenSource CodeAction CodeActionKind CodeActionTriggerKind CodeLens Color
ColorInformation ColorPresentation CompletionItem CompletionItemKind CompletionItemTag
CompletionList CompletionTriggerKind Diagnostic DiagnosticRelatedInformation
DiagnosticSeverity DiagnosticTag Disposable DocumentHighlight DocumentHighlightKind
DocumentLink DocumentSymbol EventEmitter FileType FoldingRange FoldingRangeKind Hover
InlayHint InlayHintLabelPart InlineCompletionItem InlineCompletionList
InlineCompletionTriggerKind InlineValueEvaluatableExpression InlineValueText
InlineValueVariableLookup LinkedEditingRanges Location LogLevel MarkdownString
NotebookCellKind ParameterInformation Position ProgressLocation Range RelativePattern
SelectionRange SemanticTokens SemanticTokensEdit SemanticTokensEdits SignatureHelp
SignatureHelpTriggerKind SignatureInformation SnippetString SnippetTextEdit
SymbolInformation SymbolKind SymbolTag TabInputCustom TabInputNotebook TabInputText
TabInputTextDiff TextDocumentSaveReason TextEdit TypeHierarchyItem Uri WorkspaceEdit`;
for (const name of names.split(/\s+/)) stub[name] ??= anything(name);
const vscode = new Proxy(stub, { get: (t, key) => (key in t ? t[key] : typeof key === "symbol" || key === "then" || key === "__esModule" ? undefined : (t[key] = anything(String(key)))) });
const load = Module._load;
Module._load = function (request, ...rest) { return request === "vscode" ? vscode : load.call(this, request, ...rest); };

function document(name, text) {
  const uri = Uri.file(path.join(dir, name));
  return { uri, fileName: uri.fsPath, languageId: "yaml", version: 1, isUntitled: false, isDirty: false, isClosed: false, text, getText() { return this.text; } };
}
async function until(what, holds) {
  for (let i = 0; i < 1000; i++) {
    const value = holds();
    if (value) return value;
    await new Promise((r) => setTimeout(r, 20));
  }
  throw new Error(`no ${what}: ${JSON.stringify([...shown])}`);
}

(async () => {
  const extension = require("../dist/extension.js");
  await extension.activate({ subscriptions: [] });
  const doc = document("cron.yaml", old);
  vscode.workspace.textDocuments.push(doc);
  await opened.fire(doc);
  const codes = () => (shown.get(doc.uri.toString()) ?? []).map((d) => d.code?.value ?? d.code);
  await until("finding", () => codes().includes("removedapi"));

  const edit = async (range, text) => {
    doc.version++;
    const lines = doc.text.split("\n");
    lines[range.start.line] = lines[range.start.line].slice(0, range.start.character) + text + lines[range.start.line].slice(range.end.character);
    doc.text = lines.join("\n");
    doc.isDirty = true;
    await changed.fire({ document: doc, contentChanges: [{ range, rangeOffset: 0, rangeLength: 0, text }], reason: undefined });
  };
  await edit(new Range(0, 12, 0, 25), "batch/v1");
  await until("end of the finding", () => shown.has(doc.uri.toString()) && codes().length === 0);
  await edit(new Range(0, 12, 0, 20), "batch/v1beta1");
  await until("finding", () => codes().includes("removedapi"));

  const token = new CancellationTokenSource().token;
  const hover = await providers.hover.provideHover(doc, new Position(0, 14), token);
  assert(JSON.stringify(hover).includes("removed: 1.25"), "the hover has no history");
  const lenses = await providers.lens.provideCodeLenses(doc, token);
  assert.equal(lenses.length, 1, "the newest release has a lens with the target alone");
  const actions = await providers.action.provideCodeActions(doc, new Range(0, 12, 0, 12), { diagnostics: [], triggerKind: 1 }, token);
  assert.equal(actions.length, 3, "a fix, a suppression, and all fixes");
  reason = "the cluster is old";
  let applied = 0;
  vscode.workspace.applyEdit = async () => { applied++; return true; };
  await commands.get("kubevet.suppressWithReason")({ uri: doc.uri.toString(), line: 0, rule: "removedapi" });
  assert.equal(applied, 1, "the suppression makes an edit");
  await commands.get("kubevet.chooseTarget")();
  await until("deprecation", () => codes().includes("deprecatedapi"));
  await saved.fire(doc);
  await new Promise((r) => setTimeout(r, 500)); // the library waits before it sends
  await extension.deactivate();

  await until("exit", () => fs.readFileSync(recorded).includes('"exit"'));
  const messages = [];
  for (let raw = fs.readFileSync(recorded), at = 0; at < raw.length; ) {
    const end = raw.indexOf("\r\n\r\n", at);
    const length = Number(/Content-Length: (\d+)/i.exec(raw.subarray(at, end).toString())[1]);
    messages.push(raw.subarray(end + 4, end + 4 + length).toString());
    at = end + 4 + length;
  }
  const uri = pathToFileURL(dir).href;
  const kept = messages.map((m) => m.replaceAll(uri, "DIR").replaceAll(dir, "PATH").replace(/"processId":\d+/, '"processId":null'));
  if (trace) fs.writeFileSync(trace, kept.join("\n") + "\n");
  console.log(`${messages.length} messages`);
  fs.rmSync(dir, { recursive: true });
  process.exit(0);
})().catch((err) => {
  console.error(err);
  process.exit(1);
});
