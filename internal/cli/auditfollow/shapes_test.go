package auditfollow

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/auditshapes"
)

// different has the formats for which the report may differ. Their logs are empty, end in
// the middle of the compressed data, or have binary records instead of lines.
var different = map[string]bool{"empty": true, "cut-gzip": true, "otlp-proto": true}

// sizes ignores the number of bytes, because byte order marks are counted differently.
var sizes = cmpopts.IgnoreFields(auditreport.Summary{}, "Bytes")

// TestShapes follows a log in all formats. The log grows by pieces that may end anywhere,
// and the run may restart between them. The report must be equal to the report of the
// complete log. Only compressed logs and archives are refused.
func TestShapes(t *testing.T) {
	log, err := auditshapes.Parse(bytes.Join(recorded(t)[:40], nil))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, shape := range auditshapes.All() {
		files, err := shape.Write(log)
		if err != nil || len(files) != 1 || different[shape.Name] {
			continue
		}
		for _, text := range files {
			t.Run(shape.Name, func(t *testing.T) {
				g := newRig(t)
				random := rand.New(rand.NewPCG(1, 2))
				for len(text) > 0 {
					n := min(len(text), random.IntN(12_000))
					g.append(string(text[:n]))
					text = text[n:]
					g.poll()
					if random.IntN(4) == 0 && shape.Name != "twice" { // a state does not have the IDs of all events
						g.save()
						g.start()
					}
				}
				g.turnRename()
				g.settle()
				d, err := g.run.analysis.Document()
				g.check(err)
				if d.Summary.Requests == 0 && len(g.complaints) > 0 {
					refused := strings.Contains(strings.Join(g.complaints, ""), "compressed")
					if whole := g.whole(); whole.Summary.Requests > 0 && !refused {
						t.Errorf("complaints %q", g.complaints)
					}
					return
				}
				g.compare(sizes)
				read++
			})
		}
	}
	if read < 100 {
		t.Errorf("%d shapes are read", read)
	}
}

// TestYAML follows documents in YAML. The end of the last one is not known until the run ends.
func TestYAML(t *testing.T) {
	g := newRig(t)
	for i := range 3 {
		g.append(fmt.Sprintf("---\nkind: Event\nauditID: x%d\nstage: ResponseComplete\nverb: get\nuser:\n  username: u\nrequestURI: /version\n", i))
		g.poll()
	}
	if n := g.run.analysis.Events(); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
	g.check(g.run.end())
	g.complains("audit.log: the record in the last", "is incomplete, and not counted", "read 2 events")
	g.start()
	g.append("---\n")
	g.settle()
	g.compare(sizes)
}

// TestTableRotation follows a table of fields across rotations. The rotated files have the header
// of the first file, or none.
func TestTableRotation(t *testing.T) {
	log, err := auditshapes.Parse(bytes.Join(recorded(t)[:40], nil))
	if err != nil {
		t.Fatal(err)
	}
	shapes := auditshapes.All()
	i := slices.IndexFunc(shapes, func(s auditshapes.Shape) bool { return s.Name == "pandas-csv-of-fields" })
	files, err := shapes[i].Write(log)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, text := range files {
		header, rows, _ := strings.Cut(string(text), "\n")
		for _, again := range []string{"", header + "\n"} {
			g := newRig(t)
			g.append(header + "\n")
			for i, row := range strings.SplitAfter(strings.TrimSuffix(rows, "\n"), "\n") {
				if i%10 == 9 {
					g.turnCopy()
					g.append(again)
				}
				g.append(row)
				g.poll()
				if i%7 == 0 {
					g.save()
					g.start()
				}
			}
			g.append("\n")
			g.settle()
			d, err := g.run.analysis.Document()
			g.check(err)
			if d.Summary.Requests != 40 || len(g.complaints) > 0 {
				t.Errorf("header %q: %d requests, complaints %q", again, d.Summary.Requests, g.complaints)
			}
		}
	}
}
