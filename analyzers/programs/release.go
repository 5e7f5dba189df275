package programs

import (
	"go/token"
	"path"
	"strings"
)

// Released returns the programs in a configuration of GoReleaser. Packages and
// positions have the same form as in Built.
//
// It reads only the keys of builds, line by line, in block style. A YAML library would
// become a dependency of every program that embeds the analyzers.
func Released(text, module string) []Program {
	var all []Program
	var project string
	var item *release
	add := func() {
		if item != nil {
			if p, ok := item.program(project, module); ok {
				all = append(all, p)
			}
			item = nil
		}
	}
	inside := false
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		body := strings.TrimLeft(line, " ")
		if body == "" || strings.HasPrefix(body, "#") {
			continue
		}
		indent := len(line) - len(body)
		rest, starts := strings.CutPrefix(body, "- ")
		if indent == 0 && !starts {
			add()
			inside = body == "builds:"
			if value, _, ok := field(body, "project_name"); ok {
				project = value
			}
			continue
		}
		if !inside {
			continue
		}
		if starts && (item == nil || indent <= item.indent) {
			add()
			item = &release{indent: indent}
			body = strings.TrimLeft(rest, " ")
			indent = len(line) - len(body)
			item.keys = indent
		}
		if item != nil && indent == item.keys {
			item.set(body, n+1, indent)
		}
	}
	add()
	return all
}

// release is one element of the list builds.
type release struct {
	indent, keys      int
	binary, dir, main string
	at                token.Position
}

func (r *release) set(body string, line, indent int) {
	if value, column, ok := field(body, "binary"); ok {
		r.binary, r.at = value, token.Position{Line: line, Column: indent + column}
	} else if value, _, ok := field(body, "dir"); ok {
		r.dir = value
	} else if value, _, ok := field(body, "main"); ok {
		r.main = value
	}
}

// field returns the value of a key, without quotes and comments, and the column at which
// the value begins.
func field(body, key string) (value string, column int, ok bool) {
	rest, ok := strings.CutPrefix(body, key+":")
	if !ok || rest == "" || rest[0] != ' ' {
		return "", 0, false
	}
	value = strings.TrimLeft(rest, " ")
	column = len(body) - len(value) + 1
	if q := value[0]; q == '"' || q == '\'' {
		value, _, ok = strings.Cut(value[1:], string(q))
		return value, column, ok
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value), column, value != ""
}

func (r *release) program(project, module string) (Program, bool) {
	p := Program{Name: r.binary, At: r.at}
	if p.Name == "" {
		p.Name, p.At = project, token.Position{Line: 1, Column: 1}
	}
	if project != "" {
		p.Name = projectName().ReplaceAllLiteralString(p.Name, project)
	}
	p.Name = strings.TrimSpace(path.Base(p.Name))
	if p.Name == "." || strings.ContainsAny(p.Name, "{}") {
		return p, false
	}
	if strings.ContainsAny(r.dir+r.main, "{}") {
		return p, true // the package is not known
	}
	main := r.main
	if strings.HasSuffix(main, ".go") {
		main = path.Dir(main)
	}
	p.Package = path.Join(module, r.dir, main)
	return p, true
}

// projectName matches the project's name in a template.
var projectName = lazyRegexp(`\{\{-? *\.ProjectName *-?\}\}`)
