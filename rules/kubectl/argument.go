// Package kubectl predicts how kubectl and OpenShift's oc interpret an argument
// list: which command it names, and what each release does with the forms of
// --dry-run. It reads no manifests and asks no server.
//
// Its sources are k8s.io/kubectl at 0.16.15 to 0.37.2,
// k8s.io/kubernetes/pkg/kubectl/cmd/auth before 1.20, and github.com/openshift/oc.
// The commands of oc share kubectl's flags, except for some that have a boolean
// of the same name. GetDryRunStrategy and AddDryRunFlag (pkg/cmd/util/helpers.go)
// are identical from 1.18 to 1.37.
package kubectl

import (
	"path"
	"strings"
)

// Program is one of the programs that share kubectl's flags.
type Program uint8

// The programs. The zero Program is any other program.
const (
	Kubectl Program = iota + 1
	OC
)

// String returns the name of the program's binary.
func (p Program) String() string {
	switch p {
	case Kubectl:
		return "kubectl"
	case OC:
		return "oc"
	}
	return ""
}

// ProgramOf returns the program of a file such as "kubectl", "/usr/bin/kubectl"
// or "kubectl.exe". It returns zero for other files.
func ProgramOf(file string) Program {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	switch strings.TrimSuffix(name, ".exe") {
	case "kubectl":
		return Kubectl
	case "oc":
		return OC
	}
	return 0
}

// Arg is one argument of a command line. Parts of it may be unknown.
type Arg struct {
	// Text is the argument, or the beginning of an Open argument.
	Text string
	// Open reports whether unknown text follows Text.
	Open bool
	// Bool reports whether the unknown text of an Open argument is "true" or
	// "false".
	Bool bool
	// Many reports whether this represents an unknown number of arguments.
	Many bool
	// Maybe reports whether the argument is absent in some runs.
	Maybe bool
}

// Args returns arguments whose text is known.
func Args(words ...string) []Arg {
	args := make([]Arg, len(words))
	for i, w := range words {
		args[i].Text = w
	}
	return args
}

// is reports whether the argument is known to equal a text.
func (a Arg) is(text string) bool { return !a.Open && !a.Many && a.Text == text }

// flag splits a long flag at "=". given reports whether it has a value. name is
// "" if the argument is not a long flag.
func (a Arg) flag() (name, value string, given bool) {
	if a.Many || !strings.HasPrefix(a.Text, "--") {
		return "", "", false
	}
	name, value, given = strings.Cut(a.Text, "=")
	if a.Open && !given {
		return "", "", false // the name may be longer
	}
	return name, value, given
}
