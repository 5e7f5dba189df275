package kubectldryrun

import (
	"path"
	"slices"
	"strings"
)

// shellScript returns the script that a command line passes to a shell with -c.
func shellScript(program string, l line) (item, bool) {
	if !slices.Contains([]string{"sh", "bash", "ash", "dash", "ksh", "zsh"}, path.Base(program)) {
		return item{}, false
	}
	for i := 1; i+1 < len(l); i++ {
		switch text := l[i].text; {
		case l[i].repeated || !strings.HasPrefix(text, "-"):
			return item{}, false
		case strings.HasPrefix(text, "--"):
		case strings.HasSuffix(text, "c"):
			return l[i+1], !l[i+1].repeated
		case text == "-o", text == "-eo", text == "-euo", text == "-euxo":
			i++ // the argument is an option such as pipefail
		}
	}
	return item{}, false
}

// inScript converts the words of a command in a script to arguments.
func inScript(words []word, script item) line {
	var l line
	for _, w := range words {
		it := item{text: w.text, at: script.at, optional: script.optional}
		it.repeated = w.text == hole && !w.quoted // the variable can hold several words or none
		l = append(l, it)
	}
	return l
}

// word is a word of a shell script. It has a hole for each text that the shell inserts.
type word struct {
	text   string
	quoted bool
}

// commands splits a script of lists and pipelines into simple commands, and each
// command into words. It returns nil for a script with other syntax.
func commands(script string) [][]word {
	if strings.ContainsAny(script, "`\\(){}") || strings.Contains(script, "<<") || strings.Contains(script, "$'") {
		return nil
	}
	var all [][]word
	var current []word
	var text strings.Builder
	var begun, quoted bool
	endWord := func() {
		if begun {
			current = append(current, word{text.String(), quoted})
		}
		text.Reset()
		begun, quoted = false, false
	}
	endCommand := func() {
		endWord()
		if c := simple(current); len(c) > 0 {
			all = append(all, c)
		}
		current = nil
	}
	for i := 0; i < len(script); i++ {
		switch b := script[i]; b {
		case ' ', '\t':
			endWord()
		case '\n', ';', '|', '&':
			if b == '&' && i > 0 && script[i-1] == '>' || b == '&' && i+1 < len(script) && script[i+1] == '>' {
				text.WriteByte(b) // a redirection
				continue
			}
			endCommand()
		case '#':
			if begun {
				text.WriteByte(b)
				continue
			}
			for i+1 < len(script) && script[i+1] != '\n' {
				i++
			}
		case '\'', '"':
			begun, quoted = true, true
			end := strings.IndexByte(script[i+1:], b)
			if end < 0 {
				return nil
			}
			inside := script[i+1 : i+1+end]
			if b == '"' {
				inside = expanded(inside)
			}
			text.WriteString(inside)
			i += 1 + end
		case '$':
			begun = true
			text.WriteString(hole)
			i += len(variable(script[i+1:]))
		default:
			begun = true
			text.WriteByte(b)
		}
	}
	endCommand()
	return all
}

// variable returns the name of a shell variable at the beginning of s. s is the text
// after a dollar sign.
func variable(s string) string {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] >= '0' && s[n] <= '9' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	if n == 0 && s != "" && strings.IndexByte("@*#?!-$", s[0]) >= 0 {
		n = 1
	}
	return s[:n]
}

// expanded replaces the variables in a double-quoted text by holes.
func expanded(s string) string {
	for {
		before, after, ok := strings.Cut(s, "$")
		if !ok {
			return s
		}
		s = before + hole + strings.TrimPrefix(after, variable(after))
	}
}

// simple removes the redirections of a command, and the words before its name, such as
// sudo.
func simple(words []word) []word {
	for len(words) > 0 {
		switch w := words[0]; {
		case w.quoted:
			return arguments(words)
		case w.text == "sudo", w.text == "exec", w.text == "time", w.text == "!", w.text == "then", w.text == "do", w.text == "else",
			w.text == "if", w.text == "while", w.text == "until":
		case strings.Contains(w.text, "=") && !strings.HasPrefix(w.text, "-"):
		default:
			return arguments(words)
		}
		words = words[1:]
	}
	return nil
}

// arguments returns the words of a command without its redirections.
func arguments(words []word) []word {
	var out []word
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.quoted && strings.ContainsAny(w.text, "<>") {
			if strings.HasSuffix(w.text, "<") || strings.HasSuffix(w.text, ">") || strings.HasSuffix(w.text, "&") {
				i++ // the next word is the file
			}
			continue
		}
		out = append(out, w)
	}
	return out
}
