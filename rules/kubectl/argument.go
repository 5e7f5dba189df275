// Package kubectl knows what kubectl, and OpenShift's oc, make of an argument
// list: which command it names, and what each release does with the forms of
// --dry-run that have come and gone. It reads no manifests and asks no server.
//
// The facts are those of k8s.io/kubectl at 0.16.15 to 0.37.2, of
// k8s.io/kubernetes/pkg/kubectl/cmd/auth before 1.20, and of github.com/openshift/oc,
// whose commands share kubectl's flags but for some that have a boolean of
// the same name. GetDryRunStrategy and AddDryRunFlag
// (pkg/cmd/util/helpers.go) are the same, byte for byte, from 1.18 to 1.37.
package kubectl

import (
	"path"
	"strings"
)

// Program is one of the programs that share kubectl's flags.
type Program uint8

// The programs. The zero Program is neither.
const (
	Kubectl Program = iota + 1
	OC
)

// String is the name of the program's binary.
func (p Program) String() string {
	switch p {
	case Kubectl:
		return "kubectl"
	case OC:
		return "oc"
	}
	return ""
}

// ProgramOf tells which program a command line starts, by the name of the
// file: "kubectl", "/usr/bin/kubectl", "kubectl.exe". Zero is for all others.
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

// Arg is one argument of a command line, as far as it is known.
type Arg struct {
	// Text is the argument, or what an Open one begins with.
	Text string
	// Open says that Text goes on with what is not known.
	Open bool
	// Bool says, of an Open one, that "true" or "false" follows.
	Bool bool
	// Many says that this stands for arguments of unknown number and text.
	Many bool
	// Maybe says that the argument is not there in every run.
	Maybe bool
}

// Args are arguments that are known to the letter.
func Args(words ...string) []Arg {
	args := make([]Arg, len(words))
	for i, w := range words {
		args[i].Text = w
	}
	return args
}

// is reports whether the argument is certainly a text.
func (a Arg) is(text string) bool { return !a.Open && !a.Many && a.Text == text }

// flag splits an argument that is a long flag. The value is that behind "=";
// given says that there is one.
func (a Arg) flag() (name, value string, given bool) {
	if a.Many || !strings.HasPrefix(a.Text, "--") {
		return "", "", false
	}
	name, value, given = strings.Cut(a.Text, "=")
	if a.Open && !given {
		return "", "", false // the name itself may go on
	}
	return name, value, given
}
