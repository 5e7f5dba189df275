package scripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// formatCommands formats each command as LINE:COLUMN PROGRAM ARGS, with the
// position of the checked flag. Unknown text is "…". "~" follows a flag that
// the source does not contain literally.
func formatCommands(source string, f *File) []string {
	var all []string
	for _, c := range f.Commands {
		var b strings.Builder
		at := c.flag()
		fmt.Fprintf(&b, "%d:%d %v", strings.Count(source[:at], "\n")+1, at-strings.LastIndexByte(source[:at], '\n'), c.Program)
		for i, a := range c.Args {
			b.WriteString(" " + a.Text)
			if a.Open || a.Many {
				b.WriteString("…")
			}
			if strings.HasPrefix(a.Text, "--dry-run") || strings.HasPrefix(a.Text, "--server-dry-run") {
				p := c.At[i]
				if p.Exact && source[p.Start:p.End] != a.Text {
					fmt.Fprintf(&b, "!%q", source[p.Start:p.End])
				}
				if !p.Exact {
					b.WriteString("~")
				}
				if p.Stored {
					b.WriteString("^")
				}
				if c.Versioned[i] {
					b.WriteString("?")
				}
			}
		}
		all = append(all, b.String())
	}
	return all
}

func readYAML(t testing.TB, source string) *File {
	t.Helper()
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(source), &node); err != nil {
		t.Fatal(err)
	}
	root, _, err := wire.YAML(&node, []byte(source), 1)
	if err != nil {
		t.Fatal(err)
	}
	return YAML(root, NewSource([]byte(source), 1))
}

func TestShell(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		want         []string
	}{
		{"plain", "kubectl apply --dry-run -f x", []string{"1:15 kubectl apply --dry-run -f x"}},
		{"continued", "kubectl apply \\\n  --dry-run=true \\\n  -f x", []string{"2:3 kubectl apply --dry-run=true -f x"}},
		{"CRLF", "kubectl apply \\\r\n  --dry-run \\\r\n  -f x\r\n", []string{"2:3 kubectl apply --dry-run -f x"}},
		{"path", `"$BIN/kubectl" apply --dry-run`, []string{"1:22 kubectl apply --dry-run"}},
		{"quotes", `kubectl "apply" '--dry-run' -f "x y"`, []string{"1:18 kubectl apply --dry-run -f x y"}},
		{"quotes within", `kubectl apply --dry-run="server"`, []string{"1:15 kubectl apply --dry-run=server~"}},
		{"comment", "# kubectl apply --dry-run\n", nil},
		{"said", "echo kubectl apply --dry-run\necho \"kubectl apply --dry-run\"\nlog 'kubectl apply --dry-run'", nil},
		{"looked for", "kubectl get pods | grep -- --dry-run", nil},
		{"other programs", "helm upgrade --dry-run\ngit push --dry-run\nkubeadm init --dry-run\nargocd app sync --dry-run", nil},
		{"other program fed", "helm template . --dry-run | kubectl apply -f -", nil},
		{"variable", "F=--dry-run\nkubectl apply $F", []string{"1:3 kubectl apply --dry-run^"}},
		{"several words", "F='apply --dry-run'\nkubectl $F -f x", []string{"1:10 kubectl apply --dry-run^ -f x"}},
		{"not split", "F='apply --dry-run'\nkubectl \"$F\" -f x", nil},
		{"unknown variable", "kubectl apply $F --dry-run=$G", []string{"1:18 kubectl apply … --dry-run=…~"}},
		{"default", "kubectl apply ${F:---dry-run}", []string{"1:20 kubectl apply --dry-run"}},
		{"program by default", "${KUBECTL:-kubectl} apply --dry-run", []string{"1:27 kubectl apply --dry-run"}},
		{"program by name", "$KUBECTL apply --dry-run", []string{"1:16 kubectl apply --dry-run"}},
		{"program unknown", "$TOOL apply --dry-run", nil},
		{"prefix unknown", "$SUDO kubectl apply --dry-run", []string{"1:21 kubectl apply --dry-run"}},
		{"branches", "if a; then F=--dry-run; else F=; fi\nkubectl apply $F", []string{"1:14 kubectl apply --dry-run^"}},
		{"both branches", "if a; then F=--dry-run; else F=--server-dry-run; fi\nkubectl apply $F", []string{"1:14 kubectl apply --dry-run^", "1:32 kubectl apply --server-dry-run^"}},
		{"case", "case $x in a) F=--dry-run;; *) F=--dry-run=server;; esac\nkubectl apply $F", []string{"1:17 kubectl apply --dry-run^", "1:34 kubectl apply --dry-run=server^"}},
		{"overwritten", "F=--dry-run\nF=\nkubectl apply $F", nil},
		{"loop", "for f in a b; do kubectl apply --dry-run -f $f; done", []string{"1:32 kubectl apply --dry-run -f …"}},
		{"function", "k() { kubectl -n x \"$@\"; }\nk apply --dry-run", []string{"2:9 kubectl -n x apply --dry-run"}},
		{"function further down", "k apply --dry-run\nk() { kubectl \"$@\"; }", []string{"1:9 kubectl apply --dry-run"}},
		{"function with a name", "do_apply() { kubectl apply $1 -f x; }\ndo_apply --dry-run", []string{"2:10 kubectl apply --dry-run -f x"}},
		{"shift", "f() { shift; kubectl \"$@\"; }\nf a apply --dry-run", []string{"2:11 kubectl apply --dry-run"}},
		{"rest", "f() { kubectl \"${@:2}\"; }\nf a apply --dry-run", []string{"2:11 kubectl apply --dry-run"}},
		{"function that nobody calls", "f() { kubectl apply --dry-run \"$@\"; }", []string{"1:21 kubectl apply --dry-run …"}},
		{"kubectl itself a function", "kubectl() { command kubectl \"$@\"; }\nkubectl apply --dry-run", []string{"2:15 kubectl apply --dry-run"}},
		{"recursion", "f() { f \"$@\" x; kubectl apply --dry-run; }\nf", []string{"1:31 kubectl apply --dry-run"}},
		{"eval", "eval \"kubectl apply --dry-run -f $X\"", []string{"1:21 kubectl apply --dry-run -f …"}},
		{"shell", "bash -ec 'kubectl apply --dry-run'", []string{"1:25 kubectl apply --dry-run"}},
		{"shell with options", "bash -euo pipefail -c 'kubectl apply --dry-run'", []string{"1:38 kubectl apply --dry-run"}},
		{"prefixes", "sudo -E env A=b timeout 5 kubectl apply --dry-run\ntime kubectl delete --dry-run\nfind . | xargs -n1 kubectl label --dry-run",
			[]string{"1:41 kubectl apply --dry-run", "2:21 kubectl delete --dry-run", "3:34 kubectl label --dry-run"}},
		{"substitution", "X=$(kubectl create ns x --dry-run -o yaml)\necho `kubectl run --dry-run`", []string{"1:25 kubectl create ns x --dry-run -o yaml", "2:19 kubectl run --dry-run"}},
		{"process substitution", "diff <(kubectl create ns x --dry-run) y", []string{"1:28 kubectl create ns x --dry-run"}},
		{"conditions", "kubectl apply --dry-run && ! kubectl delete --dry-run || exit", []string{"1:15 kubectl apply --dry-run", "1:45 kubectl delete --dry-run"}},
		{"bats", "@test \"x\" {\n  run kubectl apply --dry-run\n}\n", []string{"2:21 kubectl apply --dry-run"}},
		{"version", "if kubectl version | grep -q 1.17; then F=--dry-run; else F=--dry-run=client; fi\nkubectl apply $F",
			[]string{"1:43 kubectl apply --dry-run^?", "1:61 kubectl apply --dry-run=client^?"}},
		{"oc", "oc adm policy add-role-to-user x --dry-run", []string{"1:34 oc adm policy add-role-to-user x --dry-run"}},
		{"broken behind", "kubectl apply --dry-run\nif (((", []string{"1:15 kubectl apply --dry-run"}},
		{"here-document that is text", "cat <<EOF\nkubectl apply --dry-run\nEOF", nil},
	} {
		if diff := cmp.Diff(tt.want, formatCommands(tt.source, Read(Shell, []byte(tt.source)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct {
		name   string
		lang   Language
		source string
		want   []string
	}{
		{"make", Makefile, "KUBECTL ?= kubectl --context $(CTX)\nall: x\n\t@$(KUBECTL) apply \\\n\t  --dry-run -f $<\n", []string{"4:4 kubectl --context … apply --dry-run -f …"}},
		{"make variable", Makefile, "FLAGS := --dry-run\nall:\n\tkubectl apply $(FLAGS)\n", []string{"1:10 kubectl apply --dry-run^"}},
		{"make shell variables", Makefile, "all:\n\tF=--dry-run; kubectl apply $$F\n", []string{"2:4 kubectl apply --dry-run^"}},
		{"make lines are shells", Makefile, "all:\n\tF=--dry-run\n\tkubectl apply $$F\n", nil},
		{"make loop", Makefile, "A = $(B)\nB = $(A)\nall:\n\tkubectl apply $(A) --dry-run\n", []string{"4:21 kubectl apply … --dry-run"}},
		{"make function", Makefile, "X := $(shell kubectl create ns x --dry-run)\nall:\n\techo $(X)\n", []string{"1:34 kubectl create ns x --dry-run^"}},
		{"make comment", Makefile, "# kubectl apply --dry-run\nall: ## kubectl apply --dry-run\n", nil},
		{"docker", Dockerfile, "FROM x\nRUN a && \\\n  # comment\n  kubectl apply --dry-run\n", []string{"4:17 kubectl apply --dry-run"}},
		{"docker here-document", Dockerfile, "RUN <<EOF\nset -e\nkubectl apply --dry-run\nEOF\nRUN x", []string{"3:15 kubectl apply --dry-run"}},
		{"docker label", Dockerfile, "LABEL x=\"kubectl apply --dry-run\"\n", nil},
		{"markdown", Markdown, "Use `kubectl apply --dry-run`.\n\n```sh\nkubectl apply --dry-run\n```\n\n```text\nkubectl apply --dry-run\n```\n", []string{"4:15 kubectl apply --dry-run"}},
		{"markdown list", Markdown, "1. x\n\n   ```bash\n   kubectl apply \\\n     --dry-run\n   ```\n", []string{"5:6 kubectl apply --dry-run"}},
		{"markdown session", Markdown, "```console\n$ kubectl apply \\\n    --dry-run\nkubectl apply --dry-run\n$ cat <<EOF\nkubectl apply --dry-run\nEOF\n```\n", []string{"3:5 kubectl apply --dry-run"}},
		{"markdown session without a name", Markdown, "```\n$ kubectl apply --dry-run\n```\n", []string{"2:17 kubectl apply --dry-run"}},
		{"markdown without a name", Markdown, "```\nkubectl apply --dry-run\n```\n", []string{"2:15 kubectl apply --dry-run"}},
		{"markdown output without a name", Markdown, "```\nWrong: kubectl apply\nkubectl apply --dry-run\n```\n", nil},
		{"markdown synopsis", Markdown, "```sh\nkubectl apply [--dry-run]\n```\n", nil},
	} {
		if diff := cmp.Diff(tt.want, formatCommands(tt.source, Read(tt.lang, []byte(tt.source)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestYAML(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		want         []string
	}{
		{"GitHub", "jobs:\n  a:\n    steps:\n      - name: kubectl apply --dry-run\n        run: kubectl apply --dry-run\n      - run: |\n          kubectl apply \\\n            --dry-run -n ${{ inputs.ns }}\n",
			[]string{"5:28 kubectl apply --dry-run", "8:13 kubectl apply --dry-run -n …"}},
		{"GitHub other shell", "steps:\n  - shell: pwsh\n    run: kubectl apply --dry-run\n", nil},
		{"GitLab", "deploy:\n  script:\n    - F=--dry-run\n    - kubectl apply $F\n  after_script: [\"kubectl delete --dry-run\"]\n", []string{"3:9 kubectl apply --dry-run^", "5:34 kubectl delete --dry-run"}},
		{"folded", "a:\n  run: >-\n    kubectl apply\n    --dry-run\n    -f x\n\n    kubectl delete --dry-run\n", []string{"4:5 kubectl apply --dry-run -f x", "7:20 kubectl delete --dry-run"}},
		{"folded with indented lines", "run: >\n  if a; then\n    kubectl apply --dry-run\n  fi\n", []string{"3:19 kubectl apply --dry-run"}},
		{"double quotes", "run: \"X=\\\"a\\\"; kubectl \\\n  apply\n  --dry-run\"\n", []string{"3:3 kubectl apply --dry-run"}},
		{"single quotes", "run: 'X=''a''; kubectl apply --dry-run'\n", []string{"1:30 kubectl apply --dry-run"}},
		{"plain over lines", "run: kubectl apply\n  --dry-run\n", []string{"2:3 kubectl apply --dry-run"}},
		{"unicode", "run: \"é kubectl; kubectl apply --dry-run\"\n", []string{"1:33 kubectl apply --dry-run"}},
		{"CircleCI", "steps:\n  - run:\n      command: kubectl apply --dry-run\n", []string{"3:30 kubectl apply --dry-run"}},
		{"container", "spec:\n  containers:\n    - command: [kubectl]\n      args: [apply, --dry-run]\n    - command: [sh, -c, \"kubectl apply --dry-run\"]\n    - image: bitnami/kubectl:1.30\n      args:\n        - apply\n        - --dry-run\n",
			[]string{"4:21 kubectl apply --dry-run", "5:40 kubectl apply --dry-run", "9:11 kubectl apply --dry-run"}},
		{"Tekton", "steps:\n  - script: |\n      #!/usr/bin/env bash\n      kubectl apply --dry-run\n  - script: |\n      #!/usr/bin/env python\n      kubectl apply --dry-run\n", []string{"4:21 kubectl apply --dry-run"}},
		{"ConfigMap", "data:\n  run.sh: |\n    kubectl apply --dry-run\n  notes.txt: |\n    kubectl apply --dry-run\n", []string{"3:19 kubectl apply --dry-run"}},
		{"description", "spec:\n  description: kubectl apply --dry-run\n  properties:\n    command:\n      description: run kubectl apply --dry-run\n", nil},
		{"anchor", "x: &run |\n  kubectl apply --dry-run\na:\n  run: *run\nb:\n  run: *run\n", []string{"2:17 kubectl apply --dry-run", "2:17 kubectl apply --dry-run"}},
	} {
		if diff := cmp.Diff(tt.want, formatCommands(tt.source, readYAML(t, tt.source))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestShape(t *testing.T) {
	for script, want := range map[string]string{
		"kubectl create secret generic one --from-literal=a=b --from-literal c=d --dry-run -o yaml":   "kubectl create --from-literal --dry-run -o",
		"kubectl create secret generic two --from-literal=x=y --dry-run -o yaml | kubectl apply -f -": "kubectl create --from-literal --dry-run -o",
		"oc apply -f x.yaml --dry-run=true":                        "oc apply -f --dry-run",
		"kubectl run --dry-run " + strings.Repeat("--ä", maxShape): "kubectl run --dry-run " + strings.Repeat("--ä", (maxShape-22)/4) + "--",
	} {
		f := Read(Shell, []byte(script+"\n"))
		if len(f.Commands) == 0 {
			t.Errorf("%s: no command", script)
			continue
		}
		if got := f.Commands[0].Shape(); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}
