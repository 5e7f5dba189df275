package programs

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// evidence is what the images and manifests of a module show about the names of its
// programs.
type evidence struct {
	images []imageFile
	// commands has the names of the programs that manifests start.
	commands map[string]bool
	// programs maps the name that go build gives a program to the directories with such
	// a program. The directories contain a main.go.
	programs map[string][]string
}

// hasOther reports whether a directory other than dir has a program with this name.
func (e *evidence) hasOther(name, dir string) bool {
	return slices.ContainsFunc(e.programs[name], func(d string) bool { return d != dir })
}

type imageFile struct {
	image
	file string // relative to the module's root, with slashes
}

// Limits for the files of one module. The size is in bytes.
const (
	maxImages    = 200
	maxManifests = 400
	maxManifest  = 256 << 10
)

// evidenceCache maps the root directories of modules to their evidence. The files are
// assumed not to change during a run.
var evidenceCache sync.Map

// evidenceOf returns the evidence in the Dockerfiles and manifests of a module.
func evidenceOf(root string) *evidence {
	if known, ok := evidenceCache.Load(root); ok {
		return known.(*evidence)
	}
	e := &evidence{commands: map[string]bool{}, programs: map[string][]string{}}
	_, module := moduleOf(root)
	seen := map[string]bool{}
	add := func(name string) {
		if seen[name] || len(e.images) >= maxImages {
			return
		}
		seen[name] = true
		if text, ok := read(name); ok {
			relative, _ := filepath.Rel(root, name)
			e.images = append(e.images, imageFile{readImage(text), filepath.ToSlash(relative)})
		}
	}
	entries, manifests := 0, 0
	// Directories that cannot be read are skipped.
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case entries > maxEntries:
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir():
			if name != root && (isAuxiliary(d.Name()) || exists(filepath.Join(name, "go.mod"))) {
				return fs.SkipDir
			}
		case !d.Type().IsRegular():
		case d.Name() == "main.go":
			base, dir := Base(module), filepath.Dir(name)
			if dir != root {
				base = filepath.Base(dir)
			}
			e.programs[base] = append(e.programs[base], dir)
		case dockerfile(d.Name()):
			add(name)
		case manifests < maxManifests && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".tpl")):
			if info, err := d.Info(); err != nil || info.Size() > maxManifest {
				return nil
			}
			manifests++
			if text, ok := read(name); ok && strings.Contains(text, "command:") {
				for _, command := range commandsOf(text) {
					e.commands[command] = true
				}
			}
		}
		return nil
	})
	for _, up := range directoriesAbove(root)[1:] {
		if exists(filepath.Join(up, "go.mod")) {
			break // these images belong to programs of the outer module
		}
		for _, f := range files(up) {
			if f.rank == 1 {
				add(f.name)
			}
		}
	}
	evidenceCache.Store(root, e)
	return e
}

func dockerfile(name string) bool {
	return strings.HasPrefix(name, "Dockerfile") || strings.HasSuffix(name, ".Dockerfile") || strings.HasSuffix(name, ".dockerfile") || strings.HasPrefix(name, "Containerfile")
}

// confirmed returns the name of a candidate with a generic name or none. It looks for the
// name in the images and manifests of the module. A candidate without a name is looked for
// by the name of its directory. The first case that applies determines the result:
//
//   - An image renames the program: the new name. A generic new name counts only if
//     nothing starts the program by the old name.
//   - An image or manifest starts the program by its name: this name.
//   - The candidate has no name: no name.
//   - The name is not from a Dockerfile or from GoReleaser, and images or manifests start
//     another program that no other directory builds: no name. The two are probably the
//     same program.
//   - No build file gives the name, and it is cmd, or an image has a name with variables:
//     no name.
//   - Otherwise: the candidate's name.
func (c candidate) confirmed(root, dir, directory string) Name {
	name := c.Text
	if name == "" {
		name = directory
	}
	e := evidenceOf(root)
	confirmed, other, vague := e.commands[name], false, false
	var instead Name
	for _, m := range e.images {
		if to := m.finalName(name); to != name && (instead.Text == "" || Generic(instead.Text) && !Generic(to)) {
			instead = Name{Text: to, File: m.file}
		}
		confirmed = confirmed || m.runs[name]
		vague = vague || m.unclear
		for run := range m.runs {
			other = other || run != name && !e.hasOther(run, dir)
		}
	}
	if project := projectOf(root); project != "" {
		for command := range e.commands {
			other = other || !Generic(command) && strings.Contains(command, project) && !e.hasOther(command, dir)
		}
	}
	switch {
	case instead.Text != "" && (!confirmed || !Generic(instead.Text)):
		return instead
	case confirmed:
		c.Text = name
	case c.Text == "", c.rank >= 3 && other, c.rank == none && (vague || name == "cmd"):
		c.Text = ""
	}
	return c.Name
}

// projectOf returns the longest word of the module's name that is not generic, or "".
func projectOf(root string) string {
	_, module := moduleOf(root)
	longest := ""
	for word := range strings.FieldsFuncSeq(Base(module), func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(word) > len(longest) && len(word) >= 3 && !Generic(word) {
			longest = word
		}
	}
	return longest
}
