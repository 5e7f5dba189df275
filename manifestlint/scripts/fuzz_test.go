package scripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// checkPlaces checks that all positions are in the source, and that exact
// places have the text of the source.
func checkPlaces(t *testing.T, source string, f *File) {
	t.Helper()
	inside := func(what string, p Place) {
		if p.Start < 0 || p.End < p.Start || p.End > len(source) {
			t.Fatalf("%s: %+v is not in a text of %d bytes", what, p, len(source))
		}
	}
	for _, c := range f.Commands {
		if len(c.Args) != len(c.At) || len(c.Args) != len(c.Versioned) {
			t.Fatalf("%d arguments, %d places", len(c.Args), len(c.At))
		}
		for i, p := range c.At {
			inside("argument", p)
			if a := c.Args[i]; p.Exact && !a.Open && !a.Many && source[p.Start:p.End] != a.Text {
				t.Fatalf("argument %q is said to be %q", a.Text, source[p.Start:p.End])
			}
		}
	}
	for _, m := range f.Manifests {
		filled := m.fill()
		if !filled.known() {
			t.Fatalf("%q has unknown parts", filled.s)
		}
		for i := range len(filled.s) {
			p := filled.place(i, i+1)
			inside("manifest", p)
			if p.Exact && source[p.Start:p.End] != filled.s[i:i+1] {
				t.Fatalf("byte %d of the manifest is said to be %q", i, source[p.Start:p.End])
			}
		}
	}
	for _, c := range f.Comments {
		inside("comment", c.At)
		if c.From < 0 || c.To < c.From || c.To > len(source) {
			t.Fatalf("comment is about %d to %d of %d bytes", c.From, c.To, len(source))
		}
	}
}

func FuzzRead(f *testing.F) {
	for lang := Shell; lang <= Markdown; lang++ {
		for _, seed := range []string{
			"kubectl apply --dry-run", "a() { kubectl \"$@\"; }\na --dry-run=$X apply", "cat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: $K\nEOF\n",
			"# kubevet:ignore kubectldryrun -- x\nkubectl apply --dry-run # kubevet:ignore x", "- ```\n\n```", "<!-- kubevet:ignore a ---\n", "all:\n\t@kubectl apply $(X) \\\n\t --dry-run\nX = $(Y)\nY += $(X)",
			"RUN <<A\nkubectl apply --dry-run\nA\nCMD [\"kubectl\", \"apply\\n\", \"--dry-run\"]", "x := '--dry-run'\nr:\n  @kubectl apply {{x}}\n",
			"sh '''kubectl apply \\\n --dry-run ${x}'''\nsh \"kubectl apply --dry-run=\\${x}\"", "<!-- kubevet:ignore a -->\n- ```sh\n  $ kubectl apply \\\n  > --dry-run\n  ```\n",
			"eval \"kubectl apply $(cat <<-'A'\n\t--dry-run\n\tA\n)\"\r\n", "\xef\xbb\xbfkubectl apply --dry-run", "echo -e 'apiVersion: v1\\nkind: ${A}' | envsubst | oc apply -f -",
		} {
			f.Add(uint8(lang), seed)
		}
	}
	f.Fuzz(func(t *testing.T, lang uint8, source string) {
		l := Shell + Language(lang)%(Markdown-Shell+1)
		checkPlaces(t, source, Read(l, []byte(source)))
	})
}

func FuzzYAML(f *testing.F) {
	for _, seed := range []string{
		"run: |2-\n    kubectl apply \\\n     --dry-run\n", "run: >+\n kubectl\n apply\n\n  --dry-run\n\n\n", "run: \"kubectl\\x20apply \\\n  --dry-run\\\n  \"\n",
		"script: ['kubectl ''apply'' --dry-run', kubectl\n  apply --dry-run]\n", "command: [kubectl]\nargs: [apply, !!str --dry-run]\n", "a: &x\n- run: &y kubectl apply --dry-run\nb: *x\nrun: *y\n",
		"run: |\r\n  kubectl apply\\\r\n   --dry-run\r\n", "run: >\n\n\n  cat <<A | kubectl apply -f -\n  apiVersion: v1\n\n    kind: x\n  A\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var node yaml.Node
		if strings.Contains(source, "\x00") || yaml.Unmarshal([]byte(source), &node) != nil {
			return
		}
		root, _, err := wire.YAML(&node, []byte(source), 1)
		if err != nil {
			return
		}
		checkPlaces(t, source, YAML(root, NewSource([]byte(source), 1)))
	})
}

// TestBounded checks that reading stops for texts that grow exponentially, such
// as a variable that doubles its value.
func TestBounded(t *testing.T) {
	for name, source := range map[string]string{
		"doubling":  "X=aaaaaaaaaaaaaaaa\n" + strings.Repeat("X=\"$X$X\"\nY=\"$X\"\n", 3000) + "kubectl apply --dry-run $X",
		"calls":     "f0() { kubectl apply --dry-run \"$@\"; }\n" + calls2(40) + "f40 x",
		"nesting":   strings.Repeat("(", 5000) + "kubectl apply --dry-run" + strings.Repeat(")", 5000),
		"quotes":    strings.Repeat("eval \"", 3000) + "kubectl apply --dry-run",
		"words":     "kubectl apply --dry-run " + strings.Repeat("$X ", 100_000),
		"documents": strings.Repeat("cat <<A | kubectl apply -f -\napiVersion: v1\nA\n", 20_000),
	} {
		t.Run(name, func(t *testing.T) { checkPlaces(t, source, Read(Shell, []byte(source))) })
	}
}

func calls2(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "f%d() { f%d \"$@\"; f%d \"$@\"; }\n", i, i-1, i-1)
	}
	return b.String()
}
