package scripts

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/kubectl"
)

// YAML reads the shell text in a value of a YAML document. It reads the steps
// of GitHub Actions and GitLab CI, the commands of containers, and fields that
// contain a shell script, as in a ConfigMap.
func YAML(root *wire.Value, doc *Source) *File {
	if len(doc.Text) > MaxSize {
		return &File{}
	}
	y := &yamlReader{reader: &reader{file: &File{}, source: string(doc.Text), isPart: true}, doc: doc, seen: map[*wire.Value]bool{}}
	y.value(root, "", 0)
	return y.sorted()
}

type yamlReader struct {
	*reader
	doc  *Source
	seen map[*wire.Value]bool // aliases share a value, which is read once
}

// maxYAMLDepth is the largest depth of values that are read.
const maxYAMLDepth = 200

// value reads the value of a field with this name.
func (y *yamlReader) value(v *wire.Value, name string, depth int) {
	if v == nil || depth > maxYAMLDepth {
		return
	}
	if v.Kind == wire.String {
		y.text(v, name)
		return
	}
	if y.seen[v] {
		return
	}
	y.seen[v] = true
	above := y.path
	defer func() { y.path = above }()
	if v.Kind == wire.List && shellField(name) && !slices.ContainsFunc(v.Items, isMap) {
		y.script(v)
		return
	}
	for i, item := range v.Items {
		y.path = above + "[" + strconv.Itoa(i) + "]"
		y.value(item, "", depth+1)
	}
	y.path = above
	command := v.Kind == wire.Map && y.command(v)
	for i := range v.Fields {
		f := &v.Fields[i]
		y.path = wire.Join(above, f.Name)
		if (f.Name != "command" && f.Name != "args" || !command) && (f.Name != "run" || !otherShell(v)) {
			y.value(f.Value, f.Name, depth+1)
		}
	}
}

func isMap(v *wire.Value) bool { return v.Kind == wire.Map }

// text reads a string if it is shell text, according to the field's name or its
// first line.
func (y *yamlReader) text(v *wire.Value, name string) {
	if !Mentions([]byte(v.Text)) && !strings.Contains(v.Text, "kubectl") {
		return
	}
	if strings.HasPrefix(v.Text, "#!") && !Shebang([]byte(v.Text)) {
		return
	}
	if strings.HasPrefix(v.Text, "#!") || shellField(name) || LanguageOf(name) == Shell {
		y.shell(y.scalar(v).maskTemplates())
	}
}

// script reads a list of strings, which are the lines of a script.
func (y *yamlReader) script(v *wire.Value) {
	var lines []text
	for _, item := range v.Items {
		if item.Kind == wire.String {
			t := y.scalar(item)
			end := t.wholePlace().End
			lines = append(lines, t, textAt("\n", Place{Start: end, End: end}))
		}
	}
	y.shell(join(lines...).maskTemplates())
}

// shellField reports whether a string in a field with this name is shell text.
func shellField(name string) bool {
	switch name {
	case "run", "script", "before_script", "after_script", "command", "commands":
		return true
	}
	return false
}

// otherShell reports whether a step of GitHub Actions uses a shell that is not
// a POSIX shell.
func otherShell(v *wire.Value) bool {
	name, _, _ := strings.Cut(v.Get("shell").StringOr("sh"), " ")
	return !isShell(path.Base(name)) && !strings.Contains(name, "{{")
}

// command reads the command of a container. It returns false if there is no
// command.
func (y *yamlReader) command(v *wire.Value) bool {
	var words []text
	var paths []string
	for _, name := range []string{"command", "args"} {
		f := v.Get(name)
		if f == nil || f.Kind != wire.List || slices.ContainsFunc(f.Items, isMap) {
			continue
		}
		for i, item := range f.Items {
			words = append(words, y.word(item))
			paths = append(paths, wire.Join(y.path, name)+"["+strconv.Itoa(i)+"]")
		}
	}
	run := words
	if image, _, _ := strings.Cut(path.Base(v.Get("image").StringOr("")), ":"); v.Get("command") == nil && kubectl.ProgramOf(image) != 0 {
		run = append([]text{textAt(image, Place{})}, words...) // the image runs kubectl or oc with these arguments
	}
	w := &walker{reader: y.reader, vars: map[string][]text{}, funcs: map[string]*function{}}
	before := len(y.file.Commands)
	w.runCommand(run, nil)
	for i := before; i < len(y.file.Commands); i++ {
		c := &y.file.Commands[i]
		for n, word := range words {
			if p := word.wholePlace(); p.Start <= c.flag() && c.flag() < p.End {
				c.Path = paths[n]
			}
		}
	}
	return len(words) > 0
}

// word returns a word of a command. The parts that Kubernetes or a CI system
// replaces, such as $(NAME), are unknown.
func (y *yamlReader) word(v *wire.Value) text {
	if v.Kind != wire.String {
		return textAt(hole, Place{})
	}
	t := y.scalar(v).maskTemplates()
	if strings.ContainsAny(t.s, " \n") {
		return t // it may be a script
	}
	return t.mask("$(", ")")
}
