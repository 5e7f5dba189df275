package denial

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
)

var update = flag.Bool("update", false, "rewrite goldens")

// described is a worker that describes the decisions about each event as text.
type described struct{ text bytes.Buffer }

func (w *described) Event(e *auditlog.Event, line int) {
	fmt.Fprintf(&w.text, "%d: %s %s %s %s %d\n", line+1, e.Client.Who(), e.Verb, e.Ref.Resource, e.Ref.Name, e.Code)
	for _, l := range lines(Read(e, false)) {
		fmt.Fprintf(&w.text, "\t%s\n", l)
	}
}

func (w *described) Part() string {
	defer w.text.Reset()
	return w.text.String()
}

// TestRecorded reads logs of real servers, which internal/oracle/decisions
// recorded. Version 1.33 writes only the first failure of a request, and 1.37
// writes all.
func TestRecorded(t *testing.T) {
	for _, minor := range []string{"1.33", "1.37"} {
		t.Run(minor, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "audit", "decisions-"+minor+".log.gz"))
			if err != nil {
				t.Fatal(err)
			}
			in := []auditlog.Input{{Name: "log", Open: func() (io.ReadCloser, error) { return gzip.NewReader(bytes.NewReader(data)) }}}
			var got bytes.Buffer
			sum, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{Workers: 1}, func() auditlog.Worker[string] { return &described{} },
				func(p string, _ string, _ int) { got.WriteString(p) })
			if err != nil || sum.Damaged > 0 {
				t.Fatalf("%v %+v", err, sum)
			}
			name := filepath.Join("testdata", "decisions-"+minor+".txt")
			if *update {
				if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs; run with -update and look at the difference", name)
			}
		})
	}
}
