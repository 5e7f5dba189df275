// Package scripts finds the kubectl and oc commands of shell text, wherever
// that stands: in shell scripts, Makefiles, Dockerfiles, Justfiles,
// Jenkinsfiles, code fences of Markdown, and in the YAML of CI systems, task
// runners, Ansible and Kubernetes itself. It parses shell with
// mvdan.cc/sh/v3/syntax and follows what a script does with its words:
// assignments, arrays, functions, aliases, branches, here-documents, eval.
//
// What is not known stays unknown: a command whose name, or a flag whose
// value, cannot be told is given as such and nobody can say anything of it.
// Nothing is ever run.
//
// Every byte that is given knows where it was written, through as many layers
// of quoting as there are, and whether it stands there to the letter, so that
// an edit there changes just that.
package scripts

// Language says how the shell text of a file is to be found.
type Language uint8

// The languages. The zero Language is None: not a script.
const (
	None Language = iota
	// Unsure is a file without an extension, which is a shell script if its
	// first line says so, and otherwise none.
	Unsure
	Shell
	Makefile
	Dockerfile
	Justfile
	Jenkinsfile
	Markdown
)

// String is the language's name in lower case.
func (l Language) String() string {
	if int(l) < len(languageNames) {
		return languageNames[l]
	}
	return "unknown"
}

var languageNames = [...]string{"none", "unsure", "shell", "makefile", "dockerfile", "justfile", "jenkinsfile", "markdown"}
