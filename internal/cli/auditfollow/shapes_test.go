package auditfollow

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/kubevet/kubevet/internal/auditshapes"
)

// different has the formats for which the report may differ. Their logs are empty, end in
// the middle of the compressed data, or have binary records instead of lines.
var different = map[string]bool{"empty": true, "cut-gzip": true, "otlp-proto": true}

// TestShapes follows a log in all formats. The log grows by pieces that may end anywhere.
// Either the report must be equal to the report of the complete log, or the log must be
// refused.
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
				}
				g.turnRename()
				g.settle()
				d, err := g.run.analysis.Document()
				g.check(err)
				if d.Summary.Requests == 0 && len(g.complaints) > 0 {
					t.Logf("refused: %q", g.complaints)
					return
				}
				g.compare()
				read++
			})
		}
	}
	if read < 100 {
		t.Errorf("%d shapes are read", read)
	}
}
