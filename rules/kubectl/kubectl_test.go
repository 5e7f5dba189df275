package kubectl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules/kubectl"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const (
	bareText   = "--dry-run is deprecated and can be replaced with --dry-run=client."
	trueText   = "--dry-run=true is deprecated (boolean value) and can be replaced with --dry-run=client."
	falseText  = "--dry-run=false is deprecated (boolean value) and can be replaced with --dry-run=none."
	serverText = "Flag --server-dry-run has been deprecated, --server-dry-run is deprecated and can be replaced with --dry-run=server."
)

func invalid(value string) string {
	return `Invalid dry-run value (` + value + `). Must be "none", "server", or "client".`
}

func noBoolean(value string) string {
	return `invalid argument "` + value + `" for "--dry-run" flag: strconv.ParseBool: parsing "` + value + `": invalid syntax`
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		line string // command line, with the program's name
		from lifecycle.Minor
		to   lifecycle.Minor
		want []kubectl.Verdict
	}{
		// The forms of --dry-run in 1.16 and 1.17, and in later releases.
		{"kubectl apply -f x", 16, 37, nil},
		{"kubectl apply --dry-run -f x", 16, 17, nil},
		{"kubectl apply --dry-run -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},
		{"kubectl apply --dry-run=true -f x", 16, 17, nil},
		{"kubectl apply --dry-run=true -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Does: kubectl.Client, Text: trueText, Replacement: "--dry-run=client", Safe: true}}},
		{"kubectl apply --dry-run=T -f x", 18, 37, []kubectl.Verdict{{
			Index: 1, Count: 1, Does: kubectl.Client, Replacement: "--dry-run=client", Safe: true,
			Text: "--dry-run=T is deprecated (boolean value) and can be replaced with --dry-run=client.",
		}}},
		{"kubectl apply --dry-run=false -f x", 16, 17, nil},
		{"kubectl apply --dry-run=false -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Does: kubectl.None, Text: falseText, Replacement: "--dry-run=none", Safe: true}}},
		{"kubectl apply --dry-run=client -f x", 18, 37, nil},
		{"kubectl apply --dry-run=client -f x", 16, 17, []kubectl.Verdict{{Index: 1, Count: 1, Text: noBoolean("client"), Replacement: "--dry-run"}}},
		{"kubectl apply --dry-run=server -f x", 18, 37, nil},
		{"kubectl apply --dry-run=server -f x", 16, 17, []kubectl.Verdict{{Index: 1, Count: 1, Text: noBoolean("server")}}},
		{"kubectl apply --dry-run=none -f x", 18, 37, nil},
		{"kubectl apply --dry-run=none -f x", 16, 17, []kubectl.Verdict{{Index: 1, Count: 1, Text: noBoolean("none"), Replacement: "--dry-run=false"}}},
		{"kubectl apply --dry-run=unchanged -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},
		{"kubectl apply --dry-run= -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: invalid("")}}},
		{"kubectl apply --dry-run=Client -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: invalid("Client"), Replacement: "--dry-run=client"}}},
		{`kubectl apply --dry-run="server" -f x`, 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: invalid(`"server"`), Replacement: "--dry-run=server"}}},
		{"kubectl apply --dry-run=All -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: invalid("All")}}},
		{"kubectl apply --dry-run server -f x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 2, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=server", Stray: "server"}}},
		{"kubectl create configmap x --dry-run client -o yaml", 18, 37, []kubectl.Verdict{{Index: 3, Count: 2, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Stray: "client"}}},
		{"kubectl create configmap x --dry-run client", 16, 17, []kubectl.Verdict{{Index: 3, Count: 2, Does: kubectl.Client, Stray: "client"}}},

		// --server-dry-run, a flag of 1.16 to 1.18.
		{"kubectl apply --server-dry-run -f x", 16, 17, nil},
		{"kubectl apply --server-dry-run -f x", 18, 18, []kubectl.Verdict{{Index: 1, Count: 1, Does: kubectl.Server, Text: serverText, Replacement: "--dry-run=server", Safe: true}}},
		{"kubectl apply --server-dry-run -f x", 19, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --server-dry-run", Replacement: "--dry-run=server", Since: 19}}},
		{"kubectl apply --server-dry-run=false -f x", 16, 18, nil},
		{"kubectl apply --server-dry-run=false -f x", 19, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --server-dry-run", Since: 19}}},
		{"kubectl delete --server-dry-run pod x", 18, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --server-dry-run", Replacement: "--dry-run=server"}}},

		// Commands with and without --dry-run.
		{"kubectl delete --dry-run pod x", 16, 17, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl delete --dry-run=client pod x", 18, 37, nil},
		{"kubectl scale --dry-run=client deploy/x", 18, 18, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl scale --dry-run=client deploy/x", 19, 37, nil},
		{"kubectl rollout undo --dry-run=client deploy/x", 18, 37, nil},
		{"kubectl rollout restart --dry-run=client deploy/x", 16, 37, []kubectl.Verdict{{Index: 2, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl get --dry-run pods", 16, 37, []kubectl.Verdict{{Index: 1, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl create token x --dry-run=client", 24, 37, []kubectl.Verdict{{Index: 3, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl apply view-last-applied --dry-run", 18, 37, []kubectl.Verdict{{Index: 2, Count: 1, Text: "unknown flag: --dry-run"}}},
		{"kubectl set image --dry-run=client deploy/x a=b", 18, 37, nil},
		{"kubectl auth reconcile --dry-run -f x", 18, 37, []kubectl.Verdict{{Index: 2, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},
		{"kubectl myplugin apply --dry-run", 16, 37, nil},
		{"kubectl --dry-run", 16, 37, nil},
		{"kubectl -n create get pods", 16, 37, nil},
		{"kubectl -n team apply --dry-run -f x", 37, 37, []kubectl.Verdict{{Index: 3, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},
		{"kubectl --dry-run=true create -f x", 37, 37, []kubectl.Verdict{{Index: 0, Count: 1, Does: kubectl.Client, Text: trueText, Replacement: "--dry-run=client", Safe: true}}},

		{"kubectl --dry-run create -f x", 16, 37, nil}, // cobra reads create as the value of --dry-run
		{"kubectl rollout --dry-run undo deploy/x", 16, 37, nil},
		{"kubectl --warnings-as-errors apply -f x --dry-run", 37, 37, []kubectl.Verdict{{Index: 4, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},

		// Some commands of oc have kubectl's --dry-run, others have a boolean
		// --dry-run.
		{"oc new-app --dry-run x", 16, 37, nil},
		{"oc idle --dry-run x", 16, 37, nil},
		{"oc image mirror --dry-run a b", 16, 37, nil},
		{"oc create route edge --dry-run", 18, 37, []kubectl.Verdict{{Index: 3, Count: 1, Does: kubectl.Client, Text: bareText, Replacement: "--dry-run=client", Safe: true}}},
		{"oc adm policy add-scc-to-user privileged x --dry-run=true", 18, 37, []kubectl.Verdict{{Index: 5, Count: 1, Does: kubectl.Client, Text: trueText, Replacement: "--dry-run=client", Safe: true}}},
		{"oc adm policy who-can get pods --dry-run=true", 18, 37, nil},
		{"oc adm groups sync --dry-run", 18, 37, nil},
		{"kubectl adm policy add-scc-to-user privileged x --dry-run=true", 18, 37, nil},
		{"oc set volume dc/x --dry-run=false", 18, 37, []kubectl.Verdict{{Index: 3, Count: 1, Does: kubectl.None, Text: falseText, Replacement: "--dry-run=none", Safe: true}}},

		// Other flags that change the effect of --dry-run.
		{"kubectl run x --image=y -- tool --dry-run", 16, 37, nil},
		{"kubectl apply --dry-run --dry-run=server -f x", 18, 37, nil},
		{"kubectl label pods x -l --dry-run", 18, 37, nil},
		{"kubectl apply --server-side --dry-run -f x", 16, 17, []kubectl.Verdict{{Index: 2, Count: 1, Text: "--dry-run doesn't work with --server-side (did you mean --server-dry-run instead?)", Replacement: "--server-dry-run"}}},
		{"kubectl apply --server-side --dry-run=client -f x", 18, 37, []kubectl.Verdict{{
			Index: 2, Count: 1, Text: "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)", Replacement: "--dry-run=server", Since: 18,
		}}},
		{"kubectl apply --server-side --dry-run=server -f x", 18, 37, nil},
		{"kubectl apply --dry-run --server-dry-run -f x", 17, 17, []kubectl.Verdict{{Index: 1, Count: 1, Text: "--dry-run and --server-dry-run can't be used together"}}},
		{"kubectl apply --force --dry-run=server -f x", 18, 18, nil},
		{"kubectl apply --force --dry-run=server -f x", 19, 37, []kubectl.Verdict{{Index: 2, Count: 1, Text: "--dry-run=server cannot be used with --force", Since: 19}}},
		{"kubectl replace --force --dry-run=client -f x", 18, 24, nil},
		{"kubectl replace --force --dry-run=client -f x", 25, 37, []kubectl.Verdict{{Index: 2, Count: 1, Text: "--dry-run can not be used when --force is set", Since: 25}}},
		{"kubectl patch --local --dry-run=server -f x", 18, 37, []kubectl.Verdict{{
			Index: 2, Count: 1, Text: "cannot specify --local and --dry-run=server - did you mean --dry-run=client?", Replacement: "--dry-run=client", Since: 18,
		}}},
	} {
		words := strings.Fields(tt.line)
		for minor := tt.from; minor <= tt.to; minor++ {
			got := kubectl.Check(kubectl.ProgramOf(words[0]), kubectl.Args(words[1:]...), minor)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s, %v (-want +got):\n%s", tt.line, minor, diff)
			}
		}
	}
}

// TestCheckUnknown checks command lines that are known only in part.
func TestCheckUnknown(t *testing.T) {
	many, open := kubectl.Arg{Many: true}, kubectl.Arg{Open: true}
	word := func(text string) kubectl.Arg { return kubectl.Arg{Text: text} }
	maybe := func(text string) kubectl.Arg { return kubectl.Arg{Text: text, Maybe: true} }
	for _, tt := range []struct {
		name string
		args []kubectl.Arg
		want int // number of verdicts
	}{
		{"flags in front", []kubectl.Arg{many, word("apply"), word("--dry-run"), many}, 1},
		{"command unknown", []kubectl.Arg{open, word("--dry-run")}, 0},
		{"word in front of the command", []kubectl.Arg{open, word("apply"), word("--dry-run")}, 0},
		{"value of a flag", []kubectl.Arg{word("-n"), open, word("apply"), word("--dry-run")}, 1},
		{"flag with an unknown value", []kubectl.Arg{word("apply"), {Text: "--dry-run=", Open: true}}, 0},
		{"flag with a boolean", []kubectl.Arg{word("apply"), {Text: "--dry-run=", Open: true, Bool: true}}, 1},
		{"flag with an unknown name", []kubectl.Arg{word("apply"), {Text: "--dry-run", Open: true}}, 0},
		{"overridden for certain", []kubectl.Arg{word("apply"), word("--dry-run"), word("--dry-run=client")}, 0},
		{"overridden perhaps", []kubectl.Arg{word("apply"), word("--dry-run"), maybe("--dry-run=client")}, 1},
		{"what cannot be there", []kubectl.Arg{word("apply"), maybe("--server-side"), word("--dry-run=client")}, 0},
		{"plug-in, perhaps", []kubectl.Arg{maybe("x"), word("apply"), word("--dry-run")}, 0},
		{"subcommand unknown", []kubectl.Arg{word("rollout"), open, word("--dry-run")}, 0},
		{"nothing", nil, 0},
	} {
		if got := kubectl.Check(kubectl.Kubectl, tt.args, lifecycle.Newest); len(got) != tt.want {
			t.Errorf("%s: %+v, want %d", tt.name, got, tt.want)
		}
	}
	if got := kubectl.Check(0, kubectl.Args("apply", "--dry-run"), lifecycle.Newest); got != nil {
		t.Errorf("no program: %+v", got)
	}
}

func TestProgramOf(t *testing.T) {
	for file, want := range map[string]kubectl.Program{
		"kubectl": kubectl.Kubectl, "/usr/local/bin/kubectl": kubectl.Kubectl, `C:\tools\kubectl.exe`: kubectl.Kubectl, "oc": kubectl.OC,
		"helm": 0, "": 0, "kubectl-argo-rollouts": 0, "oc-mirror": 0,
	} {
		if got := kubectl.ProgramOf(file); got != want {
			t.Errorf("ProgramOf(%q) = %v, want %v", file, got, want)
		}
	}
}

func TestMessage(t *testing.T) {
	for line, want := range map[string]string{
		"kubectl apply --dry-run":           "kubectl warns: " + bareText,
		"oc apply --dry-run=false":          "oc writes, and warns: " + falseText,
		"kubectl apply --dry-run server":    `kubectl takes "server" for an argument of its own, and --dry-run for --dry-run=client: write --dry-run=server`,
		"kubectl apply --server-dry-run":    "kubectl refuses this since 1.19: unknown flag: --server-dry-run: use --dry-run=server",
		"kubectl apply --dry-run=All":       `kubectl refuses this: Invalid dry-run value (All). Must be "none", "server", or "client"`,
		"kubectl rollout restart --dry-run": "kubectl refuses this: unknown flag: --dry-run",
	} {
		words := strings.Fields(line)
		args := kubectl.Args(words[1:]...)
		for _, v := range kubectl.Check(kubectl.ProgramOf(words[0]), args, lifecycle.Newest) {
			if got := v.Message(kubectl.ProgramOf(words[0]), args[v.Index]); got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		}
	}
}
