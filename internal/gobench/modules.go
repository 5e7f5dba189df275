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

// module is a real module at a fixed version, as in testdata/modules.jsonl. Its source is
// downloaded, and never part of this repository.
type module struct {
	// Name is the name of the module in labels and tables.
	Name string `json:"name"`
	// Path and Version identify the module at the module proxy. If Version is empty, the
	// source is taken from Git. This is necessary if go.mod replaces a module by a
	// directory of the same repository.
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	// Git and Commit are the address of the repository and the commit to use.
	Git    string `json:"git,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Published is a version of the module at the module proxy. go.mod may replace
	// modules by folders of the same repository, which the proxy does not deliver. Then
	// the benchmark requires these modules in the version Published instead.
	Published string `json:"published,omitempty"`
	// Patterns has the package patterns to analyse. If it is empty, "./..." is used.
	Patterns []string `json:"patterns,omitempty"`
	// Draw is the number of writes to draw from the module. It is 0 if the module is used
	// only for known places and findings.
	Draw int `json:"draw,omitempty"`
	// Fitted is true if the code was known when the rules were designed. Figures are
	// computed with and without these modules.
	Fitted bool `json:"fitted,omitempty"`
	// Late is true if the module was first examined after the rules were complete, and
	// changed nothing in the rules.
	Late bool `json:"late,omitempty"`
	// HeldOut is the number of the round in which the module was chosen and first
	// examined, after the rules were complete. It is 0 for other modules. Errors that a
	// round found were corrected before the next round. So only the first run of each
	// round is on code that nobody had seen.
	HeldOut int `json:"heldOut,omitempty"`
}

// revision returns the version or commit to which the labels belong.
func (m module) revision() string {
	if m.Version != "" {
		return m.Version
	}
	return m.Commit[:12]
}

// modules returns the modules with the names. Without names, it returns all modules.
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

// readLines reads an embedded file with one JSON value on each line.
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

// checkout returns the directory with the source of a module. If necessary, it downloads
// the source. If a directory <cache>/<name> exists, it is used unchanged, so that the
// benchmark can use sources from elsewhere.
func checkout(cache string, m module) (string, error) {
	// The path must be absolute, because go list prints absolute paths.
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
	// The download goes to a directory with another name first, so that an interrupted
	// download is not taken for a complete one.
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
	// The command runs outside any module, so that no go.mod has an effect.
	out, err := run(dir, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return err
	}
	// The module cache is read-only, but go list needs to write go.sum.
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

// requirePublished makes go.mod require the published version of modules that it replaces
// by folders of the same repository. It also removes a workspace, because workspaces list
// such folders, too.
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

// run runs a command in dir and returns its output. An error has the standard error of
// the command.
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
