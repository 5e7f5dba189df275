// Package source finds the files that a linter reads. It turns command-line
// arguments (files, directories, globs and "-") into an ordered list of inputs,
// reports how a kustomization or a Helm chart uses each, and opens them without
// leaving the directory that the user named.
//
// It does not parse manifests. The only files that it reads itself are those that
// decide which files are inputs and of what kind: .gitignore files and
// kustomizations.
package source

import (
	"io"

	"github.com/kubevet/kubevet/internal/treefile"
)

// StdinName is the argument for standard input, and the name of that input.
const StdinName = "-"

// Input is one file, or standard input. The zero value is not valid: inputs come
// from Expand.
type Input struct {
	// Name is what the user would type for this file: relative to the working
	// directory unless the argument was absolute, with slashes, and cleaned
	// ("./a" becomes "a"). It is "-" for standard input. A name may hold any
	// byte, so it must be quoted before it is printed.
	Name string
	// Path is the path that is opened, in the notation of the operating
	// system; empty for standard input. For a symbolic link found in a
	// directory it is the target.
	Path string
	// Size is the file's length in bytes when it was found, or -1 if that is not
	// known. It is not known for files found in directories, where it would cost
	// a system call each.
	Size int64
	// Partial describes how a kustomization uses the file, other than as a
	// resource. It is the zero value if no kustomization names the file, or one
	// lists it as a resource.
	Partial Partial
	// Template is the directory, as the user would type it, of the Helm chart in
	// whose templates directory the file is; empty for other files. Such a file
	// is input to a template engine, though it may be plain YAML.
	Template string
	// Kustomization is set if the file is a kustomization itself. It has one of the
	// three names that kustomize looks for. It does not declare another apiVersion, as
	// Flux's custom resources of the same name do.
	Kustomization bool

	from *origin
}

// Partial names the kustomization that uses a file, and the field that names it.
type Partial struct {
	// Kustomization is the kustomization's name, as the user would type it.
	Kustomization string
	// As is the field of the kustomization that names the file: patches,
	// patchesStrategicMerge, patchesJson6902 (see Patch),
	// transformers, generators, validators, configurations, crds, openapi,
	// replacements, configMapGenerator, secretGenerator, helmCharts. It is
	// "unlisted patch" for a file that is called a patch and that no kustomization
	// names.
	As string
}

const unlistedPatch = "unlisted patch"

// Patch reports whether the file is a patch: it looks like an object but is only
// a part of one. Files in the other fields are configuration of kustomize, or
// data. They are not sent to a cluster either.
func (p Partial) Patch() bool {
	switch p.As {
	case "patches", "patchesStrategicMerge", "patchesJson6902", unlistedPatch:
		return true
	}
	return false
}

// Options change what Expand finds. The zero value holds the defaults of the
// command line.
type Options struct {
	// Dir is the working directory for relative arguments and exclusions; empty
	// for that of the process.
	Dir string
	// Stdin is the reader for "-"; nil for the process's standard input.
	Stdin io.Reader
	// Extensions are the extensions of the files that are read in directories, with
	// their dot and regardless of case; empty for .yaml, .yml and .json. Files named as
	// arguments may have any name.
	Extensions []string
	// Also reports whether a file with this base name is read in directories
	// despite its extension. It may be nil.
	Also func(base string) bool
	// Exclude holds doublestar globs. A glob without a slash matches the base
	// name of a file or directory at any depth. Any other matches the path
	// relative to Dir. The files below a matching directory are excluded with it.
	// A slash at the end restricts a glob to directories. Exclusions apply to
	// arguments as well, so that a tool that passes every changed file by name,
	// as pre-commit does, respects them.
	Exclude []string
	// NoGitignore also reads files that git ignores.
	NoGitignore bool
	// FollowSymlinks follows symbolic links that lead out of the directory that
	// the argument names. Links that stay inside are always followed.
	FollowSymlinks bool
	// Overlay replaces the texts of kustomizations.
	Overlay treefile.Overlay
	// Tree, if it is not empty, is the absolute path of a directory that no argument
	// may lead out of: the arguments come from a configuration that is not trusted.
	// A file must then be regular.
	Tree string
}

// Expand returns the inputs that args name, in the order of the arguments. Within
// a directory they are in the order of their names, component by component. Each
// file is an input once, by the first argument that reaches it. Two paths are
// the same file if they are equal after all symbolic links are resolved.
//
// An argument is
//   - "-": standard input;
//   - a file, whatever its name, and even if git ignores it;
//   - a directory: every file below it with one of o.Extensions. Files of .git,
//     .hg and .svn, files that git ignores by .gitignore files (from the root of
//     the repository down) and by .git/info/exclude, excluded files and files
//     that are not regular are left out. Packed charts are problems, except the
//     dependencies in a chart. Hidden directories are read. So are vendor and
//     node_modules, since bases and charts that get applied are vendored, too;
//   - a glob that no shell expanded, such as "apps/**/*.yaml": the same files
//     that a shell would pass. But git's ignore rules apply as in a directory,
//     and a pattern without an extension of its own finds only files with one
//     of o.Extensions.
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
