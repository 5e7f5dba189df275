package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed testdata
var testdata embed.FS

// module is one real module at a pinned version, as testdata/modules.jsonl
// lists it. Its source is downloaded, never part of this repository.
type module struct {
	// Name is its name in labels and tables.
	Name string `json:"name"`
	// Path and Version name it at the module proxy. Version is empty if the source is
	// taken from Git. That is necessary if go.mod replaces a module with a directory of
	// the same repository.
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	// Git and Commit name it as a repository.
	Git    string `json:"git,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Published is the published version of the modules that go.mod replaces with
	// folders of the same repository, which the module proxy leaves out. They are
	// required instead.
	Published string `json:"published,omitempty"`
	// Patterns are the packages that are analysed; none is ./... .
	Patterns []string `json:"patterns,omitempty"`
	// Draw is the number of writes drawn from it; 0 for a module that is only searched
	// for known places and for findings.
	Draw int `json:"draw,omitempty"`
	// Fitted is set for modules whose code was known when the rules were designed.
	// Figures are computed with and without them.
	Fitted bool `json:"fitted,omitempty"`
	// Late is set for modules that were first examined after the rules were done, and
	// that have changed nothing in the rules.
	Late bool `json:"late,omitempty"`
	// HeldOut is the round in which the module was chosen and first examined, after the
	// rules were done; 0 for other modules. Errors of one round were corrected before
	// the next, so only the first run of a round is on unseen code.
	HeldOut int `json:"heldOut,omitempty"`
}

// revision is the revision for which labels hold.
func (m module) revision() string {
	if m.Version != "" {
		return m.Version
	}
	return m.Commit[:12]
}

// modules reads the list, and keeps the named ones; all of them if no name is passed.
func modules(names ...string) ([]module, error) {
	all, err := readLines[module]("testdata/modules.jsonl")
	if err != nil || len(names) == 0 {
		return all, err
	}
	var kept []module
	for _, name := range names {
		found := false
		for _, m := range all {
			if m.Name == name {
				kept, found = append(kept, m), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no module is called %q", name)
		}
	}
	return kept, nil
}

// readLines reads one of the embedded files of JSON lines.
func readLines[T any](name string) ([]T, error) {
	data, err := testdata.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []T
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var v T
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		all = append(all, v)
	}
	return all, nil
}

// checkout returns the directory of the module's source below cache, and downloads it
// if it is not there yet. An existing directory <cache>/<name> is taken as it is, so
// that the benchmark can use trees fetched by other means.
func checkout(cache string, m module) (string, error) {
	// An absolute name: go list prints absolute names of files.
	cache, err := filepath.Abs(cache)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, m.Name)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	// Into a directory of another name first, so that an interrupted
	// download is not taken for a whole one.
	part, err := os.MkdirTemp(cache, m.Name+".part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	if m.Version != "" {
		err = fromProxy(part, m)
	} else {
		err = fromGit(part, m)
	}
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", m.Name, err)
	}
	return dir, os.Rename(part, dir)
}

func fromProxy(dir string, m module) error {
	// Outside any module, so that no go.mod has an effect.
	out, err := run(dir, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return err
	}
	// The module cache is read-only, and go list wants to write go.sum.
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		return err
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode()|0o200)
	})
	if err != nil || m.Published == "" {
		return err
	}
	return requirePublished(dir, m.Published)
}

// requirePublished makes go.mod require the version instead of each folder of the same
// repository. It removes a workspace, which is for those folders too.
func requirePublished(dir, version string) error {
	for _, name := range []string{"go.work", "go.work.sum"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	out, err := run(dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var file struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal(out, &file); err != nil {
		return err
	}
	args := []string{"mod", "edit"}
	for _, r := range file.Replace {
		if strings.HasPrefix(r.New.Path, "./") {
			args = append(args, "-dropreplace="+r.Old.Path, "-require="+r.Old.Path+"@"+version)
		}
	}
	_, err = run(dir, "go", args...)
	return err
}

func fromGit(dir string, m module) error {
	for _, args := range [][]string{
		{"init", "-q"},
		{"fetch", "-q", "--depth=1", m.Git, m.Commit},
		{"checkout", "-q", "FETCH_HEAD"},
	} {
		if _, err := run(dir, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

// run runs a command in dir and returns its output. An error contains its standard
// error.
func run(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
