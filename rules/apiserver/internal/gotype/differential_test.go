package gotype

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

var record = flag.Bool("record", false, "let TestDifferential write a part of its bodies and answers to testdata")

// decoded is the recorded answer of a release's decoder to one body.
type decoded struct {
	Body     string   `json:"body"`
	Error    string   `json:"error,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// TestDecoded compares Decode with the recorded answers of release decoders to
// random bodies.
func TestDecoded(t *testing.T) {
	names, _ := filepath.Glob("testdata/decoded-*.jsonl.gz")
	if len(names) == 0 {
		t.Fatal("nothing recorded")
	}
	for _, name := range names {
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "decoded-"), ".jsonl.gz")
		t.Run(version, func(t *testing.T) {
			m, err := lifecycle.ParseMinor(version)
			if err != nil {
				t.Fatal(err)
			}
			all, refused, warned := 0, 0, 0
			for _, answer := range recorded.Lines[decoded](t, name) {
				if all++; answer.Error != "" {
					refused++
				} else if len(answer.Warnings) > 0 {
					warned++
				}
				if diff := decodeDiff(t, m, answer.Body, answer.Error, answer.Warnings); diff != "" {
					t.Errorf("%s\n%s", answer.Body, diff)
				}
			}
			t.Logf("%d bodies, %d refused, %d with dropped fields", all, refused, warned)
		})
	}
}

// TestDifferential compares Decode with the decoders of releases on random bodies
// of every kind. Its environment variables:
//
//   - KUBEVET_DECODERS is a directory with builds of testdata/releasedecoder. The
//     file name is the minor, such as 37.
//   - KUBEVET_DECODER_RUNS is the number of bodies for each kind.
//   - KUBEVET_DECODER_SEED is the seed.
func TestDifferential(t *testing.T) {
	dir := os.Getenv("KUBEVET_DECODERS")
	if dir == "" {
		t.Skip("KUBEVET_DECODERS is not set")
	}
	runs := 20
	if n, err := strconv.Atoi(os.Getenv("KUBEVET_DECODER_RUNS")); err == nil {
		runs = n
	}
	seed, _ := strconv.ParseUint(os.Getenv("KUBEVET_DECODER_SEED"), 10, 64)
	for m := lifecycle.Oldest; m <= lifecycle.Newest; m++ {
		program := filepath.Join(dir, strconv.Itoa(int(m)))
		if _, err := os.Stat(program); err != nil {
			continue
		}
		t.Run(m.String(), func(t *testing.T) {
			w := &writer{r: rand.New(rand.NewPCG(uint64(m), seed)), minor: m}
			var bodies []string
			var input bytes.Buffer
			for i := range roots {
				if !minorSets[roots[i].minors].Has(m) {
					continue
				}
				for n := range runs {
					w.wrong, w.unknown, w.repeated = []int{0, 10, 40}[n%3], []int{0, 30, 80}[n/3%3], []int{0, 20}[n/2%2]
					w.values = 400
					body := w.body(roots[i].apiVersion.String(), roots[i].kind.String())
					bodies = append(bodies, body)
					line, _ := json.Marshal(map[string]string{"body": body})
					input.Write(append(line, '\n'))
				}
			}
			cmd := exec.Command(program)
			cmd.Stdin, cmd.Stderr = &input, os.Stderr
			output, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
			if len(lines) != len(bodies) {
				t.Fatalf("%d answers to %d bodies", len(lines), len(bodies))
			}
			var kept []decoded
			wrong, refused, warned := 0, 0, 0
			for i, body := range bodies {
				var want decoded
				if err := json.Unmarshal(lines[i], &want); err != nil {
					t.Fatal(err)
				}
				if want.Error != "" {
					refused++
				} else if len(want.Warnings) > 0 {
					warned++
				}
				if want.Body = body; i%runs < 6 {
					kept = append(kept, want)
				}
				if diff := decodeDiff(t, m, body, want.Error, want.Warnings); diff != "" {
					if wrong++; wrong <= 12 {
						t.Errorf("%s\n%s", body, diff)
					}
				}
			}
			if *record {
				recorded.Write(t, fmt.Sprintf("testdata/decoded-%s.jsonl.gz", m), kept)
			}
			t.Logf("%s: %d bodies, %d refused, %d with dropped fields, %d differences", m, len(bodies), refused, warned, wrong)
		})
	}
}

// decodeDiff decodes a body and returns the difference from the wanted error and
// warnings.
func decodeDiff(t *testing.T, m lifecycle.Minor, body, wantError string, wantWarnings []string) string {
	t.Helper()
	got := Decode(m, parse(t, body), true)
	if got.Inexact && wantError != "" {
		wantError = got.Error
	}
	if m <= lastIterator && strings.Contains(body, "1e400") {
		return "" // json-iterator parses the numbers of unknown fields, too
	}
	var dropped []string
	for _, f := range got.Dropped {
		dropped = append(dropped, f.Text)
	}
	return cmp.Diff(wantError, got.Error) + cmp.Diff(wantWarnings, dropped)
}
