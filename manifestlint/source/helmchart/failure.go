package helmchart

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxMessage is the largest length of a failure's message, in bytes. Helm's
// messages quote whole templates.
const maxMessage = 600

// errorPosition matches a position in an error message: a template's name, a
// line, and sometimes a column.
var errorPosition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([^\s"'()<>:]+):(\d+)(?::(\d+))?`) })

// failure converts a rendering error, and finds its position.
func (c *Chart) failure(b *built, sources map[string]*templateFile, err error) *Failure {
	if f, ok := err.(*Failure); ok {
		return f
	}
	text := err.Error()
	f := &Failure{File: c.chartFile(), Message: text}
	// The position of the innermost template comes last.
	for _, m := range errorPosition().FindAllStringSubmatchIndex(text, -1) {
		s := sources[text[m[2]:m[3]]]
		if s == nil {
			continue
		}
		f.File, f.Line, f.Column = s.file.place, number(text[m[4]:m[5]]), 0
		if m[6] >= 0 {
			f.Column = columnAt(s.text, f.Line, number(text[m[6]:m[7]]))
		}
		if rest := strings.TrimLeft(text[m[1]:], ") :\n"); rest != "" {
			f.Message = rest
		}
	}
	if at := strings.LastIndex(text, errBudget.Error()); at >= 0 {
		f.Message = text[at:]
	}
	f.Message = oneLine(f.Message)
	// The engine has its own names for templates. Users know their paths.
	for key, s := range sources {
		if strings.Contains(f.Message, key) {
			f.Message = strings.ReplaceAll(f.Message, key, s.file.place)
		}
	}
	return f
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// columnAt converts a column in bytes, from 0, to a column in code points, from
// 1.
func columnAt(text string, line, bytes int) int {
	for n := 1; n < line; n++ {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return 0
		}
		text = rest
	}
	return utf8.RuneCountInString(text[:min(max(bytes, 0), len(text))]) + 1
}

// oneLine puts a message on one line, and cuts it to maxMessage bytes.
func oneLine(text string) string {
	words := strings.Fields(text)
	text = strings.Join(words, " ")
	if len(text) > maxMessage {
		cut := maxMessage
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}
