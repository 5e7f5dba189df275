package beam

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/corpustest"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// single returns the state that one process computes for these logs.
func single(t *testing.T, o Options, paths []string) []byte {
	t.Helper()
	cfg, err := o.config()
	if err != nil {
		t.Fatal(err)
	}
	tl, fights := tally.New(cfg), contention.New(contention.Config{})
	var inputs []auditlog.Input
	for _, p := range paths {
		inputs = append(inputs, auditlog.Input{Name: p, Open: func() (io.ReadCloser, error) { return os.Open(p) }})
	}
	w := func() auditlog.Worker[part] { return &worker{tally: tl.Worker(), fights: fights.Worker()} }
	sum, err := auditlog.Read(context.Background(), slices.Values(inputs), auditlog.Options{}, w, func(p part, input string, line int) {
		tl.Add(p.tally, input, line)
		fights.Add(p.fights, input, line)
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := encode(&history.State{Tally: tl.State(), Logs: history.Of(&sum), HasContention: true, Contention: fights.Encode()})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func pipeline(t *testing.T, o Options) []byte {
	t.Helper()
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	Build(s, o)
	if _, err := ptest.RunWithMetrics(p); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPipeline checks that the pipeline, on the local runner of Beam, gives the same
// bytes as one process. The input is the log of fights and the logs of admission
// decisions, divided into rotated files.
func TestPipeline(t *testing.T) {
	var data []byte
	for _, name := range []string{"fights", "decisions-1.37", "decisions-1.33"} {
		file, err := os.Open("../testdata/audit/" + name + ".log.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		z, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		log, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, log...)
	}
	dir := t.TempDir()
	var paths []string
	lines := bytes.SplitAfter(data, []byte("\n"))
	const files = 40 // the logs of admission decisions have fewer lines
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("audit.%02d.log", i))
		part := bytes.Join(lines[i*len(lines)/files:(i+1)*len(lines)/files], nil)
		if err := os.WriteFile(path, part, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	o := Options{Inputs: []string{filepath.Join(dir, "audit.*.log")}, Output: filepath.Join(dir, "out.kvs"), Shards: 3}
	compare(t, o, paths)
}

// TestPipelineRecorded is like TestPipeline, with recorded logs.
func TestPipelineRecorded(t *testing.T) {
	pattern := filepath.Join(corpustest.Path(t, "audit", "real"), "*.gz")
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, Options{Inputs: []string{pattern}, Output: filepath.Join(t.TempDir(), "out.kvs")}, paths)
}

func compare(t *testing.T, o Options, paths []string) {
	t.Helper()
	want, got := single(t, o, paths), pipeline(t, o)
	if bytes.Equal(got, want) {
		return
	}
	x, err := history.Read(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	y, _ := history.Read(bytes.NewReader(want))
	t.Errorf("the pipeline counts %d requests in %d files, %d bytes of writes; one process %d in %d, %d bytes",
		x.Tally.Requests, x.Logs.Inputs, len(x.Contention), y.Tally.Requests, y.Logs.Inputs, len(y.Contention))
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Output: "x.kvs"}, "no input given"},
		{Options{Inputs: []string{"x"}, Output: "x"}, "must end in .kvs"},
		{Options{Inputs: []string{"x"}, Output: "x.kvs", Target: "1.99"}, "1.99"},
	} {
		if err := c.o.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c.o, err)
		}
	}
}
