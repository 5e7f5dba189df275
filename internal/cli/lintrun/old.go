package lintrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/revision"
	"github.com/kubevet/kubevet/rules"
)

// StoreOld reads the objects of --old, which the linted objects update. The value of
// --old is a file, a directory or a git revision. For a revision, StoreOld reads the
// linted paths at this revision. Old kustomizations and charts are rendered like the new
// ones.
func (r *Run) StoreOld(ctx context.Context, args []string, in *Inputs) (err error) {
	r.stored, err = r.readOld(ctx, args, in.rendered.Files)
	return err
}

func (r *Run) readOld(ctx context.Context, args, further []string) (*objectcontext.Stored, error) {
	old := r.set.Old
	if old == source.StdinName {
		return nil, app.Usagef("--old cannot read standard input: name a revision, a file or a directory")
	}
	opts := source.Options{Dir: r.Dir, NoGitignore: r.set.noGitignore, FollowSymlinks: r.set.followSymlinks}
	boundary := ""
	paths := []string{old}
	if _, err := os.Stat(r.Path(old)); err != nil && !isGlob(old) {
		files, err := revision.Extract(ctx, r.Dir, old, args, further)
		if err != nil {
			return nil, noOldObjects(ctx, old, err)
		}
		r.Ending.Add(func() { files.Close() })
		defer files.Close()
		for _, path := range files.Outside {
			if path == source.StdinName {
				path = "standard input"
			}
			r.note(fmt.Sprintf("--old %s: the revision has nothing of %s", old, quote.Name(path)))
		}
		opts.Dir, paths = files.Dir, files.Args
		boundary = files.Root()
		opts.Exclude = r.Excludes(opts.Dir, r.Dir)
	} else {
		opts.Exclude = r.Excludes(r.Dir, r.Dir)
	}
	return r.storePaths(ctx, old, paths, opts, boundary)
}

func isGlob(path string) bool { return slices.ContainsFunc([]byte(path), isGlobByte) }

func isGlobByte(c byte) bool { return c == '*' || c == '?' || c == '[' || c == '{' }

// noOldObjects returns the error that says why --old has no objects.
func noOldObjects(ctx context.Context, old string, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, revision.ErrUnknown):
		return app.Usagef("--old %s: not a file, a directory or a revision of the git repository", old)
	case errors.Is(err, revision.ErrNoRepository), errors.Is(err, revision.ErrNoGit):
		return app.Usagef("--old %s: not a file or directory, and not a revision: %w", old, err)
	}
	return fmt.Errorf("--old %s: %w", old, err)
}

func (r *Run) storePaths(ctx context.Context, old string, paths []string, opts source.Options, boundary string) (*objectcontext.Stored, error) {
	list, problems := source.Expand(paths, opts)
	var errs []error
	for _, p := range problems {
		switch {
		case p.Kind == source.Unreadable, p.Kind == source.Missing && opts.Dir == r.Dir:
			errs = append(errs, fmt.Errorf("--old: %w", p))
		}
	}
	in := NewInputs(list)
	defer in.Close()
	r.set.render(ctx, in, opts.Dir, boundary)
	for _, f := range in.rendered.Findings {
		r.note(fmt.Sprintf("--old %s: %s:%d: %s", old, quote.Name(f.File), f.Line, f.Message))
	}
	stored, err := objectcontext.Store(ctx, in.Seq(), objectcontext.StoreOptions{
		MaxDocument: int(r.set.maxDocument), NewReader: in.NewReader,
		Trouble: func(e manifestlint.Event) {
			if e.Err != nil {
				errs = append(errs, fmt.Errorf("--old: %w", e.Err))
				return
			}
			r.note(fmt.Sprintf("--old %s: %s:%d: %s", old, quote.Name(e.Input.Name), e.NotJudged.Line, skipReason(e.NotJudged)))
		},
	})
	if err := errors.Join(append([]error{err}, errs...)...); err != nil {
		return nil, err
	}
	if n := stored.Left(); n > 0 {
		r.note(fmt.Sprintf("--old %s: %d old objects were left out to save memory; their updates are checked as new objects", old, n))
	}
	if stored.Len() == 0 {
		r.note(fmt.Sprintf("--old %s: it has no objects at the linted paths; all objects are checked as new ones", old))
	}
	for _, twice := range stored.Repeats() {
		if twice.First == twice.Last {
			r.note(fmt.Sprintf("--old %s: %s is in %s more than once; the last counts", old, refName(twice.Object), quote.Name(twice.First)))
			continue
		}
		r.note(fmt.Sprintf("--old %s: %s is in %s and %s; that of the same file counts, else the last", old, refName(twice.Object), quote.Name(twice.First), quote.Name(twice.Last)))
	}
	return stored, nil
}

// refName returns the name of an object for notes.
func refName(r *rules.ObjectRef) string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// skipReason returns a text for a note that says why a document was not checked.
func skipReason(n *rules.NotJudged) string {
	switch n.Reason {
	case rules.SkipBroken, rules.SkipUnparsable:
		return "does not parse: " + n.Detail
	case rules.SkipTooLarge:
		return "larger than --max-document-size"
	case rules.SkipBinary:
		return "binary data: a manifest is text"
	}
	return "not checked: " + strconv.Quote(n.Reason)
}
