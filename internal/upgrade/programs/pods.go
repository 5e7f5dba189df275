package programs

import (
	"path"
	"strings"

	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// pods checks the flags of containers that run a program of Kubernetes, in static pods or
// in the DaemonSet of kube-proxy.
func (c *Check) pods(o *seen.Object) {
	at, ok := apiserver.PodSpecPath(o.Ref.APIVersion, o.Ref.Kind)
	if !ok {
		return
	}
	spec := o.Root.At(strings.Split(at, ".")...)
	for _, list := range []string{"initContainers", "containers"} {
		for _, container := range spec.Get(list).Elements() {
			c.container(o, container)
		}
	}
}

// word is a word of a command line with its position in the file.
type word struct {
	text string
	at   wire.Pos
}

func (c *Check) container(o *seen.Object, container *wire.Value) {
	var words []word
	for _, list := range []string{"command", "args"} {
		for _, v := range container.Get(list).Elements() {
			words = append(words, word{v.StringOr(""), v.Pos})
		}
	}
	program := ""
	if container.Get("command") == nil {
		program = imageProgram(container.Get("image").StringOr(""))
	}
	shell := len(words) > 2 && (path.Base(words[0].text) == "sh" || path.Base(words[0].text) == "bash") && strings.HasPrefix(words[1].text, "-")
	if shell {
		words = split(words[2:])
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if program == "" {
			// The program is the first word of the command or, as with hyperkube, the
			// second.
			if name := path.Base(w.text); isProgram(name) && !strings.HasPrefix(w.text, "-") && (shell || i < 2) {
				program = name
			}
			continue
		}
		name, ok := strings.CutPrefix(w.text, "--")
		if !ok || name == "" {
			continue
		}
		name, value, has := strings.Cut(name, "=")
		if !has && i+1 < len(words) && !strings.HasPrefix(words[i+1].text, "-") {
			value = words[i+1].text
		}
		c.flag(o, program, name, value, w.at)
	}
}

// split splits a shell command at blanks and removes quotes. This is not exact, but
// enough to find names of flags.
func split(words []word) (all []word) {
	for _, w := range words {
		for text := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return strings.ContainsRune(" \t\n\\\"';&|()", r) }) {
			all = append(all, word{text, w.at})
		}
	}
	return all
}

// imageProgram returns the Kubernetes program in an image, from the name of the image.
func imageProgram(image string) string {
	name := path.Base(image)
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	if isProgram(name) {
		return name
	}
	return ""
}
