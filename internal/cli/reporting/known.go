package reporting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/baseline"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
)

// knownFindings is the baseline of a run: a file with known findings, which are not
// reported.
type knownFindings struct {
	file treefile.File
	// unused has the entries of the file that did not occur yet in this run. record has
	// the findings of this run, or is nil if the run does not write the baseline.
	unused, record *baseline.Baseline
}

// openBaseline reads the baseline, or returns nil if the run has none. If write is true,
// the file may be missing.
func openBaseline(a *app.App, s *settings.Settings, write bool) (*knownFindings, error) {
	if s.Baseline.Path == "" {
		return nil, nil
	}
	k := &knownFindings{file: s.Baseline, unused: &baseline.Baseline{}}
	if write {
		k.record = &baseline.Baseline{}
	}
	data, err := k.file.Read(baseline.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && write:
		return k, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, app.Usagef("the baseline %s does not exist; --write-baseline creates it", quote.Name(a.Name(k.file.Path)))
	case err != nil:
		return nil, app.Usage(fmt.Errorf("reading the baseline: %w", app.Bare(err, a.Name(k.file.Path))))
	}
	k.unused, err = baseline.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, app.Usage(fmt.Errorf("reading the baseline: %w", app.Bare(err, a.Name(k.file.Path))))
	}
	return k, nil
}

// name returns a file name relative to the directory of the baseline.
func (k *knownFindings) name(dir, file string) string {
	return baseline.Name(filepath.Dir(k.file.Path), dir, file)
}

// accept reports whether the baseline has the finding f, and removes its entry from
// unused. If the run writes the baseline, it records f and returns true.
func (k *knownFindings) accept(f rules.Finding, dir string) bool {
	name := k.name(dir, f.File)
	if k.record != nil {
		k.record.Add(f, name)
		return true
	}
	return k.unused.Accept(f, name)
}

// has returns the result of accept without changing anything.
func (k *knownFindings) has(f rules.Finding, dir string) bool {
	return k.record != nil || k.unused.Has(f, k.name(dir, f.File))
}

// finish writes the baseline if the run should write it. Otherwise it returns a remark
// about entries of the baseline that are out of date.
func (k *knownFindings) finish(r *Run, sum *rules.Summary) ([]string, error) {
	name := r.Name(k.file.Path)
	// checked reports whether this run would have found the finding of an entry: its rule
	// ran, and its file was checked or no longer exists.
	checked := func(rule, file string) bool {
		return r.Enabled[rule] && (r.read[file] || file != "-" && missing(filepath.Join(filepath.Dir(k.file.Path), filepath.FromSlash(file))))
	}
	if k.record == nil {
		if n := k.unused.Stale(checked); n > 0 && !sum.Incomplete() {
			return []string{fmt.Sprintf("baseline: %s in %s did not occur any more; --write-baseline removes them", report.Count(n, "known finding"), quote.Name(name))}, nil
		}
		return nil, nil
	}
	if sum.Incomplete() {
		return []string{"baseline: " + quote.Name(name) + " is not written, since the run is incomplete"}, nil
	}
	found := k.record.Len()
	for e := range k.unused.Entries() {
		if !checked(e.Rule, e.File) {
			k.record.Keep(e)
		}
	}
	// A symbolic link in the path may have changed after the file was read.
	path, err := k.file.Resolve()
	if err == nil {
		err = atomicfile.WriteFunc(path, func(w io.Writer) error { return baseline.Encode(w, k.record.Entries()) })
	}
	if err != nil {
		return nil, fmt.Errorf("writing the baseline: %w", app.Bare(err, name))
	}
	text := fmt.Sprintf("baseline: %s written to %s", report.Count(found, "finding"), quote.Name(name))
	if kept := k.record.Len() - found; kept > 0 {
		text += fmt.Sprintf("; %d kept that this run could not find", kept)
	}
	return []string{text}, nil
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
