// Package beam counts audit logs in an Apache Beam pipeline, for logs that are too large
// for one machine. It scans, counts and searches for fights like kubevet audit.
//
// One worker scans each file. The counts of all files are merged into one state. Writes
// are grouped by object into parts, which are merged separately and then combined. The
// result is the file that `kubevet audit --save` would write for all logs. The commands
// `kubevet audit --load` and `kubevet audit diff` can read it.
package beam

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func init() { // Beam finds only functions that were registered before the flags are parsed
	register.DoFn4x1[context.Context, fileio.FileMetadata, func([]byte), func(int, []byte), error](&scanFn{})
	register.DoFn4x1[context.Context, []byte, func(*[]byte) bool, func(*[]byte) bool, error](&writeFn{})
	register.Combiner1[[]byte](&mergeCounts{})
	register.Combiner1[[]byte](&mergeWrites{})
	register.Emitter1[[]byte]()
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
	beam.RegisterType(reflect.TypeFor[Options]())
}

// Options are the options of a pipeline. Only Inputs and Output are required.
type Options struct {
	// Inputs has globs of log files, in any file system that is linked into the program.
	Inputs []string
	// Output is the name of the file for the state.
	Output string
	// Target, FeatureGates and RuntimeConfig describe the cluster, in the syntax of the
	// flags of `kubevet audit`. The default of Target is the newest known minor.
	Target                      string
	FeatureGates, RuntimeConfig []string
	// Shards is the number of parts into which the writes are divided. 0 means
	// DefaultShards.
	Shards int
}

// DefaultShards is the default of Shards. It is enough for a few dozen workers.
const DefaultShards = 64

// Check returns an error if the options are wrong.
func (o *Options) Check() error {
	switch {
	case len(o.Inputs) == 0:
		return fmt.Errorf("no input given")
	case path.Ext(o.Output) != ".kvs":
		return fmt.Errorf("the name of the output must end in .kvs: %q", o.Output)
	}
	_, err := o.target()
	return err
}

func (o *Options) target() (lifecycle.Target, error) {
	version := o.Target
	if version == "" {
		version = lifecycle.Minor(lifecycle.Newest).String()
	}
	return lifecycle.NewTarget(version, o.FeatureGates, o.RuntimeConfig)
}

func (o *Options) shards() int {
	if o.Shards > 0 {
		return o.Shards
	}
	return DefaultShards
}

func (o *Options) config() (tally.Config, error) {
	target, err := o.target()
	return tally.Config{Target: target, Judge: auditreport.BodyJudge(target), Keep: true}, err
}

// Build adds the steps of the pipeline to s. Call Check before.
func Build(s beam.Scope, o Options) {
	s = s.Scope("kubevet.audit")
	var files []beam.PCollection
	for _, glob := range o.Inputs {
		files = append(files, fileio.MatchFiles(s, glob, fileio.MatchEmptyDisallow()))
	}
	// Without this step, Beam would combine the listing of files with the next steps.
	// Then the worker that lists the files would also read all of them.
	all := beam.Reshuffle(s, beam.Flatten(s, files...))
	counts, writes := beam.ParDo2(s.Scope("scan"), &scanFn{Options: o}, all)
	counted := beam.Combine(s.Scope("counts"), &mergeCounts{Options: o}, counts)
	byObject := beam.CombinePerKey(s.Scope("objects"), &mergeWrites{}, writes)
	together := beam.Combine(s.Scope("fights"), &mergeWrites{}, beam.DropKey(s, byObject))
	beam.ParDo0(s.Scope("write"), &writeFn{Output: o.Output}, beam.Impulse(s), beam.SideInput{Input: counted}, beam.SideInput{Input: together})
}

// scanFn scans one file. It emits the counts of the file, and its writes grouped by part.
type scanFn struct{ Options Options }

// ProcessElement scans a file. The result includes an error of reading the file. The
// returned error means that the options are wrong.
func (f *scanFn) ProcessElement(ctx context.Context, file fileio.FileMetadata, counts func([]byte), writes func(int, []byte)) error {
	cfg, err := f.Options.config()
	if err != nil {
		return err
	}
	t, fights := tally.New(cfg), contention.New(contention.Config{})
	w := func() auditlog.Worker[part] { return &worker{tally: t.Worker(), fights: fights.Worker()} }
	input := auditlog.Input{Name: file.Path, Open: func() (io.ReadCloser, error) { return open(ctx, file.Path) }}
	sum, err := auditlog.Read(ctx, slices.Values([]auditlog.Input{input}), auditlog.Options{}, w, func(p part, input string, line int) {
		t.Add(p.tally, input, line)
		fights.Add(p.fights, input, line)
	})
	if err != nil {
		return err
	}
	state, err := encode(&history.State{Tally: t.State(), Logs: history.Of(&sum)})
	if err != nil {
		return err
	}
	counts(state)
	for i := range f.Options.shards() {
		writes(i, fights.Shard(i, f.Options.shards()))
	}
	return nil
}

// open opens a file in any file system that Beam knows.
func open(ctx context.Context, name string) (io.ReadCloser, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := fs.OpenRead(ctx, name)
	if err != nil {
		fs.Close()
		return nil, err
	}
	return &file{r, fs}, nil
}

type file struct {
	io.ReadCloser
	fs filesystem.Interface
}

func (f *file) Close() error {
	err := f.ReadCloser.Close()
	if closing := f.fs.Close(); err == nil {
		err = closing
	}
	return err
}

// part is the result of a worker that counts and searches for fights in one pass.
type part struct {
	tally  tally.Part
	fights contention.Part
}

type worker struct {
	tally  auditlog.Worker[tally.Part]
	fights auditlog.Worker[contention.Part]
}

func (w *worker) Event(e *auditlog.Event, line int) {
	w.tally.Event(e, line)
	w.fights.Event(e, line)
}

func (w *worker) Part() part { return part{w.tally.Part(), w.fights.Part()} }

func encode(s *history.State) ([]byte, error) {
	var b bytes.Buffer
	err := s.Write(&b)
	return b.Bytes(), err
}

type mergeCounts struct{ Options Options }

// MergeAccumulators merges two states. An empty state changes nothing.
func (f *mergeCounts) MergeAccumulators(a, b []byte) ([]byte, error) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...), nil
	}
	cfg, err := f.Options.config()
	if err != nil {
		return nil, err
	}
	t := tally.New(cfg)
	var logs history.Logs
	for _, data := range [][]byte{a, b} {
		s, err := history.Read(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if err := t.Merge(s.Tally); err != nil {
			return nil, err
		}
		logs.Add(s.Logs)
	}
	return encode(&history.State{Tally: t.State(), Logs: logs})
}

// mergeWrites merges the writes of one part.
type mergeWrites struct{}

// MergeAccumulators merges two encoded collectors. An empty collector changes nothing.
func (f *mergeWrites) MergeAccumulators(a, b []byte) ([]byte, error) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...), nil
	}
	x, err := contention.Decode(a, contention.Limits{})
	if err != nil {
		return nil, err
	}
	y, err := contention.Decode(b, contention.Limits{})
	if err != nil {
		return nil, err
	}
	x.Merge(y)
	return x.Encode(), nil
}

type writeFn struct{ Output string }

// ProcessElement combines the counts and the writes into the state, and writes it to
// Output.
func (f *writeFn) ProcessElement(ctx context.Context, _ []byte, counts, writes func(*[]byte) bool) error {
	var data, contested []byte
	if !counts(&data) {
		return fmt.Errorf("nothing was counted")
	}
	s, err := history.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	s.HasContention = writes(&contested)
	s.Contention = contested
	fs, err := filesystem.New(ctx, f.Output)
	if err != nil {
		return err
	}
	defer fs.Close()
	w, err := fs.OpenWrite(ctx, f.Output)
	if err != nil {
		return err
	}
	if err := s.Write(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
