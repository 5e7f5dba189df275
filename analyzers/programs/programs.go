// Package programs finds the names of the programs that Go packages are built
// into. client-go begins its user agent with the name of the running binary, and
// the API server takes the name up to the first slash as field manager of writes
// that name none.
package programs

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Name is the name of a program.
type Name struct {
	// Text is empty if the name is not known: it depends on variables of File, or
	// images start programs of other names, and the directory does not suggest a
	// name of the program's own.
	Text string
	// File is the build file that names the program, relative to the module's root and
	// with slashes. It is empty if the name is the directory's, which go build and go
	// install use.
	File string
}

// The limits on build files: their number for a module, and their size.
const (
	maxFiles = 200
	maxSize  = 1 << 20
)

// patterns are the build files, relative to a directory, the ones that decide
// about released programs first.
var patterns = []struct {
	rank     int
	patterns []string
}{
	{1, []string{"Dockerfile*", "*.Dockerfile", "Containerfile*", "*/Dockerfile*", "*/*/Dockerfile*", "*/*.Dockerfile"}},
	{2, []string{".goreleaser.y*ml", "goreleaser.y*ml", ".goreleaser/*.y*ml"}},
	{3, []string{"Makefile", "makefile", "GNUmakefile", "*.mk", "*/Makefile", "*/*.mk", "*.sh", "hack/*.sh", "build/*.sh", "scripts/*.sh", "magefile.go"}},
}

// Of returns the name of the program that the package main in a directory is built
// into, whose import path is pkg. Build files decide: first Dockerfiles, then
// GoReleaser's configuration, then Makefiles and scripts. Without them it is the name
// that go build chooses. A general name must agree with the programs that images and
// manifests of the module start.
func Of(dir, pkg string) Name {
	fallback := Name{Text: Base(pkg)}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fallback
	}
	root, module := moduleOf(dir)
	if root == "" {
		return fallback
	}
	if rel, err := filepath.Rel(root, dir); err == nil && rel == "." {
		fallback.Text = Base(module)
	}
	var found []candidate
	for _, up := range append(between(dir, root), upwards(root)...) {
		for _, f := range files(up) {
			found = append(found, f.candidates(up, root, module, dir)...)
		}
	}
	if kubebuilt(root, dir) && exists(filepath.Join(root, "PROJECT")) {
		found = append(found, candidate{Name{Text: "manager", File: "PROJECT"}, 4}) // the projects of kubebuilder
	}
	best := candidate{fallback, none}
	if len(found) > 0 {
		// A name of the program's own outweighs a general one of the same rank.
		best = slices.MinFunc(found, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(number(Generic(a.Text)), number(Generic(b.Text))), cmp.Compare(a.File, b.File))
		})
	}
	if best.Text == "" && !Generic(fallback.Text) {
		return fallback
	}
	if best.Text != "" && !Generic(best.Text) {
		return best.Name
	}
	return best.checked(root, dir, fallback.Text)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// kubebuilt reports whether kubebuilder puts the main package of its projects
// into a directory.
func kubebuilt(root, dir string) bool {
	return dir == root || dir == filepath.Join(root, "cmd")
}

type candidate struct {
	Name
	rank int
}

// The rank of a name that no build file chooses, and the number added to the rank of
// unknown names.
const (
	none    = 5
	unknown = 10
)

type file struct {
	name, text string
	rank       int
}

// files reads the build files of a directory and of those below.
func files(dir string) []file {
	var all []file
	for _, p := range patterns {
		for _, pattern := range p.patterns {
			// The patterns are valid.
			names, _ := filepath.Glob(filepath.Join(escape(dir), filepath.FromSlash(pattern)))
			for _, name := range names {
				if len(all) >= maxFiles {
					return all
				}
				if strings.Contains(name, string(filepath.Separator)+"vendor"+string(filepath.Separator)) {
					continue
				}
				if text, ok := read(name); ok {
					all = append(all, file{name, text, p.rank})
				}
			}
		}
	}
	return all
}

// read returns the text of a regular file that is not too large.
func read(name string) (string, bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
		return "", false
	}
	data, err := os.ReadFile(name)
	return string(data), err == nil && len(data) <= maxSize
}

// escape escapes the special characters of a glob.
func escape(dir string) string {
	if filepath.Separator == '\\' {
		return dir // backslashes do not escape there
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// candidates are the names in a build file for the package in dir. Packages are
// relative to the file's directory, or else to the directory above from which it is
// built.
func (f file) candidates(up, root, module, dir string) []candidate {
	var list []Program
	if f.rank == 2 {
		list = Released(f.text, ".")
	} else {
		list = built(f.text, ".", module)
		for i := range list {
			if list[i].Name != "" {
				list[i].Name = renamed(f, list[i].Name)
			}
		}
	}
	bases := []string{filepath.Dir(f.name), up}
	if filepath.Dir(f.name) == up {
		bases = append(bases, root) // it may change the directory first
	}
	relative, err := filepath.Rel(root, f.name)
	if err != nil {
		return nil
	}
	var all []candidate
	for _, p := range list {
		at := ""
		if rest, ok := strings.CutPrefix(p.Package, module+"/"); ok && module != "" {
			at = filepath.Join(root, filepath.FromSlash(rest))
		} else if p.Package != "" && path.IsAbs(p.Package) {
			continue
		} else if p.Package != "" {
			for _, base := range bases {
				if at = filepath.Join(base, filepath.FromSlash(p.Package)); hasGo(at) {
					break
				}
			}
		} else if p.Name == "" {
			at = dir // variables hold the names and the packages of several programs
		} else if !kubebuilt(root, dir) {
			continue // the package is not known
		} else {
			at = dir
		}
		rank := f.rank
		if p.Name == "" {
			rank += unknown
		}
		if at == dir {
			all = append(all, candidate{Name{Text: p.Name, File: filepath.ToSlash(relative)}, rank})
		}
	}
	return all
}

func hasGo(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(escape(dir), "*.go"))
	return len(names) > 0
}

// renamed is the name of a program after the instructions of a Dockerfile that rename
// it.
func renamed(f file, name string) string {
	if f.rank != 1 {
		return name
	}
	m := readImage(f.text)
	return m.renamed(name)
}

// moduleOf is the nearest directory with a go.mod, from dir upwards, and the
// module's path.
func moduleOf(dir string) (root, module string) {
	for at := dir; ; at = filepath.Dir(at) {
		if text, ok := read(filepath.Join(at, "go.mod")); ok {
			for line := range strings.Lines(text) {
				if rest, ok := strings.CutPrefix(line, "module "); ok {
					return at, strings.Trim(strings.TrimSpace(rest), `"`)
				}
			}
			return at, ""
		}
		if at == filepath.Dir(at) {
			return "", ""
		}
	}
}

// upwards are the module's root and its parent directories up to the root of the
// repository; only the module's root if the repository is not found close to it.
func upwards(root string) []string {
	dirs := []string{root}
	for up := root; len(dirs) <= 4; up = filepath.Dir(up) {
		if up != root {
			dirs = append(dirs, up)
		}
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return dirs
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	return dirs[:1]
}

// between are the directories from a program's own up to the one below the root.
func between(dir, root string) []string {
	var dirs []string
	for at := dir; at != root && len(at) > len(root) && len(dirs) < 8; at = filepath.Dir(at) {
		dirs = append(dirs, at)
	}
	return dirs
}

var majorVersion = once(`^v[0-9]+$`)

// Base is the last element of an import path that is not a version: the name that
// the go command gives to a program.
func Base(pkg string) string {
	base := path.Base(pkg)
	if majorVersion().MatchString(base) && path.Dir(pkg) != "." {
		base = path.Base(path.Dir(pkg))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && majorVersion().MatchString(base[i+1:]) {
		base = base[:i]
	}
	return base
}
