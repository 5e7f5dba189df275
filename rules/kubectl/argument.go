// Package kubectl predicts how kubectl and OpenShift's oc read an argument list.
// It finds the command that the list calls, and the effect of each form of
// --dry-run in each release. It reads no manifests and asks no server.
//
// Most commands of oc have the same flags as kubectl; in some, --dry-run is a
// boolean.
//
// Source: k8s.io/kubectl at 0.16.15 to 0.37.2,
// k8s.io/kubernetes/pkg/kubectl/cmd/auth before 1.20, and
// github.com/openshift/oc. GetDryRunStrategy and AddDryRunFlag
// (pkg/cmd/util/helpers.go) are identical from 1.18 to 1.37.
package kubectl

import (
	"path"
	"strings"
)

// Program is one of the programs that have kubectl's flags.
type Program uint8

// The known programs. The zero Program is any other program.
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

// ProgramOf returns the program of a file name such as "kubectl",
// "/usr/bin/kubectl" or "kubectl.exe". It returns zero for other file names.
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

// Arg is one argument of a command line. Its text may be unknown, completely or
// in part.
type Arg struct {
	// Text is the whole argument, or only its beginning if Open is set.
	Text string
	// Open is set if unknown text follows Text.
	Open bool
	// Bool is set if the unknown text of an Open argument is "true" or "false".
	Bool bool
	// Many is set if this Arg means an unknown number of arguments.
	Many bool
	// Maybe is set if some runs of the command line lack the argument.
	Maybe bool
}

// Args returns one Arg for each word. The text of each Arg is fully known.
func Args(words ...string) []Arg {
	args := make([]Arg, len(words))
	for i, w := range words {
		args[i].Text = w
	}
	return args
}

// equals reports whether the argument certainly equals text.
func (a Arg) equals(text string) bool { return !a.Open && !a.Many && a.Text == text }

// flag splits a long flag at "=" into name, which begins with "--", and value.
// name is "" if the argument is not a long flag, or if its name is not fully
// known.
func (a Arg) flag() (name, value string, hasValue bool) {
	if a.Many || !strings.HasPrefix(a.Text, "--") {
		return "", "", false
	}
	name, value, hasValue = strings.Cut(a.Text, "=")
	if a.Open && !hasValue {
		return "", "", false // the name may be longer
	}
	return name, value, hasValue
}
