package checks

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	yaml "go.yaml.in/yaml/v2"
)

// TestFixRecorded fixes all objects that real API servers converted, written in
// several styles. The edited text must equal the object after the plan's steps.
// Another test compares the steps with the servers' answers:
// rules/apiserver/conversion/recorded_test.go.
func TestFixRecorded(t *testing.T) {
	files, err := filepath.Glob("../../rules/apiserver/conversion/testdata/oracle/conversions-*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded conversions: %v", err)
	}
	edited, refused := 0, map[string]int{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var recorded struct {
				ID, Release string
				From        json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &recorded); err != nil {
				t.Fatal(err)
			}
			object, err := wire.JSON(recorded.From)
			if err != nil {
				t.Fatal(err)
			}
			for _, version := range []string{recorded.Release, "1.37"} {
				target, err := lifecycle.NewTarget(version, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				plan, ok := conversion.Of(object, target)
				if !ok || len(plan.Steps) == 0 {
					continue
				}
				for style, d := range styles(t, recorded.From) {
					edits, err := d.Edits(plan.Steps)
					if err != nil {
						t.Errorf("%s in style %s: %v", recorded.ID, style, err)
						refused[err.Error()]++
						continue
					}
					want, err := applySteps(decodeYAML(t, d.Text), plan.Steps)
					if err != nil {
						t.Fatal(err)
					}
					var out []byte
					at := 0
					for _, e := range edits {
						out = append(append(out, d.Text[at:e.Start]...), e.New...)
						at = e.End
					}
					out = append(out, d.Text[at:]...)
					if !reflect.DeepEqual(decodeYAML(t, out), want) {
						t.Errorf("%s in style %s: the edited text is not what the steps make\n%s", recorded.ID, style, out)
					}
					if strings.Count(string(d.Text), "# note") > strings.Count(string(out), "# note") {
						t.Errorf("%s in style %s: a comment is lost\n%s\nwas\n%s", recorded.ID, style, out, d.Text)
					}
					if d.JSON && !json.Valid(out) {
						t.Errorf("%s in style %s: no JSON any more\n%s", recorded.ID, style, out)
					}
					edited++
				}
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d texts edited, refused: %v", edited, refused)
	if edited < 1000 {
		t.Errorf("%d texts edited only", edited)
	}
}

// styles returns an object in several styles of YAML and JSON.
func styles(t *testing.T, object []byte) map[string]*fix.Document {
	t.Helper()
	var v yaml.MapSlice
	if err := yaml.Unmarshal(object, &v); err != nil {
		t.Fatal(err)
	}
	block, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var indented, compact bytes.Buffer
	if err := json.Indent(&indented, object, "", "\t"); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&compact, object); err != nil {
		t.Fatal(err)
	}
	// Add a comment above and after each line, unless a value has several lines.
	noted := block
	if !bytes.ContainsAny(block, "|>\"'") && !strings.Contains(string(block), "\n  \n") {
		var b bytes.Buffer
		for _, line := range strings.SplitAfter(strings.TrimSuffix(string(block), "\n"), "\n") {
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			b.WriteString(indent + "# note above\n" + strings.TrimSuffix(line, "\n") + " # note behind\n")
		}
		if reflect.DeepEqual(decodeYAML(t, b.Bytes()), decodeYAML(t, block)) {
			noted = b.Bytes()
		}
	}
	return map[string]*fix.Document{
		"block":    {Text: block},
		"noted":    {Text: noted},
		"CRLF":     {Text: bytes.ReplaceAll(block, []byte("\n"), []byte("\r\n"))},
		"cut":      {Text: bytes.TrimSuffix(block, []byte("\n"))},
		"marked":   {Text: append([]byte("--- # note\n"), append(block, "...\n"...)...)},
		"brackets": {Text: append(bytes.Clone(compact.Bytes()), '\n')},
		"compact":  {Text: compact.Bytes(), JSON: true},
		"indented": {Text: indented.Bytes(), JSON: true},
	}
}
