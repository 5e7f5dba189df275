package scripts

import (
	"path"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/kubectl"
)

// YAML reads the shell text in a YAML document: what CI systems, task runners,
// Ansible and containers run. root is the parsed document, source its text and
// first the line on which that begins in the input. Places are offsets in
// source.
func YAML(root *wire.Value, source []byte, first int) *File {
	r := &reader{file: &File{}, told: true}
	if root == nil || len(source) > MaxSize {
		return r.file
	}
	y := &yamlReader{reader: r, doc: newDocument(string(source), first), seen: map[*wire.Value]bool{}}
	y.value(root, "", "", newEnv(), 0)
	return r.done()
}

// yamlReader walks a document.
type yamlReader struct {
	*reader
	doc  *document
	seen map[*wire.Value]bool // what aliases share is read once
}

const maxYAMLDepth = 200

// value looks for shell text in a value that is the field key of the field
// above.
func (y *yamlReader) value(v *wire.Value, key, above string, e *env, depth int) {
	if v == nil || depth > maxYAMLDepth {
		return
	}
	if v.Kind != wire.String && len(v.Fields)+len(v.Items) > 0 {
		if y.seen[v] {
			return
		}
		y.seen[v] = true
	}
	switch v.Kind {
	case wire.String:
		y.text(v, key, above, e)
	case wire.List:
		if shellKey(key, above) && plainStrings(v) {
			y.lines(v, e)
			return
		}
		for _, item := range v.Items {
			if item.Kind != wire.String || shellKey(key, above) {
				y.value(item, key, above, e, depth+1)
			}
		}
	case wire.Map:
		e = y.environment(v, e)
		done := y.container(v, e)
		if foreignShell(v) {
			done["run"], done["script"] = true, true
		}
		for i := range v.Fields {
			f := &v.Fields[i]
			if !done[f.Name] {
				y.value(f.Value, f.Name, key, e, depth+1)
			}
		}
	}
}

// text reads a string that is shell text by the name of its field, or by its
// first line.
func (y *yamlReader) text(v *wire.Value, key, above string, e *env) {
	if !strings.Contains(v.Text, "kubectl") && !strings.Contains(v.Text, "oc ") && !Mentions([]byte(v.Text)) {
		return
	}
	if strings.HasPrefix(v.Text, "#!") {
		if Shebang([]byte(v.Text)) {
			y.shell(expressions(y.doc.scalar(v)), e.clone())
		}
		return
	}
	if shellKey(key, above) {
		y.shell(expressions(y.doc.scalar(v)), e.clone())
		return
	}
	switch LanguageOf(key) {
	case Shell:
		y.shell(expressions(y.doc.scalar(v)), e.clone())
	case Makefile:
		y.makefile(y.doc.scalar(v))
	case Dockerfile:
		y.dockerfile(y.doc.scalar(v))
	}
}

// plainStrings reports whether a list has strings, and perhaps lists of them.
func plainStrings(v *wire.Value) bool {
	for _, item := range v.Items {
		if item.Kind == wire.Map {
			return false
		}
	}
	return true
}

// lines reads a list of which each string is a line of one script.
func (y *yamlReader) lines(v *wire.Value, e *env) {
	var j joiner
	y.collect(v, &j, 0)
	y.shell(expressions(j.text()), e.clone())
}

func (y *yamlReader) collect(v *wire.Value, j *joiner, depth int) {
	for _, item := range v.Items {
		switch {
		case item.Kind == wire.String:
			t := y.doc.scalar(item)
			j.add(t)
			j.add(made("\n", Place{Start: t.all().End, End: t.all().End}))
		case item.Kind == wire.List && depth < 10 && !y.seen[item]:
			y.seen[item] = true
			y.collect(item, j, depth+1)
		}
	}
}

// environment adds the variables that a map sets for what is in it.
func (y *yamlReader) environment(v *wire.Value, e *env) *env {
	fresh := false
	for _, name := range []string{"env", "variables", "environment"} {
		vars := v.Get(name)
		if vars == nil || vars.Kind != wire.Map {
			continue
		}
		for i := range vars.Fields {
			f := &vars.Fields[i]
			if f.Value.Kind != wire.String || strings.ContainsAny(f.Value.Text, "$\n") || strings.Contains(f.Value.Text, "{{") {
				continue
			}
			if !fresh {
				e, fresh = e.clone(), true
			}
			e.vars[f.Name] = &variable{alts: [][]text{{y.doc.scalar(f.Value).keep()}}, open: true}
		}
	}
	return e
}

// foreignShell reports whether a step names a shell that is none of ours.
func foreignShell(v *wire.Value) bool {
	name, _, _ := strings.Cut(v.Get("shell").StringOr(""), " ")
	switch path.Base(name) {
	case "python", "python3", "pwsh", "powershell", "cmd", "node":
		return true
	}
	return false
}

// container reads a command that is given as words, in one field or in two.
// It gives the fields that are done with.
func (y *yamlReader) container(v *wire.Value, e *env) map[string]bool {
	done := map[string]bool{}
	var words []text
	for _, name := range []string{"path", "entrypoint", "command", "cmd", "args", "argv", "exec", "test"} {
		f := v.Get(name)
		switch {
		case f == nil:
		case f.Kind == wire.List && plainStrings(f) && (len(words) > 0 || y.startsCommand(f)):
			for _, item := range f.Items {
				words = append(words, y.word(item))
			}
			done[name] = true
		case f.Kind == wire.List && name == "args" && len(words) == 0 && plainStrings(f):
			// The image's own entry point.
			image, _, _ := strings.Cut(path.Base(v.Get("image").StringOr(v.Get("name").StringOr(""))), ":")
			if kubectl.ProgramOf(image) != 0 {
				words = append(words, made(image, y.doc.scalar(v.Get("image")).all()))
				for _, item := range f.Items {
					words = append(words, y.word(item))
				}
				done[name] = true
			}
		case f.Kind == wire.String && (name == "path" || name == "entrypoint" || name == "command") && !strings.ContainsAny(f.Text, " \n") && hasWords(v):
			words = append(words, y.word(f))
			done[name] = true
		}
	}
	if len(words) > 0 {
		w := &walker{reader: y.reader, funcs: map[string]*function{}}
		if words[0].s == "CMD-SHELL" && len(words) > 1 {
			w.within(words[1], e.clone(), nil)
		} else {
			if words[0].s == "CMD" {
				words = words[1:]
			}
			w.run(words, e.clone(), nil, 0)
		}
	}
	return done
}

// hasWords reports whether a map has a list of arguments.
func hasWords(v *wire.Value) bool {
	args := v.Get("args")
	return args != nil && args.Kind == wire.List && plainStrings(args)
}

// startsCommand reports whether a list is the words of one command, rather
// than a command each.
func (y *yamlReader) startsCommand(v *wire.Value) bool {
	if len(v.Items) == 0 || v.Items[0].Kind != wire.String {
		return false
	}
	first := v.Items[0].Text
	if strings.ContainsAny(first, " \n") {
		return false
	}
	name := path.Base(first)
	if first == "CMD" || first == "CMD-SHELL" || shellName(name) || kubectl.ProgramOf(name) != 0 {
		return true
	}
	return len(v.Items) > 1 && runs(name)
}

// word gives a word that no shell expands. Kubernetes and CI systems do.
func (y *yamlReader) word(v *wire.Value) text {
	if v.Kind != wire.String {
		return made(hole, Place{})
	}
	t := expressions(y.doc.scalar(v))
	if strings.ContainsAny(t.s, " \n") {
		return t // perhaps the text of a shell, which unmasks it
	}
	return unmask(mask(t, "$(", ")"))
}

// shellKey reports whether the string in a field is shell text, and the
// strings in a list the lines of one.
func shellKey(key, above string) bool {
	lower := strings.ToLower(key)
	if n := strings.LastIndexByte(lower, '.'); n >= 0 && strings.HasPrefix(lower, "ansible.") {
		lower = lower[n+1:]
	}
	switch lower {
	case "run", "script", "scripts", "before_script", "after_script", "pre_script", "post_script", "commands", "command",
		"cmds", "cmd", "shell", "bash", "sh", "raw", "inlinescript", "install", "before_install", "after_install",
		"before_deploy", "after_deploy", "after_success", "after_failure", "before_cache", "entry", "entrypoint",
		"preconditions", "status", "_raw_params", "pre", "post", "prepare", "cleanup":
		return true
	case "source", "content":
		return strings.EqualFold(above, "script")
	case "value":
		return strings.EqualFold(above, "script") || strings.EqualFold(above, "command")
	}
	return false
}
