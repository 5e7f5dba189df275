package manifestgen

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestRunDirectoryAndTruth(t *testing.T) {
	dir := t.TempDir()
	truth := filepath.Join(dir, "truth.jsonl")
	var stdout, stderr bytes.Buffer
	if err := run([]string{"-n", "50", "-dir", filepath.Join(dir, "tree"), "-truth", truth}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stdout.String(), "seed 1: 50 objects in ") || stderr.Len() > 0 {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
	lines, err := os.ReadFile(truth)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(lines, []byte("\n")); n != 50 {
		t.Errorf("%d lines of truth, want 50", n)
	}
}

func TestRunStream(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stream.yaml")
	var toFile, toStdout, report bytes.Buffer
	if err := run([]string{"-bytes", "64K", "-stream", file}, &toFile, &report); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-bytes", "64K", "-stream", "-"}, &toStdout, &report); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, toStdout.Bytes()) {
		t.Error("the file and standard output differ")
	}
	// If the manifests go to standard output, the summary must go to standard error.
	if toFile.String() != report.String() {
		t.Errorf("summary on stdout %q, on stderr %q", toFile.String(), report.String())
	}
	if n := len(written); n < 64<<10 || n > 80<<10 {
		t.Errorf("%d bytes, want about 64K", n)
	}
}

// TestRunDump checks that lists in YAML and in JSON have the same objects as the stream.
func TestRunDump(t *testing.T) {
	dir := t.TempDir()
	var stream, report bytes.Buffer
	if err := run([]string{"-n", "60", "-stream", "-"}, &stream, &report); err != nil {
		t.Fatal(err)
	}
	var want []any
	for text := range strings.SplitSeq(stream.String(), "\n---\n") {
		var object any
		if err := yaml.Unmarshal([]byte(text+"\n"), &object); err != nil {
			t.Fatal(err)
		}
		want = append(want, object)
	}
	for _, name := range []string{"dump.yaml", "dump.json"} {
		file := filepath.Join(dir, name)
		if err := run([]string{"-n", "60", "-dump", file}, &report, &report); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Kind  string
			Items []any
		}
		unmarshal := func(text []byte, v any) error { return yaml.Unmarshal(text, v) }
		if name == "dump.json" {
			unmarshal = json.Unmarshal
		}
		if err := unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, list.Items); diff != "" || list.Kind != "List" {
			t.Errorf("%s of %s (-want +got):\n%s", name, list.Kind, diff)
		}
	}
}

func TestRunRejects(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-n", "5"}, {"-dir", "x"}, {"-n", "-1", "-dir", "x"}, {"-n", "5", "-dir", "x", "-stream", "y"},
		{"-n", "5", "-dump", "x", "-stream", "y"}, {"-n", "5", "-dir", "x", "more"}, {"-bytes", "1T", "-stream", "-"}, {"-bytes", "99999999999G", "-stream", "-"},
	} {
		if err := run(args, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{"1500": 1500, "64K": 65536, "2M": 2 << 20, "1G": 1 << 30} {
		if got, err := size(s); err != nil || got != want {
			t.Errorf("size(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
}
