// Package source finds the files that a linter reads. It turns command-line
// arguments (files, directories, globs and "-") into an ordered list of inputs,
// and reports how a kustomization or a Helm chart uses each input. It opens the
// inputs without leaving the directory that the user named.
//
// It does not parse manifests. It parses only .gitignore files and
// kustomizations, which determine the inputs and how they are used.
package source

import (
	"io"

	"github.com/kubevet/kubevet/internal/treefile"
)

// StdinName is the argument for standard input, and the name of that input.
const StdinName = "-"

// Input is one file, or standard input. Expand creates all inputs. The zero
// value is not valid.
type Input struct {
	// Name is the path of the file as the user would type it, with slashes. It is
	// relative to the working directory unless the argument was absolute, and
	// cleaned ("./a" becomes "a"). Standard input has the name "-". A name can
	// contain any byte, so it must be quoted before it is printed.
	Name string
	// Path is the path to open, in the notation of the operating system; "" for
	// standard input. For a symbolic link in a directory, it is the path of the
	// target.
	Path string
	// Size is the file's length in bytes when Expand found it, or -1 if
	// unknown. It is unknown for files in directories, because finding it would
	// cost one system call for each file.
	Size int64
	// Partial names the kustomization that uses the file, but not as a resource.
	// It is zero for resources and for files that no kustomization names.
	Partial Partial
	// Template is the directory of the Helm chart whose templates directory
	// contains the file, as the user would type it; "" for other files. Helm's
	// template engine reads the file, although it may be plain YAML.
	Template string
	// Kustomization is set if the file is a kustomization: it has one of the
	// three names that kustomize accepts, and no apiVersion except kustomize's.
	// Flux has custom resources in files with these names.
	Kustomization bool

	from *origin
}

// Partial names the kustomization that uses a file, and the field that names
// it.
type Partial struct {
	// Kustomization is the kustomization's name, as the user would type it.
	Kustomization string
	// As is the field of the kustomization that names the file: patches,
	// patchesStrategicMerge, patchesJson6902 (see Patch), transformers,
	// generators, validators, configurations, crds, openapi, replacements,
	// configMapGenerator, secretGenerator, helmCharts. It is "unlisted patch" for
	// a file that has "patch" in its name and that no kustomization names.
	As string
}

const unlistedPatch = "unlisted patch"

// Patch reports whether the file is a patch, which has only a part of an
// object. All other values of As mean data or configuration of kustomize. None
// of these files is sent to a cluster.
func (p Partial) Patch() bool {
	switch p.As {
	case "patches", "patchesStrategicMerge", "patchesJson6902", unlistedPatch:
		return true
	}
	return false
}

// Options change what Expand finds. The zero value has the defaults of the
// command line.
type Options struct {
	// Dir is the working directory for relative arguments and exclusions; "" for
	// the process's working directory.
	Dir string
	// Stdin is the reader for "-"; nil for the process's standard input.
	Stdin io.Reader
	// Extensions are the extensions of the files that are read in directories,
	// with their dot, in any case. Empty means .yaml, .yml and .json. Files that
	// are arguments may have any name.
	Extensions []string
	// Also reports whether a file with this base name is read in directories
	// although its extension is not in Extensions. Also may be nil.
	Also func(base string) bool
	// Exclude has doublestar globs. A glob without a slash matches the base name
	// of a file or directory at any depth. A glob with a slash matches the path
	// relative to Dir. All files below a matching directory are excluded. A slash
	// at the end restricts a glob to directories. Exclusions also apply to
	// arguments, because tools such as pre-commit pass each changed file as an
	// argument.
	Exclude []string
	// NoGitignore also reads files that git ignores.
	NoGitignore bool
	// FollowSymlinks follows symbolic links that lead out of the directory that
	// is an argument. Links that stay inside are always followed.
	FollowSymlinks bool
	// Overlay replaces the texts of kustomizations; nil for none.
	Overlay treefile.Overlay
	// Tree is the absolute path of a directory that no argument may lead out
	// of; "" for no limit. All arguments must then be regular files or
	// directories. Tree is for arguments from a configuration that is not
	// trusted.
	Tree string
}

// Expand returns the inputs that args name, in the order of the arguments. The
// inputs of a directory are sorted by path, component by component. Each file
// is an input once, for the first argument that reaches it. Two paths are the
// same file if they are equal after all symbolic links are resolved.
//
// An argument is
//   - "-": standard input;
//   - a file with any name, even if git ignores it;
//   - a directory: every file below it with one of o.Extensions. Files of .git,
//     .hg and .svn, files that git ignores by .gitignore files (from the root
//     of the repository down) and by .git/info/exclude, excluded files and
//     files that are not regular are left out. Packed charts are problems,
//     except the dependencies in a chart. Hidden directories are read. So are
//     vendor and node_modules, because they can have bases and charts that are
//     applied;
//   - a glob that no shell expanded, such as "apps/**/*.yaml": the files that a
//     shell would pass, except files that git ignores. A pattern without an
//     extension finds only files with one of o.Extensions.
//
// If git ignores a directory that is named as an argument, the directory is
// searched, and only the ignore rules inside it apply.
//
// Problems are returned in the order in which they were found. They do not stop
// the search.
func Expand(args []string, o Options) ([]Input, []Problem) {
	e := newExpander(o)
	for _, arg := range args {
		e.argument(arg)
	}
	e.markPartials()
	return e.inputs, e.problems
}
