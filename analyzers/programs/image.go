package programs

import (
	"path"
	"strings"
)

// image describes the programs in the images of a Dockerfile.
type image struct {
	// runs has the names of the module's programs that the images start.
	runs map[string]bool
	// renames has the copies, moves and links that give a file another name, in order.
	renames []rename
	// unclear is set if an image contains a file whose name depends on variables.
	unclear bool
}

// rename is an instruction that gives a file another name.
type rename struct {
	from, to string
}

// readImage reads a Dockerfile with all its stages.
func readImage(text string) image {
	m := image{runs: map[string]bool{}}
	placed := map[string]bool{}
	put := func(words []string) {
		sources, to := operands(words)
		for _, name := range m.addCopies(sources, to) {
			placed[name] = true
		}
	}
	var started []string
	known := settings(strings.Split(text, "\n"))
	for _, line := range instructions(text) {
		words := strings.Fields(expand(line, known))
		if len(words) < 2 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "COPY", "ADD":
			put(words[1:])
		case "RUN":
			for _, command := range commands(words[1:]) {
				switch command[0] {
				case "cp", "mv", "ln":
					put(command[1:])
				}
			}
		case "ENTRYPOINT", "CMD":
			if name := startedProgram(words[1:]); name != "" {
				started = append(started, name)
			}
		}
	}
	for _, p := range built(text, ".", "") {
		placed[p.Name] = true
	}
	for _, name := range started {
		// Other programs come from the base image.
		if placed[name] {
			m.runs[name] = true
		}
	}
	return m
}

// addCopies records that files are copied or moved to a path, and returns their new
// names.
func (m *image) addCopies(sources []string, to string) []string {
	var names []string
	for _, source := range sources {
		if strings.HasSuffix(source, "/") {
			continue // a directory
		}
		from := path.Base(source)
		name := path.Base(to)
		if len(sources) > 1 || strings.HasSuffix(to, "/") || directory(name) {
			name = from
		}
		if constantName(name) == "" {
			m.unclear = m.unclear || strings.Contains(name, "$")
			continue
		}
		if strings.ContainsAny(name, "$*{}") {
			name = constantName(name)
		}
		names = append(names, name)
		if from != name {
			m.renames = append(m.renames, rename{from, name})
		}
	}
	return names
}

// finalName returns the name that a file has in the image after all renames.
func (m *image) finalName(name string) string {
	for _, r := range m.renames {
		if r.from == name || platformOf(r.from, name) {
			name = r.to
		}
	}
	return name
}

// platformOf reports whether a file's name is a program's name with a platform, such as
// manager-$TARGETARCH or manager_linux_amd64.
func platformOf(file, name string) bool {
	rest, ok := strings.CutPrefix(file, name)
	return ok && rest != "" && platformSuffix().MatchString(rest)
}

var platformSuffix = lazyRegexp(`^([-_.](linux|amd64|arm64|arm|x86_64|\\?\$\{?[A-Za-z_]+\}?))+$`)

// directory guesses whether the last element of a path is a directory.
func directory(base string) bool {
	switch base {
	case ".", "..", "/", "bin", "sbin", "app", "opt", "workspace", "usr", "local":
		return true
	}
	return false
}

// instructions returns the instructions of a Dockerfile, without comments. It joins
// lines that end with a backslash with the next line.
func instructions(text string) []string {
	var all []string
	var open strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		rest, goesOn := strings.CutSuffix(line, `\`)
		open.WriteString(rest)
		if goesOn {
			open.WriteByte(' ')
			continue
		}
		all = append(all, open.String())
		open.Reset()
	}
	if open.Len() > 0 {
		all = append(all, open.String())
	}
	return all
}

// operands returns the source paths and the target path of a COPY, ADD, cp, mv or ln.
func operands(words []string) (sources []string, to string) {
	var paths []string
	for _, w := range strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return strings.ContainsRune(" \t,\"'[]", r) }) {
		if !strings.HasPrefix(w, "-") {
			paths = append(paths, w)
		}
	}
	if len(paths) < 2 {
		return nil, ""
	}
	return paths[:len(paths)-1], paths[len(paths)-1]
}

// commands splits the words of a RUN instruction into commands.
func commands(words []string) [][]string {
	var all [][]string
	var open []string
	for _, w := range words {
		bare := strings.TrimRight(w, ";")
		if w != "&&" && w != "||" && w != "|" && bare != "" {
			open = append(open, bare)
		}
		if (w == "&&" || w == "||" || w == "|" || bare != w) && len(open) > 0 {
			all, open = append(all, open), nil
		}
	}
	if len(open) > 0 {
		all = append(all, open)
	}
	return all
}

// startedProgram returns the name of the program that ENTRYPOINT or CMD starts, or "".
// It skips shells and init programs.
func startedProgram(words []string) string {
	line := strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return strings.ContainsRune(" \t,\"'[]", r) })
	for _, w := range line {
		base := path.Base(w)
		switch base {
		case "sh", "bash", "ash", "tini", "tini-static", "dumb-init", "catatonit", "exec", "env", "sudo", "su-exec", "gosu":
			continue
		}
		if strings.HasPrefix(w, "-") {
			continue
		}
		if base == "." || base == "/" || strings.ContainsAny(base, "$*{}=") {
			return ""
		}
		return base
	}
	return ""
}

// commandLine matches the command of a container in a manifest or in a template of a chart.
// The first argument is on the same line or on the next line.
var commandLine = lazyRegexp(`(?m)^[ \t-]*command:[ \t]*(?:\[[ \t]*|\r?\n[ \t]*-[ \t]*)["']?([A-Za-z0-9_./-]{1,200})["']?[ \t]*(?:[],#]|\r?$)`)

// commandsOf returns the names of the programs that the containers of a manifest start.
func commandsOf(text string) []string {
	var names []string
	for _, m := range commandLine().FindAllStringSubmatch(text, -1) {
		if base := path.Base(m[1]); !directory(base) {
			names = append(names, base)
		}
	}
	return names
}
