package programs

import (
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Program is a program in a build file.
type Program struct {
	Name string
	// Package is the import path of its package main; empty if the build file
	// does not name it.
	Package string
	At      token.Position
}

// once returns a function for a regular expression that is compiled on first use. Most
// runs need none, and compiling takes as long as the start of the program.
func once(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Built reads the names that `go build -o` gives to programs from the text of a
// Makefile, a Dockerfile or a script, in the order of the lines. A name is left
// out if it depends on a variable that the text does not set, or sets to several
// values. Packages are import paths below module; positions have no file.
func Built(text, module string) []Program {
	return slices.DeleteFunc(built(text, module, module), func(p Program) bool { return p.Name == "" })
}

// built is Built with packages below base. Packages that the text names by an import
// path keep it. It also returns programs whose names depend on unknown variables, with
// an empty name.
func built(text, base, module string) []Program {
	var all []Program
	lines := strings.Split(text, "\n")
	known := settings(lines)
	for i := 0; i < len(lines); i++ {
		at, line := i, strings.TrimSuffix(lines[i], "\r")
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSuffix(lines[i], "\r")
		}
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") {
			continue
		}
		words := strings.FieldsFunc(expand(line, known), func(r rune) bool {
			return r == ' ' || r == '\t' || r == '"' || r == '\'' || r == ',' || r == '[' || r == ']'
		})
		for j, word := range words {
			if word != "build" || j == 0 || !goCommand(words[j-1]) {
				continue
			}
			if p, ok := output(words[j+1:], base, module); ok {
				p.At = token.Position{Line: at + 1, Column: max(1, strings.Index(lines[at], "go")+1)}
				all = append(all, p)
			}
		}
	}
	return all
}

func goCommand(word string) bool {
	word = strings.TrimLeft(word, "@-(")
	return word == "go" || goVariable().MatchString(word) || strings.HasSuffix(word, "/bin/go")
}

// goVariable is a variable that probably holds the go command.
var goVariable = once(`^\$[({](GO|GOCMD|GO_CMD|GOBIN|GO_BIN|GOLANG)[)}]$`)

// setting is the line of a Makefile, a Dockerfile or a script that sets a variable.
var setting = once(`^(?:export |ARG |ENV |local |override )?\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\?|::?)?=\s*"?([A-Za-z0-9_./-]{1,100})"?\s*$`)

// settings are the variables that are set on one line only.
func settings(lines []string) map[string]string {
	known := map[string]string{}
	for _, line := range lines {
		m := setting().FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		if before, again := known[m[1]]; again && before != m[2] {
			m[2] = ""
		}
		known[m[1]] = m[2]
	}
	return known
}

// variable is a variable in a line.
var variable = once(`\$(?:\(([A-Za-z_][A-Za-z0-9_]*)\)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))`)

// expand puts the values of variables into a line.
func expand(line string, known map[string]string) string {
	return variable().ReplaceAllStringFunc(line, func(v string) string {
		if value := known[strings.Trim(v, "${()}")]; value != "" {
			return value
		}
		return v
	})
}

// valued are the flags of go build whose value is a separate word.
var valued = map[string]bool{
	"-asmflags": true, "-buildmode": true, "-gcflags": true, "-installsuffix": true, "-ldflags": true, "-mod": true, "-p": true, "-pkgdir": true, "-tags": true,
}

// automatic is a variable of make that holds the target, usually the name of the
// package's directory.
var automatic = once(`^\$([@*]|\([@*]|\(notdir)`)

// constantName is the name of a program without appended variables, such as the
// platform in shop-$(GOOS); empty if it does not begin with a constant.
func constantName(base string) string {
	i := strings.IndexAny(base, "$`{}()*")
	if i < 0 {
		return strings.TrimSuffix(base, ".exe")
	}
	name := strings.TrimRight(base[:i], "-_.")
	if len(name) < 3 || len(name) == i && !platform().MatchString(base[i:]) {
		return "" // the name goes on
	}
	return name
}

// platform is a variable that build files append to a name without a separator.
var platform = once(`^\$[({]?(EXE|EXT|SUFFIX|BINARY_EXT|BIN_EXT|GOEXE)`)

// output reads the arguments of go build.
func output(args []string, dir, module string) (p Program, ok bool) {
	named := false
	defer func() {
		if p.Package == "" && !named { // the directory itself
			p.Package = dir
		}
	}()
	for i := 0; i < len(args); i++ {
		word := strings.TrimRight(args[i], ";)")
		name, isOutput := strings.CutPrefix(word, "-o=")
		if word == "-o" && i+1 < len(args) {
			i++
			name, isOutput = strings.TrimRight(args[i], ";)"), true
		}
		switch {
		case isOutput:
			if base := path.Base(name); !strings.HasSuffix(name, "/") && base != "." && !automatic().MatchString(base) {
				p.Name, ok = constantName(base), true
			}
		case word == "&&" || word == "||" || word == "|" || word == ";":
			return p, ok
		case strings.HasPrefix(word, "./") && !strings.Contains(word, "$") || word == "." || strings.HasSuffix(word, ".go") && !strings.HasPrefix(word, "-"):
			at := word
			if strings.HasSuffix(at, ".go") {
				at = path.Dir(at)
			}
			p.Package = path.Join(dir, at)
		case strings.HasPrefix(word, module+"/") && module != "":
			p.Package = word
		case !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && (i == 0 || !valued[args[i-1]]):
			named = true // a package, though not which
		}
		if strings.HasSuffix(args[i], ";") {
			return p, ok
		}
	}
	return p, ok
}
