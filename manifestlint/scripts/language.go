package scripts

import (
	"bytes"
	"path"
	"strings"
)

// Language is the type of a file with shell text.
type Language uint8

// The zero value None means that the file is not a script.
const (
	None Language = iota
	// Unsure is for a file without an extension. Such a file is a shell script
	// if its first line names a shell.
	Unsure
	Shell
	Makefile
	Dockerfile
	Markdown
)

// LanguageOf returns the language of a file, according to its name. It returns
// None for YAML and JSON, which can contain scripts in some fields.
func LanguageOf(base string) Language {
	lower := strings.ToLower(base)
	stem, _, _ := strings.Cut(lower, ".")
	switch path.Ext(lower) {
	case ".sh", ".bash", ".ksh", ".zsh", ".bats":
		return Shell
	case ".mk":
		return Makefile
	case ".md", ".markdown":
		return Markdown
	}
	switch {
	case stem == "makefile", stem == "gnumakefile":
		return Makefile
	case stem == "dockerfile", stem == "containerfile", strings.HasSuffix(lower, ".dockerfile"):
		return Dockerfile
	case path.Ext(lower) == "":
		return Unsure
	}
	return None
}

// Named returns the language of a file that the user named on the command line.
// l is the result of LanguageOf for this file. Named replaces Unsure by None,
// because the user means a file without an extension as a manifest.
func (l Language) Named() Language {
	if l == Unsure {
		return None
	}
	return l
}

// Detect returns the language of a text. If the file's name does not mean a
// language (None or Unsure), a first line that names a shell makes the text a
// shell script.
func (l Language) Detect(head []byte) Language {
	if l <= Unsure && Shebang(head) {
		return Shell
	}
	return l
}

// Shebang reports whether the first line of a text is #! and the path of a
// shell.
func Shebang(b []byte) bool {
	line, _, _ := bytes.Cut(b[:min(len(b), 256)], []byte("\n"))
	command, ok := strings.CutPrefix(string(line), "#!")
	if !ok {
		return false
	}
	for _, word := range strings.Fields(command) {
		if name := path.Base(word); name != "env" && !strings.HasPrefix(word, "-") {
			return isShell(name) || name == "bats"
		}
	}
	return false
}

// isShell reports whether a program is a shell whose language this package can
// parse.
func isShell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "ash", "ksh", "zsh":
		return true
	}
	return false
}
