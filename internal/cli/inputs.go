package cli

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source"
)

// inputs are the files of a run.
type inputs struct {
	list []source.Input
	// unreadable are what could not be reached, notes what the user should
	// know.
	unreadable []source.Problem
	notes      []string
	// streams are the names of inputs that can be read only once and in one
	// go, such as named pipes.
	streams map[string]bool
}

// expand finds the files that the arguments mean. Files that this run reads or
// writes for itself are none of them.
func (a *app) expand(ctx context.Context, args []string, f *lintFlags, s *settings, own []string) (*inputs, error) {
	exclude := slices.Clone(s.exclude)
	for _, pattern := range s.configExclude {
		exclude = append(exclude, rebase(pattern, filepath.Dir(s.configFile), a.dir)...)
	}
	in := &inputs{streams: map[string]bool{source.StdinName: true}}
	for _, arg := range args {
		if info, err := os.Stat(a.path(arg)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			in.streams[filepath.ToSlash(filepath.Clean(arg))] = true
		}
	}
	list, problems := source.Expand(args, source.Options{
		Dir:            a.dir,
		Stdin:          newStoppable(ctx, a.Stdin),
		Exclude:        exclude,
		NoGitignore:    f.noGitignore,
		FollowSymlinks: f.followSymlinks,
	})
	var mistakes []error
	for _, p := range problems {
		switch p.Kind {
		case source.Usage:
			mistakes = append(mistakes, p)
		case source.Missing, source.Unreadable:
			in.unreadable = append(in.unreadable, p)
		default:
			in.notes = append(in.notes, p.Error())
		}
	}
	if len(mistakes) > 0 {
		return nil, usage(errors.Join(mistakes...))
	}
	in.list = slices.DeleteFunc(list, func(i source.Input) bool {
		return i.Path != "" && slices.ContainsFunc(own, func(path string) bool { return sameFile(path, i.Path) })
	})
	return in, nil
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

// seq gives the inputs to the linter.
func (in *inputs) seq() iter.Seq[manifestlint.Input] {
	return func(yield func(manifestlint.Input) bool) {
		for i := range in.list {
			from := &in.list[i]
			input := manifestlint.Input{
				Name:     from.Name,
				Open:     from.Open,
				Template: from.Template,
				Handle:   from,
			}
			if from.Partial.As != "" {
				input.Partial = from.Partial.Kustomization + ": " + from.Partial.As
			}
			if !yield(input) {
				return
			}
		}
	}
}

// newReader makes one worker's reader.
func (in *inputs) newReader() manifestlint.Reader { return &reader{streams: in.streams} }

// reader is a source.Reader as the linter wants it.
type reader struct {
	source.Reader
	streams map[string]bool
}

func (r *reader) Read(in manifestlint.Input, limit int64) ([]byte, error) {
	// What a stream has given it does not give again, so it is read by Open
	// and not in two attempts.
	if r.streams[in.Name] {
		return nil, manifestlint.ErrLarge
	}
	data, err := r.Reader.Read(*in.Handle.(*source.Input), limit)
	var large *source.TooLargeError
	if errors.As(err, &large) {
		return nil, manifestlint.ErrLarge
	}
	return data, err
}
