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

// TestRulesOfProjects compiles the rules of definitions that projects publish.
// What a release refuses is listed with the reason.
func TestRulesOfProjects(t *testing.T) {
	definitions, rules := 0, 0
	eachDefinition(t, corpustest.Path(t, "corpus"), func(file string, crd *wire.Value) {
		definitions++
		rules += bytes.Count([]byte(jsonText(plainValue(crd))), []byte(`"rule":`))
		for m := lifecycle.Minor(25); m <= 37; m++ {
			r := apiserver.Request{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", New: crd}
			for _, c := range DefinitionCauses(apiserver.Server{Minor: m}, r) {
				t.Errorf("%s at 1.%d: %s: %s", file, m, c.Field, c.Text)
			}
		}
	})
	t.Logf("%d definitions, %d rules", definitions, rules)
}

// eachDefinition calls f for the definitions with rules in the files below a
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
