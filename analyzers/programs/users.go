package programs

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// moduleCache maps the root directories of modules to their programs. The files are
// assumed not to change during a run.
var moduleCache sync.Map

// moduleFiles has what is known about the Go files of a module.
type moduleFiles struct {
	root, path string
	// programs are the directories with a package main. complete is false if there may be
	// others.
	programs []string
	complete bool

	mu      sync.Mutex
	imports map[string][]string // the directories that each directory imports
}

// filesOf returns the files of the module that contains a directory. It returns nil if
// there is no module.
func filesOf(dir string) *moduleFiles {
	root, path := moduleOf(dir)
	if root == "" {
		return nil
	}
	if known, ok := moduleCache.Load(root); ok {
		return known.(*moduleFiles)
	}
	m := &moduleFiles{root: root, path: path, imports: map[string][]string{}}
	m.complete = eachProgram(root, func(name string) bool {
		if at := filepath.Dir(name); !slices.Contains(m.programs, at) {
			m.programs = append(m.programs, at)
		}
		return true
	})
	known, _ := moduleCache.LoadOrStore(root, m)
	return known.(*moduleFiles)
}

// Users returns the directories of the programs that contain the package in a directory:
// the package itself, or those that import it. Only programs of the same module count, and
// programs in directories for tests, examples and tools do not. others has the names that
// go build gives to the other programs of the module. ok is false if the module has more
// than maxEntries files and directories, or cannot be read.
func Users(dir string) (users, others []string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, false
	}
	m := filesOf(dir)
	if m == nil || !m.complete {
		return nil, nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, at := range m.programs {
		switch {
		case at == dir, m.reaches(at, dir, map[string]bool{}):
			users = append(users, at)
		case at == m.root:
			others = append(others, Base(m.path))
		default:
			others = append(others, Base(filepath.ToSlash(at)))
		}
	}
	return users, others, true
}

// reaches reports whether the package in the directory from imports the one in the
// directory to, directly or through packages of the module.
func (m *moduleFiles) reaches(from, to string, seen map[string]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(m.importsOf(from), func(dir string) bool { return dir == to || m.reaches(dir, to, seen) })
}

// importsOf returns the directories of the module that the package in a directory imports.
func (m *moduleFiles) importsOf(dir string) []string {
	if dirs, ok := m.imports[dir]; ok {
		return dirs
	}
	var dirs []string
	// Glob fails only for invalid patterns.
	names, _ := filepath.Glob(filepath.Join(escape(dir), "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			if rest, ok := strings.CutPrefix(path, m.path+"/"); ok {
				dirs = append(dirs, filepath.Join(m.root, filepath.FromSlash(rest)))
			} else if path == m.path {
				dirs = append(dirs, m.root)
			}
		}
	}
	m.imports[dir] = dirs
	return dirs
}
