package lintrun

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/chartworker"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
)

// Inputs are the files of a run and the objects that are rendered from them.
type Inputs struct {
	List []source.Input
	// unreadable has the files and directories that could not be read.
	unreadable []source.Problem
	// packed has the packed charts (.tgz) in directories. They are not rendered.
	packed []source.Problem
	// streams has the inputs that can be read only once, such as named pipes, by name.
	streams map[string]*spool
	// overlay has texts that replace the content of inputs, by name.
	overlay map[string][]byte
	// Live has the data of a cluster. It is nil without --cluster.
	Live *cluster.Found
	// rendered has the rendered objects, and sources the files from which they were
	// rendered. watched has the names of inputs with comments, such as suppressions, that
	// apply to rendered objects.
	rendered *rendered.Set
	sources  *rendered.Sources
	watched  map[string]bool
	// renderTime is the duration of rendering.
	renderTime time.Duration
	// contextObjects has the objects of --context and --crd. A chart that looks up
	// objects in the cluster finds these.
	contextObjects []objectcontext.Object
	// workers are the processes that render charts. If it is nil, this process renders
	// them.
	workers *chartworker.Pool
}

// Path returns the path of the input with a name.
func (in *Inputs) Path(a *app.App, name string) string {
	for i := range in.List {
		if from := &in.List[i]; from.Name == name && from.Path != "" {
			return from.Path
		}
	}
	return a.Path(filepath.FromSlash(name))
}

// Stream returns a function that opens an input that can be read only once. It returns
// nil for a file, which can be read several times.
func (in *Inputs) Stream(name string) func() (io.ReadCloser, error) {
	if s := in.streams[name]; s != nil {
		return s.Open
	}
	return nil
}

// Replace sets texts that replace the content of inputs, by name.
func (in *Inputs) Replace(texts map[string][]byte) { in.overlay = texts }

// replacePaths is like Replace, with the paths of inputs as keys.
func (in *Inputs) replacePaths(overlay treefile.Overlay) {
	if len(overlay) == 0 {
		return
	}
	texts := map[string][]byte{}
	for i := range in.List {
		if text, ok := overlay[in.List[i].Path]; ok && !in.List[i].Stream() {
			texts[in.List[i].Name] = text
		}
	}
	in.Replace(texts)
}

// Close releases the streams and ends the worker processes.
func (in *Inputs) Close() error {
	if in.workers != nil {
		in.workers.Close()
	}
	var errs []error
	for _, s := range in.streams {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// findFiles finds the files for the arguments. It leaves out the run's own files, such as
// the baseline.
func (r *Run) findFiles(ctx context.Context, args []string) (*Inputs, error) {
	step := app.NewStep(r.Line, "finding files", 0)
	defer step.Done()
	var unreadable []source.Problem
	list, problems := source.Expand(args, source.Options{
		Dir:            r.Dir,
		Stdin:          app.NewStoppable(ctx, r.Stdin),
		Exclude:        r.Excludes(r.Dir, r.Dir),
		NoGitignore:    r.set.noGitignore,
		FollowSymlinks: r.set.followSymlinks,
		Also:           r.set.scriptFilter(),
		Overlay:        r.set.Overlay,
	})
	var mistakes []error
	var packed []source.Problem
	for _, p := range problems {
		switch p.Kind {
		case source.Usage:
			mistakes = append(mistakes, p)
		case source.Missing, source.Unreadable:
			if source.IsURL(p.Name) {
				p.Text += r.PipeHint()
			}
			unreadable = append(unreadable, p)
		case source.PackedChart:
			packed = append(packed, p)
		default:
			r.note(p.Error())
		}
	}
	if len(mistakes) > 0 {
		return nil, app.Usage(errors.Join(mistakes...))
	}
	for _, path := range r.OwnFiles() {
		if path != "" {
			list = slices.DeleteFunc(list, func(i source.Input) bool { return i.Path != "" && sameFile(path, i.Path) })
		}
	}
	in := NewInputs(list)
	in.replacePaths(r.set.Overlay)
	in.unreadable, in.packed = unreadable, packed
	return in, nil
}

// NewInputs returns inputs without rendered objects. The caller closes the inputs.
func NewInputs(list []source.Input) *Inputs {
	in := &Inputs{List: list, streams: map[string]*spool{}}
	for i := range in.List {
		from := &in.List[i]
		if from.Stream() {
			in.streams[from.Name] = newSpool(from.Name, from.Open)
		}
	}
	return in
}

// sameFile reports whether two paths lead to one file. It compares their base names
// first. They usually differ, so the file system is rarely needed.
func sameFile(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Seq returns all inputs for the linter, plain files first.
func (in *Inputs) Seq() iter.Seq[manifestlint.Input] {
	return func(yield func(manifestlint.Input) bool) {
		kustomized := in.kustomized()
		for i := range in.List {
			if !yield(in.input(&in.List[i], kustomized)) {
				return
			}
		}
		if !in.units(yield) {
			return
		}
		if in.Live == nil {
			return
		}
		for _, input := range in.Live.Inputs {
			if !yield(input) {
				return
			}
		}
	}
}

// input converts an input for the linter. kustomized has the directories with a
// kustomization.
func (in *Inputs) input(from *source.Input, kustomized map[string]bool) manifestlint.Input {
	dir, base := splitName(from.Name)
	input := manifestlint.Input{
		Name:      from.Name,
		Open:      func() (io.ReadCloser, error) { return from.Open() },
		Manifests: from.Stream(),
		Template:  from.Template,
		Handle:    from,
		Script:    scripts.LanguageOf(base),
	}
	if input.Script == scripts.Unsure && from.Named() {
		input.Script = scripts.None // the user named the file as a manifest, or its first line is not the start of a script
	}
	if s := in.streams[from.Name]; s != nil {
		input.Open = s.Open
	}
	if text, ok := in.overlay[from.Name]; ok {
		input.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	}
	switch {
	case len(kustomized) > 0 && kustomized[dir]:
		input.Unfinished = path.Join(dir, "kustomization")
	case namedPatch(from.Name):
		input.Unfinished = "the object that it patches"
	}
	if from.Partial.As != "" {
		input.Partial = from.Partial.Kustomization + ": " + from.Partial.As
	}
	in.addRenderers(from, &input)
	return input
}

// namedPatch reports whether the name of a file or of its directory contains "patch", in
// any case.
func namedPatch(name string) bool {
	const word = "patch"
	from := strings.LastIndexByte(name, '/')
	if from > 0 {
		from = strings.LastIndexByte(name[:from], '/')
	}
	for last := name[from+1:]; len(last) >= len(word); last = last[1:] {
		if last[0]|0x20 == 'p' && strings.EqualFold(last[:len(word)], word) {
			return true
		}
	}
	return false
}

// splitName returns path.Dir(name) and path.Base(name) of a clean path.
func splitName(name string) (dir, base string) {
	switch i := strings.LastIndexByte(name, '/'); i {
	case -1:
		return ".", name
	case 0:
		return "/", name[1:]
	default:
		return name[:i], name[i+1:]
	}
}

// kustomized returns the directories with a kustomization, which may complete the objects
// in its directory.
func (in *Inputs) kustomized() map[string]bool {
	var dirs map[string]bool
	for i := range in.List {
		if in.List[i].Kustomization {
			if dirs == nil {
				dirs = map[string]bool{}
			}
			dir, _ := splitName(in.List[i].Name)
			dirs[dir] = true
		}
	}
	return dirs
}

// NewReader returns a reader for the inputs. Each worker needs its own reader.
func (in *Inputs) NewReader() manifestlint.Reader {
	return &reader{streams: in.streams, overlay: in.overlay}
}

// reader is a manifestlint.Reader that also reads streams and replaced texts.
type reader struct {
	source.Reader
	streams map[string]*spool
	overlay map[string][]byte
}

// Read reads an input of at most limit bytes. It returns ErrLarge for a larger input, and
// for an input that only Open can read.
func (r *reader) Read(in manifestlint.Input, limit int64) ([]byte, error) {
	// Only Open can read a stream or a replaced text.
	from, ok := in.Handle.(*source.Input)
	if !ok || len(r.overlay) > 0 && r.overlays(in.Name) || len(r.streams) > 0 && r.streams[in.Name] != nil {
		return nil, manifestlint.ErrLarge
	}
	data, err := r.Reader.Read(*from, limit)
	if err != nil {
		var large *source.TooLargeError
		if errors.As(err, &large) {
			return nil, manifestlint.ErrLarge
		}
	}
	return data, err
}

func (r *reader) overlays(name string) bool {
	_, ok := r.overlay[name]
	return ok
}
