package conversion_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// corpusFixed is a release's answer to a converted object of the corpus. The
// fields From, Sent and Object are SHA-256 sums of JSON texts:
//
//   - From: the old object
//   - Sent: the converted object as it was sent
//   - Object: the new object in the answer
type corpusFixed struct {
	Release string `json:"release"`
	From    string `json:"from"`
	Sent    string `json:"sent"`
	Object  string `json:"object"`
}

// TestCorpus checks the plans for real manifests against recorded answers of
// releases. Each release stored two objects: the converted object and the old
// object. It then returned both in the new version, and both must be equal. If
// KUBEVET_CORPUS is set, the plans must still lead to the recorded objects.
func TestCorpus(t *testing.T) {
	type answer struct {
		From    string `json:"from"`
		Release string `json:"release"`
		To      string `json:"to"`
		Code    int    `json:"code"`
	}
	want := map[[2]string]string{}
	for _, a := range recorded.Lines[answer](t, "testdata/oracle/corpus.jsonl.gz") {
		if a.Code == 201 {
			want[[2]string{a.Release, a.From}] = a.To
		}
	}
	const answers = "testdata/oracle/corpus-fixed.jsonl.gz"
	if *record != "" {
		joinCorpus(t, *record, answers)
	}
	sent, asking := map[string]string{}, map[string]*strings.Builder{}
	if *ask != "" {
		for k := range want {
			if asking[k[0]] == nil {
				asking[k[0]] = &strings.Builder{}
			}
			sent[k[1]] = k[0]
		}
	}
	for _, f := range recorded.Lines[corpusFixed](t, answers) {
		if *ask != "" {
			break
		}
		sent[f.From] = f.Sent
		if f.Object == "" || f.Object != want[[2]string{f.Release, f.From}] {
			t.Errorf("%s shows the object %s and its conversion otherwise", f.Release, f.From)
		}
	}
	if len(sent) < 250 {
		t.Fatalf("only %d objects were asked for", len(sent))
	}

	data := os.Getenv("KUBEVET_CORPUS")
	if data == "" {
		t.Skip("KUBEVET_CORPUS is not set")
	}
	target := targetOf(t, "1.37")
	found := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(data, "corpus"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, doc := range bytes.Split(data, []byte("\n---")) {
			node, err := yaml.Parse(string(doc))
			if err != nil {
				continue
			}
			v, _, err := wire.YAML(node.YNode(), doc, 1)
			if err != nil || v.Kind != wire.Map {
				continue
			}
			from := digest(t, v)
			asked, ok := sent[from]
			if !ok || found[from] {
				continue
			}
			found[from] = true
			plan, ok := conversion.Of(v, target)
			if *ask != "" {
				if applied, err := conversion.Apply(v, plan.Steps); ok && plan.Safety == conversion.Safe && err == nil {
					line, err := json.Marshal(map[string]any{"id": from, "obj": plain(applied)})
					if err != nil {
						return err
					}
					asking[asked].Write(append(line, '\n'))
				}
				continue
			}
			if !ok || plan.Safety != conversion.Safe {
				t.Errorf("%s: the plan was safe and is %s: %q", path, plan.Safety, plan.Notes)
				continue
			}
			applied, err := conversion.Apply(v, plan.Steps)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if digest(t, applied) != asked {
				t.Errorf("%s: nobody has asked for what the plan makes; record it", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for release, text := range asking {
		if err := os.WriteFile(filepath.Join(*ask, "corpus-"+release+".jsonl"), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if *ask == "" && len(found) < len(sent)*9/10 {
		t.Errorf("only %d of %d objects were found", len(found), len(sent))
	}
}

// joinCorpus joins questions (corpus-RELEASE.jsonl, written by -ask) and answers
// (corpus-RELEASE.answers), and writes them to a file.
func joinCorpus(t *testing.T, dir, file string) {
	t.Helper()
	questions, err := filepath.Glob(filepath.Join(dir, "corpus-*.jsonl"))
	if err != nil || len(questions) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	var all []corpusFixed
	for _, name := range questions {
		sent := map[string]string{}
		each := func(name string, do func(id string, obj, object json.RawMessage)) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(data) {
				var one struct {
					ID     string          `json:"id"`
					Obj    json.RawMessage `json:"obj"`
					Object json.RawMessage `json:"object"`
				}
				if err := json.Unmarshal(line, &one); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				do(one.ID, one.Obj, one.Object)
			}
		}
		each(name, func(id string, obj, _ json.RawMessage) { sent[id] = digest(t, value(t, obj)) })
		base := strings.TrimSuffix(name, ".jsonl")
		each(base+".answers", func(id string, _, object json.RawMessage) {
			f := corpusFixed{Release: strings.TrimPrefix(filepath.Base(base), "corpus-"), From: id, Sent: sent[id]}
			if object != nil {
				f.Object = digest(t, value(t, object))
			}
			all = append(all, f)
		})
	}
	recorded.Write(t, file, all)
}

func digest(t *testing.T, v *wire.Value) string {
	t.Helper()
	data, err := json.Marshal(plain(v))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
