// Package programs finds the names of the programs that are built from Go packages.
//
// client-go begins its user agent with the name of the running binary. If a write names no
// field manager, the API server uses the part of the user agent before the first slash.
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
	// Text is the name. It is empty if the name is not known: it depends on variables
	// in File, or it is generic and images start programs with other names.
	Text string
	// File is the build file that names the program, relative to the module's root and
	// with slashes. It is empty if the name is that of the directory, as for go build
	// and go install.
	File string
}

// Limits for build files: their number for one module, and their size in bytes.
const (
	maxFiles = 200
	maxSize  = 1 << 20
)

// patterns lists the build files, relative to a directory. If several files name a
// program, the file with the lowest rank wins, because it is closest to the released
// program.
var patterns = []struct {
	rank     int
	patterns []string
}{
	{1, []string{"Dockerfile*", "*.Dockerfile", "Containerfile*", "*/Dockerfile*", "*/*/Dockerfile*", "*/*.Dockerfile"}},
	{2, []string{".goreleaser.y*ml", "goreleaser.y*ml", ".goreleaser/*.y*ml"}},
	{3, []string{"Makefile", "makefile", "GNUmakefile", "*.mk", "*/Makefile", "*/*.mk", "*.sh", "hack/*.sh", "build/*.sh", "scripts/*.sh", "magefile.go"}},
}

// Of returns the name of the program that is built from the package main in a
// directory. pkg is the import path of the package.
//
// The name comes from the first of these build files that names the program:
// Dockerfiles, the configuration of GoReleaser, Makefiles, scripts. If no build file
// names it, the name is the one that go build uses. A generic name counts only if the
// module's images and manifests start a program with this name.
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
	for _, up := range append(between(dir, root), directoriesAbove(root)...) {
		for _, f := range files(up) {
			found = append(found, f.candidates(up, root, module, dir)...)
		}
	}
	if kubebuilt(root, dir) && exists(filepath.Join(root, "PROJECT")) {
		found = append(found, candidate{Name{Text: "manager", File: "PROJECT"}, 4}) // a project of kubebuilder
	}
	best := candidate{fallback, none}
	if len(found) > 0 {
		// Of names with the same rank, one that is not generic wins.
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
	return best.confirmed(root, dir, fallback.Text)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// kubebuilt reports whether dir is a directory into which kubebuilder puts the main
// package of a project.
func kubebuilt(root, dir string) bool {
	return dir == root || dir == filepath.Join(root, "cmd")
}

type candidate struct {
	Name
	rank int
}

// Ranks of candidates whose names do not come from build files. The candidate with the
// lowest rank wins.
const (
	// none is the rank of a name that no build file chooses.
	none = 5
	// unknown is added to the rank of a build file that builds the program but does not
	// show its name.
	unknown = 10
)

type file struct {
	name, text string
	rank       int
}

// files returns the build files in a directory and in directories below it, up to maxFiles.
func files(dir string) []file {
	var all []file
	for _, p := range patterns {
		for _, pattern := range p.patterns {
			// Glob fails only for invalid patterns.
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

// read returns the text of a regular file. It returns false if there is no such file,
// or if it is larger than maxSize bytes.
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
		return dir // Windows has no escapes in globs
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// candidates returns the names that a build file gives the package in dir. Package
// paths in the file are relative to the file's directory, or to up: the directory in
// which the build may start.
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
		bases = append(bases, root) // commands in the file may change to the root first
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
			at = dir // one command builds several programs; variables hold their names and packages
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

// renamed returns the name that a program has in the image, if f is a Dockerfile. For
// other files, it returns name.
func renamed(f file, name string) string {
	if f.rank != 1 {
		return name
	}
	m := readImage(f.text)
	return m.finalName(name)
}

// moduleOf returns the nearest directory with a go.mod, from dir upwards, and the path of
// the module.
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

// directoriesAbove returns the directories from the module's root up to the
// repository's root. If the repository's root is more than three directories above, it
// returns only the module's root.
func directoriesAbove(root string) []string {
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

// between returns the directories from dir up to the one below root. It returns at most
// 8.
func between(dir, root string) []string {
	var dirs []string
	for at := dir; at != root && len(at) > len(root) && len(dirs) < 8; at = filepath.Dir(at) {
		dirs = append(dirs, at)
	}
	return dirs
}

var majorVersion = lazyRegexp(`^v[0-9]+$`)

// Base returns the name that the go command gives a program: the last element of its
// import path that is not a major version.
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
