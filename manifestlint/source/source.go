// Package source finds the files that a linter reads: it turns command-line
// arguments (files, directories, globs and "-") into an ordered list of
// inputs, says of each what a kustomization or a Helm chart uses it for, and
// opens them without ever leaving the directory that the user named.
//
// It parses no manifests. The only files it reads for itself are those that
// decide what is an input and what kind of file it is: .gitignore files and
// kustomizations. Others it reads for who judges them, if asked to keep them.
package source

import (
	"io"
)

// StdinName is the argument, and the name of the input, that stands for
// standard input.
const StdinName = "-"

// Input is one file, or standard input, that is to be read. The zero value is
// not valid; inputs come from Expand.
type Input struct {
	// Name is what the user would type to mean this file: relative to the
	// working directory unless the argument was absolute, with slashes, and
	// cleaned ("./a" is "a"). It is "-" for standard input. File names may
	// hold any byte; whoever prints a name must see to that.
	Name string
	// Path is the path that is opened, in the notation of the operating
	// system; empty for standard input. For a symbolic link found in a
	// directory it is the target.
	Path string
	// Size is the file's length in bytes when it was found, or -1 where that
	// is not known: to know it of a file in a directory would cost a system
	// call each.
	Size int64
	// Partial tells what a kustomization uses the file for, other than as a
	// resource. The zero value is a file that no kustomization names, or that
	// one names as a resource.
	Partial Partial
	// Template names the Helm chart, as the user would type its directory,
	// in whose templates directory the file is; empty for other files. Such a
	// file is input to a template engine, though it may be plain YAML.
	Template string
	// Kustomization is set when the file is a kustomization itself: it has
	// one of the three names that kustomize looks for, and does not say that
	// it is something else, as Flux's custom resources of the same name do.
	Kustomization bool

	from *origin
	// text is the content, if it was read already; otherwise nil.
	text []byte
}

// Kept returns the content of the input if Expand has read it already, see
// Options.Keep. Nobody writes to it.
func (in *Input) Kept() (text []byte, ok bool) { return in.text, in.text != nil }

// Forget makes that the content is no longer kept: whoever reads the input from
// then on reads the file.
func (in *Input) Forget() { in.text = nil }

// Partial names the kustomization that uses a file for something else than as
// a resource.
type Partial struct {
	// Kustomization is the name of the kustomization, as the user would type
	// it; empty in the zero value.
	Kustomization string
	// As is the field of the kustomization that names the file: one of
	// patches, patchesStrategicMerge, patchesJson6902 (see Patch),
	// transformers, generators, validators, configurations, crds, openapi,
	// replacements, configMapGenerator, secretGenerator, helmCharts.
	As string
}

// Patch reports whether the file is a patch: it looks like an object and is
// only a part of one. Files in the other fields are configuration of
// kustomize, or data; no cluster is sent them as they are, either.
func (p Partial) Patch() bool {
	switch p.As {
	case "patches", "patchesStrategicMerge", "patchesJson6902":
		return true
	}
	return false
}

// Options change what Expand finds. The zero value is what a user expects who
// says nothing.
type Options struct {
	// Dir is the working directory, to which relative arguments and
	// exclusions are relative; empty is the process's.
	Dir string
	// Stdin is what "-" reads; nil is the process's standard input.
	Stdin io.Reader
	// Extensions are the endings of the names that are read in directories,
	// with their dot; case does not count. Empty is .yaml, .yml and .json.
	// Files named as arguments are read whatever their name.
	Extensions []string
	// Also reports whether a file of this base name is read in directories in
	// spite of its ending; nil: none is.
	Also func(base string) bool
	// Exclude holds doublestar globs. One without a slash matches the base
	// name of a file or directory at any depth, any other matches the path
	// relative to Dir; what is below a matching directory is excluded with
	// it. A slash at the end restricts a glob to directories. Exclusions hold
	// for files named as arguments as well, so that a tool that passes every
	// changed file by name, as pre-commit does, respects them.
	Exclude []string
	// Keep is how many bytes of the files in directories, none of them above
	// 1 MiB, are read while they are found and kept in the inputs until they are
	// forgotten, which is cheaper than to find each again; 0: none are.
	Keep int64
	// KeepFew is of how many files in a directory on none of them is kept, for
	// inputs that are read once: to open the directory again is then little, and
	// memory that is used for one file after the other stays near the processor;
	// 0: the number does not matter.
	KeepFew int
	// NoGitignore reads files that git ignores, too.
	NoGitignore bool
	// FollowSymlinks follows symbolic links that lead out of the directory
	// in which they are found. Links that stay inside are always followed.
	FollowSymlinks bool
}

// Expand finds the inputs that args mean, in the order of the arguments, and
// within a directory in the order of its names, component by component. Each
// file is an input once, by the first argument that reaches it; two paths are
// the same file when they are equal after all symbolic links are resolved.
//
// An argument is
//   - "-": standard input;
//   - a file, whatever its name, and even if git ignores it;
//   - a directory: every file below it with one of o.Extensions. Left out are
//     the insides of .git, .hg and .svn, what git ignores by .gitignore files
//     (from the root of the repository down) and by .git/info/exclude, what
//     o.Exclude names, and what is no regular file. Hidden directories are
//     read. So are vendor and node_modules: bases and charts that get applied
//     are vendored, too, and who does not want them ignores or excludes them;
//   - a glob that no shell expanded, such as "apps/**/*.yaml": what a shell
//     would pass, except that the search heeds git's ignore rules as in a
//     directory, and that a pattern without an extension of its own finds
//     only files with one of o.Extensions.
//
// A directory that git ignores and that is named as an argument is searched;
// only the ignore rules within it count.
//
// What goes wrong is reported in the problems, in the order in which it was
// met, and does not stop the search.
func Expand(args []string, o Options) ([]Input, []Problem) {
	e := newExpander(o)
	for _, arg := range args {
		e.argument(arg)
	}
	e.markPartials()
	return e.inputs, e.problems
}
