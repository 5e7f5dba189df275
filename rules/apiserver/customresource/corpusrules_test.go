package customresource

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/kubevet/kubevet/internal/corpustest"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// refusedRules has the published definitions whose rules older servers refuse, by
// name. In a new rule, a server accepts a function only if the previous release
// already had it. Other definitions are accepted by every release that has CEL
// rules.
var refusedRules = map[string]struct {
	oldest  lifecycle.Minor
	message string
}{
	"tlsroutes.gateway.networking.k8s.io":   {31, "undeclared reference to 'isIP'"},   // isIP is from 1.30
	"xbackends.gateway.networking.x-k8s.io": {32, "undeclared reference to 'format'"}, // format is from 1.31
}

// TestRulesOfProjects compiles the rules of published definitions for every
// release.
func TestRulesOfProjects(t *testing.T) {
	definitions, rules := 0, 0
	eachDefinition(t, corpustest.Path(t, "corpus"), func(file string, crd *wire.Value) {
		definitions++
		rules += strings.Count(jsonText(plainValue(crd)), `"rule":`)
		need, limited := refusedRules[crd.At("metadata", "name").StringOr("")]
		for m := lifecycle.Minor(25); m <= 37; m++ {
			r := apiserver.Request{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", New: crd}
			causes := DefinitionCauses(apiserver.Server{Minor: m}, r)
			if limited && m < need.oldest && len(causes) == 0 && strings.Contains(file, "HEAD") {
				t.Errorf("%s at 1.%d: accepted, want %q", file, m, need.message)
			}
			for _, c := range causes {
				if !limited || m >= need.oldest || !strings.Contains(c.Text, need.message) {
					t.Errorf("%s at 1.%d: %s: %s", file, m, c.Field, c.Text)
				}
			}
		}
	})
	if t.Logf("%d definitions, %d rules", definitions, rules); rules < 300 {
		t.Errorf("only %d rules", rules)
	}
}

// eachDefinition calls f for each definition with rules in the YAML files below a
// directory.
func eachDefinition(t *testing.T, dir string, f func(file string, crd *wire.Value)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(rulesKeyword)) || bytes.Contains(text, []byte("{{")) {
			return err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var doc yaml.Node
			if decoder.Decode(&doc) != nil {
				return nil
			}
			v, _, err := wire.YAML(doc.Content[0], text, 1)
			if err != nil {
				return nil
			}
			if v.Get("kind").StringOr("") == "CustomResourceDefinition" && strings.Contains(jsonText(plainValue(v)), rulesKeyword) {
				f(strings.TrimPrefix(path, dir+"/"), v)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
