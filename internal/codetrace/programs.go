package codetrace

import (
	"go/token"
	"path"
	"strings"
)

// Programs reads from the text of a Makefile, a Dockerfile or a script under
// which names `go build -o` writes programs, in the order of the lines. Names
// that a variable makes up are left out. Packages are named as import paths
// below module; positions have no file.
func Programs(text, module string) []Program {
	var all []Program
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		at, line := i, strings.TrimSuffix(lines[i], "\r")
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSuffix(lines[i], "\r")
		}
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") {
			continue
		}
		words := strings.FieldsFunc(line, func(r rune) bool {
			return r == ' ' || r == '\t' || r == '"' || r == '\'' || r == ',' || r == '[' || r == ']'
		})
		for j, word := range words {
			if word != "build" || j == 0 || !goCommand(words[j-1]) {
				continue
			}
			if p, ok := output(words[j+1:], module); ok {
				p.At = token.Position{Line: at + 1, Column: max(1, strings.Index(lines[at], "go")+1)}
				all = append(all, p)
			}
		}
	}
	return all
}

func goCommand(word string) bool {
	word = strings.TrimLeft(word, "@-(")
	return word == "go" || word == "$(GO)" || word == "${GO}" || word == "$(GOCMD)" || word == "${GOCMD}" || strings.HasSuffix(word, "/bin/go")
}

// output reads the arguments of go build.
func output(args []string, module string) (p Program, ok bool) {
	for i := 0; i < len(args); i++ {
		word := strings.TrimRight(args[i], ";)")
		name, isOutput := strings.CutPrefix(word, "-o=")
		if word == "-o" && i+1 < len(args) {
			i++
			name, isOutput = strings.TrimRight(args[i], ";)"), true
		}
		switch {
		case isOutput:
			if base := path.Base(name); !strings.HasSuffix(name, "/") && !strings.ContainsAny(base, "$`{}()") && base != "." {
				p.Name, ok = strings.TrimSuffix(base, ".exe"), true
			}
		case word == "&&" || word == "||" || word == "|" || word == ";":
			return p, ok
		case strings.HasPrefix(word, "./") && !strings.Contains(word, "$") || word == "." || strings.HasSuffix(word, ".go") && !strings.HasPrefix(word, "-"):
			dir := word
			if strings.HasSuffix(dir, ".go") {
				dir = path.Dir(dir)
			}
			p.Package = path.Join(module, dir)
		case strings.HasPrefix(word, module+"/") && module != "":
			p.Package = word
		}
		if strings.HasSuffix(args[i], ";") {
			return p, ok
		}
	}
	return p, ok
}
