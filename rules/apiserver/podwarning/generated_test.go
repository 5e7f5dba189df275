package podwarning

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

var update = flag.Bool("update", false, "ask KUBEVET_ASK again for the answers to generated objects")

// TestGenerated holds the warnings about random objects to what the functions
// of each release said of them.
func TestGenerated(t *testing.T) {
	if *update {
		record(t)
	}
	questions := readLines[question](t, "testdata/generated.jsonl.gz")
	files, _ := filepath.Glob("testdata/generated-1.*.jsonl.gz")
	if len(files) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, file := range files {
		minor := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "generated-1."), ".jsonl.gz")
		t.Run("1."+minor, func(t *testing.T) {
			n, err := strconv.Atoi(minor)
			if err != nil {
				t.Fatal(err)
			}
			s := apiserver.Server{Minor: lifecycle.Minor(n)}
			replies := readLines[reply](t, file)
			if len(replies) != len(questions) {
				t.Fatalf("%d answers to %d questions", len(replies), len(questions))
			}
			for i, a := range replies {
				if diff := cmp.Diff(ours(a.Warnings), said(s, requestOf(t, questions[i]), a.Code)); diff != "" {
					t.Errorf("%s (-server +here):\n%s", questions[i].ID, diff)
				}
			}
		})
	}
}

// record asks the program that KUBEVET_ASK names for every minor in
// KUBEVET_ASK_MINORS.
func record(t *testing.T) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(2026, 11))}
	var questions []question
	for _, kind := range generatedKinds {
		for i := range 16 {
			q := question{ID: strconv.Itoa(len(questions)), Op: "create", Obj: g.object(kind)}
			if i%3 == 2 {
				q.Op, q.Old = "update", q.Obj
				q.Obj = g.changed(q.Obj.(object))
			}
			questions = append(questions, q)
		}
	}
	writeLines(t, "testdata/generated.jsonl.gz", questions)
	for _, minor := range strings.Fields(os.Getenv("KUBEVET_ASK_MINORS")) {
		replies := ask(t, os.Getenv("KUBEVET_ASK"), minor, "", questions)
		for i := range replies {
			replies[i].Message = ""
		}
		writeLines(t, "testdata/generated-"+minor+".jsonl.gz", replies)
	}
}

// writeLines writes a compressed file of JSON lines.
func writeLines[T any](t *testing.T, name string, all []T) {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	enc := json.NewEncoder(z)
	for _, one := range all {
		if err := enc.Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
