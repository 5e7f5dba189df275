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

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
)

// Inputs are the files of a run.
type Inputs struct {
	List []source.Input
	// unreadable are what could not be reached, notes what the user should
	// know.
	unreadable []source.Problem
	notes      []string
	// streams are the inputs that can be read only once and in one go, such as
	// named pipes, by their names.
	Streams map[string]*spool
	// overlay is the text of inputs, by name, that are not as they are on the
	// disk.
	Overlay map[string][]byte
	// live is what was read of a cluster; nil where none was.
	Live *cluster.Found
	// rendered is what was made of the list, from sources; nil where nothing
	// was tried. watched are inputs whose comments are for that.
	Rendered *rendered.Set
	sources  *rendered.Sources
	watched  map[string]bool
	// renderTime is what it took.
	renderTime time.Duration
	// given are the objects of --crd, which charts see in the cluster.
	given []objectcontext.Object
}

// Close drops what was kept.
func (in *Inputs) Close() error {
	var errs []error
	for _, s := range in.Streams {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// Expand finds the files that the arguments mean. Files that this run reads or
// writes for itself are none of them.
func Expand(ctx context.Context, a *app.App, args []string, s *settings.Settings, own []string) (*Inputs, error) {
	var unreadable []source.Problem
	var notes []string
	list, problems := source.Expand(args, source.Options{
		Dir:            a.Dir,
		Stdin:          app.NewStoppable(ctx, a.Stdin),
		Exclude:        s.Excludes(a.Dir, a.Dir),
		NoGitignore:    s.NoGitignore,
		FollowSymlinks: s.FollowSymlinks,
		Also:           alsoReads(s),
	})
	var mistakes []error
	for _, p := range problems {
		switch p.Kind {
		case source.Usage:
			mistakes = append(mistakes, p)
		case source.Missing, source.Unreadable:
			unreadable = append(unreadable, p)
		default:
			notes = append(notes, p.Error())
		}
	}
	if len(mistakes) > 0 {
		return nil, app.Usage(errors.Join(mistakes...))
	}
	for _, path := range own {
		if path != "" {
			list = slices.DeleteFunc(list, func(i source.Input) bool { return i.Path != "" && sameFile(path, i.Path) })
		}
	}
	in := NewInputs(list)
	in.unreadable, in.notes = unreadable, notes
	return in, nil
}

func NewInputs(list []source.Input) *Inputs {
	in := &Inputs{List: list, Streams: map[string]*spool{}}
	for i := range in.List {
		from := &in.List[i]
		if from.Stream() {
			in.Streams[from.Name] = newSpool(from.Name, from.Open)
		}
	}
	return in
}

// sameFile compares a file that kubevet uses itself with an input. The names
// decide for most inputs, without a look at the disk.
func sameFile(own, input string) bool {
	if filepath.Base(own) != filepath.Base(input) {
		return false
	}
	x, err := os.Stat(own)
	if err != nil {
		return false
	}
	y, err := os.Stat(input)
	return err == nil && os.SameFile(x, y)
}

// Seq gives the inputs to the linter.
func (in *Inputs) Seq() iter.Seq[manifestlint.Input] {
	return func(yield func(manifestlint.Input) bool) {
		kustomized := in.kustomized()
		for i := range in.List {
			from := &in.List[i]
			dir, base := splitName(from.Name)
			input := manifestlint.Input{
				Name:     from.Name,
				Open:     func() (io.ReadCloser, error) { return from.Open() },
				Template: from.Template,
				Handle:   from,
				Script:   scripts.LanguageOf(base),
			}
			if input.Script == scripts.Unsure && from.Named() {
				input.Script = scripts.None // the user says that it is a manifest, or its first line that it is not
			}
			if s := in.Streams[from.Name]; s != nil {
				input.Open = s.Open
			}
			if text, ok := in.Overlay[from.Name]; ok {
				input.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
			}
			switch {
			case len(kustomized) > 0 && kustomized[dir]:
				input.Unfinished = path.Join(dir, "kustomization")
			case namedPatch(from.Name):
				input.Unfinished = "what it patches"
			}
			if from.Partial.As != "" {
				input.Partial = from.Partial.Kustomization + ": " + from.Partial.As
			}
			in.place(from, &input)
			if !yield(input) {
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

// namedPatch reports whether a file or its directory has "patch" in its name, in
// whatever case.
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

// splitName is path.Dir and path.Base of the name of an input, which is clean.
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

// kustomized are the directories with a kustomization, whose objects it
// completes: with labels and selectors, patches and generated names.
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

// NewReader makes one worker's reader.
func (in *Inputs) NewReader() manifestlint.Reader {
	return &reader{streams: in.Streams, overlay: in.Overlay}
}

// reader is a source.Reader as the linter wants it.
type reader struct {
	source.Reader
	streams map[string]*spool
	overlay map[string][]byte
}

func (r *reader) Read(in manifestlint.Input, limit int64) ([]byte, error) {
	// What a stream has given it does not give again, so it is read by Open
	// and not in two attempts.
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
