package programs

import (
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Program is a program that a build file names.
type Program struct {
	Name string
	// Package is the import path of the program's package main, or "" if the build file
	// does not name it.
	Package string
	At      token.Position
}

// lazyRegexp returns a function that compiles a regular expression at its first call.
// Most runs need none of the expressions, and compiling all of them takes as long as
// the rest of the program's start.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Built returns the programs that `go build -o` builds in a Makefile, a Dockerfile or a
// script, in the order of the lines. module is the path of the module. The positions
// have no file name.
//
// Built leaves out a program whose name depends on a variable that the text does not
// set, or sets to several values.
func Built(text, module string) []Program {
	return slices.DeleteFunc(built(text, module, module), func(p Program) bool { return p.Name == "" })
}

// built is like Built, but also returns programs whose names depend on unknown
// variables. Their Name is "". Package paths in the text are relative to base, unless
// they are import paths.
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
		dir := base
		for j, word := range words {
			if strings.TrimLeft(word, "@-(") == "cd" && j+1 < len(words) {
				dir = changed(dir, strings.TrimRight(words[j+1], ";&"))
			}
			if word != "build" || j == 0 || !goCommand(words[j-1]) {
				continue
			}
			if p, ok := output(words[j+1:], dir, module); ok {
				p.At = token.Position{Line: at + 1, Column: max(1, strings.Index(lines[at], "go")+1)}
				all = append(all, p)
			}
		}
	}
	return all
}

// changed returns the import path of the directory after cd in the directory of the import
// path dir. An absolute directory is probably the copy of the module in an image. changed
// returns a path without packages if the directory is not known.
func changed(dir, to string) string {
	switch {
	case strings.ContainsAny(to, "$`~"):
		return "unknown"
	case path.IsAbs(to):
		return dir
	}
	return path.Join(dir, to)
}

func goCommand(word string) bool {
	word = strings.TrimLeft(word, "@-(")
	return word == "go" || goVariable().MatchString(word) || strings.HasSuffix(word, "/bin/go")
}

// goVariable matches a variable that probably holds the go command.
var goVariable = lazyRegexp(`^\$[({](GO|GOCMD|GO_CMD|GOBIN|GO_BIN|GOLANG)[)}]$`)

// setting matches a line of a Makefile, a Dockerfile or a script that sets a variable.
var setting = lazyRegexp(`^(?:export |ARG |ENV |local |override )?\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\?|::?)?=\s*"?([A-Za-z0-9_./-]{1,100})"?\s*$`)

// settings returns the values of the variables that lines set. If lines set a variable
// to several values, its value is "".
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

// variable matches the use of a variable in a line.
var variable = lazyRegexp(`\$(?:\(([A-Za-z_][A-Za-z0-9_]*)\)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))`)

// expand replaces the variables in a line by their values.
func expand(line string, known map[string]string) string {
	return variable().ReplaceAllStringFunc(line, func(v string) string {
		if value := known[strings.Trim(v, "${()}")]; value != "" {
			return value
		}
		return v
	})
}

// flagsWithValue lists the flags of go build whose value is the next word.
var flagsWithValue = map[string]bool{
	"-asmflags": true, "-buildmode": true, "-gcflags": true, "-installsuffix": true, "-ldflags": true, "-mod": true, "-p": true, "-pkgdir": true, "-tags": true,
}

// targetVariable matches a variable that make sets to the name of the target. Most
// targets have the name of the package's directory.
var targetVariable = lazyRegexp(`^\$([@*]|\([@*]|\(notdir)`)

// constantName returns the constant beginning of a program's name: shop for
// shop-$(GOOS). It returns "" if the name begins with a variable, or if the beginning
// is not the whole name.
func constantName(base string) string {
	i := strings.IndexAny(base, "$`{}()*")
	if i < 0 {
		return strings.TrimSuffix(base, ".exe")
	}
	name := strings.TrimRight(base[:i], "-_.")
	if len(name) < 3 || len(name) == i && !suffixVariable().MatchString(base[i:]) {
		return "" // the constant part is not the whole name
	}
	return name
}

// suffixVariable matches a variable that build files append to a name without a
// separator.
var suffixVariable = lazyRegexp(`^\$[({]?(EXE|EXT|SUFFIX|BINARY_EXT|BIN_EXT|GOEXE)`)

// output returns the program that go build builds with these arguments. ok is false
// unless the flag -o names a file.
func output(args []string, dir, module string) (p Program, ok bool) {
	named := false
	defer func() {
		if p.Package == "" && !named { // go build without packages builds the current directory
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
			if base := path.Base(name); !strings.HasSuffix(name, "/") && base != "." && !targetVariable().MatchString(base) {
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
		case !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && (i == 0 || !flagsWithValue[args[i-1]]):
			named = true // the package has a name that is not understood
		}
		if strings.HasSuffix(args[i], ";") {
			return p, ok
		}
	}
	return p, ok
}
