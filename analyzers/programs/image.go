package programs

import (
	"path"
	"strings"
)

// image describes the programs in the images of a Dockerfile.
type image struct {
	// runs are the names of the processes that the images start.
	runs map[string]bool
	// renames are the copies, moves and links that give a file another name.
	renames []rename
	// vague is set if variables name a file that is copied into an image.
	vague bool
}

// rename is an instruction that gives a file another name.
type rename struct {
	from, to string
}

// readImage reads a Dockerfile, all of whose stages count.
func readImage(text string) image {
	m := image{runs: map[string]bool{}}
	placed := map[string]bool{}
	put := func(words []string) {
		sources, to := operands(words)
		for _, name := range m.place(sources, to) {
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
			if name := process(words[1:]); name != "" {
				started = append(started, name)
			}
		}
	}
	for _, p := range built(text, ".", "") {
		placed[p.Name] = true
	}
	for _, name := range started {
		// Only files that the Dockerfile puts there can be programs of this module.
		if placed[name] {
			m.runs[name] = true
		}
	}
	return m
}

// place notes that files are copied, and returns their new names.
func (m *image) place(sources []string, to string) []string {
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
			m.vague = m.vague || strings.Contains(name, "$")
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

// renamed is the file's final name in the image.
func (m *image) renamed(name string) string {
	for _, r := range m.renames {
		if r.from == name || platformOf(r.from, name) {
			name = r.to
		}
	}
	return name
}

// platformOf reports whether a file has the name of a program and its platform,
// such as manager-$TARGETARCH or manager_linux_amd64.
func platformOf(file, name string) bool {
	rest, ok := strings.CutPrefix(file, name)
	return ok && rest != "" && platformSuffix().MatchString(rest)
}

var platformSuffix = once(`^([-_.](linux|amd64|arm64|arm|x86_64|\\?\$\{?[A-Za-z_]+\}?))+$`)

// directory reports whether a path most probably ends with a directory.
func directory(base string) bool {
	switch base {
	case ".", "..", "/", "bin", "sbin", "app", "opt", "workspace", "usr", "local":
		return true
	}
	return false
}

// instructions are the lines of a Dockerfile without comments, joined where a backslash
// continues them.
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

// operands are the paths of COPY, ADD or a command that copies: sources and target.
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

// commands splits the words of a RUN instruction into its commands.
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

// process is the name of the program that a command line of an image starts, behind
// shells and init programs; empty if it is not known.
func process(words []string) string {
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

// commandLine is the command of a container in a manifest or in the templates of a
// chart, on one line or with its first argument on the next.
var commandLine = once(`(?m)^[ \t-]*command:[ \t]*(?:\[[ \t]*|\r?\n[ \t]*-[ \t]*)["']?([A-Za-z0-9_./-]{1,200})["']?[ \t]*(?:[],#]|\r?$)`)

// commandsOf are the names of the programs that the containers of a manifest run.
func commandsOf(text string) []string {
	var names []string
	for _, m := range commandLine().FindAllStringSubmatch(text, -1) {
		if base := path.Base(m[1]); !directory(base) {
			names = append(names, base)
		}
	}
	return names
}
