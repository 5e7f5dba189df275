package goload

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hiddenFile is a file that the go command must not open, with the reason.
type hiddenFile struct{ path, reason string }

// maxSource is the maximal size of a source file in bytes, 128 MiB.
const maxSource = 128 << 20

// sourceExtensions has the extensions of the files in a package that the go command
// opens.
var sourceExtensions = []string{
	".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
	".s", ".S", ".sx", ".swig", ".swigcxx",
}

// irregularFiles returns the source files that the go command must not open. The go
// command would block on a named pipe, and would never reach the end of a device.
// irregularFiles searches the module of a directory, its workspace, and the local
// directories in go.mod and go.work. Files such as go.mod cannot be hidden from the go
// command, so irregularFiles returns an error if one of them is irregular.
func irregularFiles(dir string, env []string) ([]hiddenFile, error) {
	s := &survey{seen: map[string]bool{}, left: maxElsewhere}
	root, err := s.root(dir, "go.mod")
	if err != nil {
		return nil, err
	}
	if work := lookup(env, "GOWORK"); work != "off" {
		workspace, err := s.root(dir, "go.work")
		if filepath.IsAbs(work) {
			workspace, err = filepath.Dir(work), regular(work)
		}
		if err != nil {
			return nil, err
		}
		if workspace != "" {
			if err := s.module(workspace); err != nil {
				return nil, err
			}
		}
	}
	if root == "" {
		root = dir
	}
	if err := s.module(root); err != nil {
		return nil, err
	}
	s.within = root
	s.walk(root)
	for _, other := range s.named {
		s.walk(other)
	}
	slices.SortFunc(s.hidden, func(x, y hiddenFile) int { return strings.Compare(x.path, y.path) })
	return s.hidden, nil
}

// lookup returns the value of an environment variable, or "". If env has the variable
// twice, the value of the last entry is returned.
func lookup(env []string, key string) string {
	value := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, key+"="); ok {
			value = v
		}
	}
	return value
}

// maxElsewhere is the maximal number of files and directories to examine outside the
// module. go.mod may name any directory, even the root of the file system.
const maxElsewhere = 200_000

// survey is the state of a search for irregular files.
type survey struct {
	hidden []hiddenFile
	// seen has the directories that were examined.
	seen map[string]bool
	// named has the directories that go.mod and go.work name.
	named []string
	// within is the root of the module. left is the number of files and directories that
	// may still be examined outside it.
	within string
	left   int
}

// root returns dir or its nearest parent that has the file. It returns "" if there is
// none.
func (s *survey) root(dir, file string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(filepath.Join(at, file))
		if err == nil && !info.IsDir() {
			return at, regular(filepath.Join(at, file))
		}
		if at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// module checks files such as go.mod, which the go command reads first. It stores the
// local directories in them.
func (s *survey) module(dir string) error {
	var errs []error
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")} {
		errs = append(errs, regular(filepath.Join(dir, name)))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.work"} {
		for _, other := range localPaths(filepath.Join(dir, name)) {
			if !filepath.IsAbs(other) {
				other = filepath.Join(dir, other)
			}
			if slices.Contains(s.named, other) {
				continue
			}
			s.named = append(s.named, other)
			errs = append(errs, regular(filepath.Join(other, "go.mod")), regular(filepath.Join(other, "go.sum")))
			if name == "go.work" && other != dir {
				errs = append(errs, s.module(other)) // this module may have local replacements, too
			}
		}
	}
	return errors.Join(errs...)
}

// localPaths returns the words in a go.mod or go.work that are local paths. No other
// words begin like a local path.
func localPaths(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	const most = 16 << 20
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		for _, word := range strings.Fields(line) {
			word = filepath.FromSlash(strings.Trim(word, "\"`"))
			if word == "." || word == ".." || strings.HasPrefix(word, "."+string(filepath.Separator)) ||
				strings.HasPrefix(word, ".."+string(filepath.Separator)) || filepath.IsAbs(word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// regular returns an error if a file exists and reading it may block.
func regular(name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		if why := irregular(info); why != "" {
			return fmt.Errorf("%s: it is %s", name, why)
		}
	}
	return nil
}

// irregular returns a description of a file that is neither a regular file nor a
// directory, or that is too large. It returns "" for other files.
func irregular(info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m.IsRegular() && info.Size() > maxSource:
		return fmt.Sprintf("larger than %d MiB", maxSource>>20)
	case m.IsRegular(), m.IsDir():
		return ""
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe, not a regular file"
	case m&fs.ModeSocket != 0:
		return "a socket, not a regular file"
	case m&fs.ModeDevice != 0:
		return "a device, not a regular file"
	}
	return "not a regular file"
}

// walk examines the packages in and below a directory. Like the go command with patterns,
// it skips nested modules and does not follow links to directories. A nested module is
// examined if go.mod or go.work names it.
func (s *survey) walk(dir string) {
	if s.seen[dir] {
		return
	}
	s.seen[dir] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the go command reports this error
	}
	if rel, err := filepath.Rel(s.within, dir); err != nil || !filepath.IsLocal(rel) {
		if s.left -= len(entries) + 1; s.left < 0 {
			return
		}
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if e.Name() == ".git" || isFile(filepath.Join(name, "go.mod")) {
				continue
			}
			s.walk(name)
		case strings.HasPrefix(e.Name(), "_"), strings.HasPrefix(e.Name(), "."):
		case slices.Contains(sourceExtensions, filepath.Ext(e.Name())):
			// For a symbolic link, Stat returns the file at the end of the link.
			if info, err := os.Stat(name); err == nil {
				if why := irregular(info); why != "" {
					s.hidden = append(s.hidden, hiddenFile{name, why})
				}
			}
		}
	}
}

// failHidden records the hidden files as failures of their packages. It returns failures
// for the files that belong to no package of the graph.
func (g *graph) failHidden(hidden []hiddenFile) []Failure {
	byDir := map[string]*node{}
	for _, n := range g.nodes {
		if n.ForTest == "" {
			byDir[n.Dir] = n
		}
	}
	var failures []Failure
	for _, h := range hidden {
		dir := filepath.Dir(h.path)
		e := Error{Pos: token.Position{Filename: h.path}, Msg: "it is " + h.reason}
		if n := byDir[dir]; n != nil {
			n.fail(e)
			continue
		}
		name := dir
		if own, err := filepath.Abs(g.o.Dir); err == nil {
			if rel, err := filepath.Rel(own, dir); err == nil && filepath.IsLocal(rel) {
				name = "./" + filepath.ToSlash(rel)
			}
		}
		failures = append(failures, Failure{Package: name, Errors: []Error{e}})
	}
	return failures
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && !info.IsDir()
}

// writeOverlay writes a file for the flag -overlay that hides files from the go command.
// It returns the name of the file. The caller removes it.
func writeOverlay(hidden []hiddenFile) (string, error) {
	replace := map[string]string{}
	for _, h := range hidden {
		replace[h.path] = ""
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "kubevet-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}
