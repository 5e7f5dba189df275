// The extension starts `kubevet lsp` and shows its findings. Functions that other editors
// need, too, are in the server.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** The documents that the server looks at. */
const documents = [
  ...["yaml", "helm", "json", "jsonc", "shellscript", "makefile", "dockerfile", "markdown", "go", "go.mod"].map((language) => ({
    scheme: "file",
    language,
  })),
  { scheme: "file", pattern: "**/templates/**/*.{tpl,txt}" },
];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("kubevet.suppressWithReason", suppressWithReason),
    vscode.commands.registerCommand("kubevet.chooseTarget", chooseTarget),
    vscode.commands.registerCommand("kubevet.checkAgain", () => run("kubevet.check")),
    vscode.commands.registerCommand("kubevet.restart", restart),
    vscode.workspace.onDidGrantWorkspaceTrust(sendSettings),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("kubevet.path")) {
        await restart();
      } else if (change.affectsConfiguration("kubevet")) {
        await sendSettings();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The settings, as the server knows them. Go code is built to check it. */
function settings(): object {
  const configured = vscode.workspace.getConfiguration("kubevet");
  return {
    target: configured.get<string>("target", ""),
    compare: configured.get<string>("compare", "next"),
    go: configured.get<boolean>("go", true) && vscode.workspace.isTrusted,
    asksReason: true,
  };
}

async function start(): Promise<void> {
  const server: ServerOptions = {
    command: vscode.workspace.getConfiguration("kubevet").get<string>("path", "kubevet"),
    args: ["lsp"],
  };
  const options: LanguageClientOptions = {
    documentSelector: documents,
    initializationOptions: settings(),
    diagnosticCollectionName: "kubevet",
  };
  client = new LanguageClient("kubevet", "kubevet", server, options);
  try {
    await client.start();
  } catch (err) {
    const open = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(`kubevet does not start: ${String(err)}`, open);
    if (chosen === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "kubevet.path");
    }
  }
}

async function restart(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start();
}

async function sendSettings(): Promise<void> {
  await client?.sendNotification("workspace/didChangeConfiguration", { settings: { kubevet: settings() } });
}

/** Runs a command of the server. */
async function run(command: string, ...args: object[]): Promise<unknown> {
  try {
    return await client?.sendRequest("workspace/executeCommand", { command, arguments: args });
  } catch (err) {
    await vscode.window.showErrorMessage(`kubevet: ${err instanceof Error ? err.message : String(err)}`);
    return undefined;
  }
}

/** Asks why a finding is suppressed, and adds the comment. The server calls it. */
async function suppressWithReason(finding: { uri: string; line: number; rule: string }): Promise<void> {
  const reason = await vscode.window.showInputBox({
    prompt: `Why is ${finding.rule} suppressed here?`,
    validateInput: (text) => (text.trim() === "" ? "A reason is needed." : undefined),
  });
  if (reason !== undefined) {
    await run("kubevet.suppress", { ...finding, reason });
  }
}

/** Lets the user choose the version to check for, until the server ends. */
async function chooseTarget(): Promise<void> {
  const experimental = client?.initializeResult?.capabilities.experimental as { releases?: string[] } | undefined;
  const configured = "the version of .kubevet.yaml";
  const other = "another version or range…";
  let target = await vscode.window.showQuickPick([configured, ...(experimental?.releases ?? []), other], {
    placeHolder: "Check for this version of Kubernetes",
  });
  if (target === other) {
    target = await vscode.window.showInputBox({ prompt: "A version, 1.33, or a range, 1.31..1.37" });
  }
  if (target !== undefined) {
    await run("kubevet.target", { target: target === configured ? "" : target });
  }
}
