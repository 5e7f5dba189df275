package scripts

import (
	"bytes"
	"path"
	"strings"
)

// LanguageOf tells by the name of a file how it is read; None is for files
// that are no scripts, and for YAML and JSON, which hold scripts beside other
// things.
func LanguageOf(base string) Language {
	lower := strings.ToLower(base)
	switch lower {
	case "makefile", "gnumakefile", "bsdmakefile":
		return Makefile
	case "dockerfile", "containerfile", "earthfile":
		return Dockerfile
	case "justfile", ".justfile":
		return Justfile
	case "jenkinsfile":
		return Jenkinsfile
	case ".bashrc", ".bash_aliases", ".bash_profile", ".profile", ".zshrc", ".envrc":
		return Shell
	}
	switch ext := path.Ext(lower); ext {
	case ".sh", ".bash", ".ksh", ".zsh", ".bats", ".command":
		return Shell
	case ".mk", ".mak", ".make":
		return Makefile
	case ".dockerfile", ".containerfile":
		return Dockerfile
	case ".just":
		return Justfile
	case ".jenkinsfile":
		return Jenkinsfile
	case ".md", ".markdown":
		return Markdown
	case "":
		return Unsure
	}
	switch {
	case strings.HasPrefix(lower, "makefile."), strings.HasPrefix(lower, "makefile-"):
		return Makefile
	case strings.HasPrefix(lower, "dockerfile."), strings.HasPrefix(lower, "containerfile."), strings.HasPrefix(lower, "dockerfile-"):
		return Dockerfile
	case strings.HasPrefix(lower, "jenkinsfile."), strings.HasPrefix(lower, "jenkinsfile-"):
		return Jenkinsfile
	}
	return None
}

// Shebang reports whether a text names a shell as its interpreter.
func Shebang(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("#!")) {
		return false
	}
	line, _, _ := bytes.Cut(b[:min(len(b), 256)], []byte("\n"))
	words := strings.Fields(string(line[2:]))
	for i, w := range words {
		name := path.Base(w)
		if i == 0 && name == "env" || i > 0 && (strings.HasPrefix(w, "-") || strings.Contains(w, "=")) {
			continue
		}
		return shellName(name) || name == "bats"
	}
	return false
}

// shellName reports whether a program is a shell whose text can be read.
func shellName(name string) bool {
	switch strings.TrimSuffix(name, ".exe") {
	case "sh", "bash", "dash", "ash", "ksh", "zsh", "mksh":
		return true
	}
	return false
}
