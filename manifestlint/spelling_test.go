package manifestlint_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf16"
)

// randomFile returns a file of objects in a random spelling of YAML or JSON. A
// seed always returns the same file. A few files contain errors.
func randomFile(seed uint64) []byte {
	w := &writer{rand: rand.New(rand.NewPCG(seed, 37))}
	text := w.file()
	if w.oneIn(8) {
		text = w.damaged(text)
	}
	return w.encoded(text)
}

type writer struct {
	rand    *rand.Rand
	anchors int
	serial  int
}

// node is a value to write: a string (scalar), another YAML scalar (plain), a
// map or a list.
type node struct {
	scalar *string
	// plain is a scalar without quotes. json is the scalar in JSON. An empty
	// json means plain in quotes.
	plain, json string
	keys        []string
	values      []node // values of the keys, or of a list
	list        bool
}

func (w *writer) oneIn(n int) bool { return w.rand.IntN(n) == 0 }

func (w *writer) pick(choices ...string) string { return choices[w.rand.IntN(len(choices))] }

func str(s string) node { return node{scalar: &s} }

func mapping(fields ...any) node {
	var n node
	for i := 0; i < len(fields); i += 2 {
		n.keys = append(n.keys, fields[i].(string))
		switch v := fields[i+1].(type) {
		case string:
			n.values = append(n.values, str(v))
		case node:
			n.values = append(n.values, v)
		}
	}
	return n
}

func list(items ...node) node { return node{list: true, values: items} }

func (w *writer) object() node {
	w.serial++
	meta := mapping("name", "web-"+strconv.Itoa(w.serial))
	if w.oneIn(3) {
		meta.keys, meta.values = append(meta.keys, "namespace"), append(meta.values, str(w.pick("shop", "default", "a-b")))
	}
	if w.oneIn(4) {
		meta.keys, meta.values = append(meta.keys, "annotations"), append(meta.values, mapping(w.word(), w.value(0)))
	}
	switch w.rand.IntN(5) {
	case 0:
		return mapping("apiVersion", "extensions/v1beta1", "kind", "Ingress", "metadata", meta, "spec", mapping("backend", mapping("serviceName", "web", "servicePort", node{plain: "80", json: "80"})))
	case 1:
		return mapping("apiVersion", "v1", "kind", "ConfigMap", "metadata", meta, "data", mapping(w.word(), w.value(0), w.word()+"2", w.value(0)))
	case 2:
		return mapping("kind", "Secret", "apiVersion", "v1", "metadata", meta, "stringData", mapping(w.word(), w.value(1)))
	case 3:
		return mapping("apiVersion", "example.com/v1", "kind", "Thing", "metadata", meta, "spec", w.value(0), "status", w.value(1))
	}
	return mapping("apiVersion", "apps/v1", "kind", "Deployment", "metadata", meta, "spec",
		mapping("replicas", node{plain: "2", json: "2"}, "containers", list(mapping("name", "a", "args", list(w.value(3), w.value(3))), mapping("name", "b"))))
}

// document returns an object or a list of objects.
func (w *writer) document() node {
	switch w.rand.IntN(12) {
	case 0:
		items := list()
		for range w.rand.IntN(4) {
			items.values = append(items.values, w.object())
		}
		return mapping("apiVersion", "v1", "kind", "List", "items", items)
	case 1:
		return mapping("kind", w.pick("ConfigMapList", "IngressList"), "apiVersion", w.pick("v1", "extensions/v1beta1"), "metadata", mapping("resourceVersion", ""),
			"items", list(mapping("metadata", mapping("name", "x")), mapping("metadata", mapping("name", "y"))))
	case 2:
		inner := w.object()
		for range 1 + w.rand.IntN(30) {
			inner = mapping("apiVersion", "v1", "kind", "List", "items", list(inner))
		}
		return inner
	case 3:
		return mapping("apiVersion", "v1", "kind", "List", "items", node{plain: w.pick("[]", "null", "", "{}", "text"), json: "[]"})
	}
	return w.object()
}

func (w *writer) word() string {
	return w.pick("a", "key", "app.kubernetes.io/name", "y", "on", "no", "1", "1.0", "0x1", "true", "null", "~", "a b", "ü", "-x", "a:b", "name", "items", "kind")
}

// value returns a random value, often with a difficult spelling. depth limits
// the nesting.
func (w *writer) value(depth int) node {
	switch w.rand.IntN(9) {
	case 0:
		return str(w.pick("", " ", "a", "y", "no", "null", "1", "0x1F", "010", "1e3", "a: b", "a #b", "- a", "{a}", "[a", "*a", "&a", "!a", "%a", "@a", "`a", "'", "\"", "a'b\"c", "ü", "日本", "\u00a0", "\u2028", "\ufeff", "\\n", "#", "a:", "---", "{{ .a }}", "$(A)", "<<"))
	case 1:
		return str(w.pick("a\nb", "a\nb\n", "a\n\n\nb\n\n", "\na", " a\nb", "---\na: b\n", "...\n", "a\n---\n", "#!/bin/sh\nexit 0\n", "a\tb\n", "a: b\nc: d\n", "apiVersion: v1\nkind: Pod\n", "\n", "\n\n"))
	case 2:
		p := w.pick("1", "-1", "0", "1.5", "-0", "1e3", "1E+3", "100000000000000000000", "9223372036854775807", "18446744073709551615", "1.0")
		return node{plain: p, json: p}
	case 3:
		return node{plain: w.pick("yes", "No", "on", "OFF", "y", "N", "~", "Null", "012", "0o14", "0x1F", "0b11", "1_000", ".5", "5.", "+1", ".inf", ".nan", "-.Inf", "12:30", "1:2:3", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "=", "<", "1e", "0x", "1__0", "_1", "+", "!!str 1", "!!int \"1\"", "!!float 1", "!!binary aGk=", "! a", "!x a", "!!bool yes", "!!null a", "!!timestamp 2001-01-01")}
	case 4:
		return node{plain: w.pick("true", "false", "null"), json: w.pick("true", "false", "null")}
	}
	if depth > 2 {
		return str("leaf")
	}
	if w.oneIn(2) {
		items := list()
		for range w.rand.IntN(3) {
			items.values = append(items.values, w.value(depth+1))
		}
		return items
	}
	m := mapping()
	for i := range w.rand.IntN(3) {
		m.keys, m.values = append(m.keys, w.word()+strings.Repeat("_", i)), append(m.values, w.value(depth+1))
	}
	return m
}

// file writes one to four documents, and comments or markers between them.
func (w *writer) file() string {
	var b strings.Builder
	n := 1 + w.rand.IntN(4)
	if w.oneIn(8) { // a stream of JSON values
		for range n {
			b.WriteString(w.pick("", "\n", " ", "\r\n", "\n\n"))
			w.json(&b, w.document(), w.pick("", "  ", "\t"), "\n")
		}
		b.WriteString(w.pick("", "\n", " \n"))
		if w.oneIn(4) {
			b.WriteString(w.pick("\n---\n", "\n---", "\n...\n", "x", "\n# c\n", "\n---\na: b\n"))
		}
		return b.String()
	}
	if w.oneIn(6) {
		b.WriteString("\ufeff")
	}
	for i := range n {
		if i > 0 || w.oneIn(3) {
			b.WriteString(w.pick("---\n", "---\n", "---\n", "--- \n", "---\t\n", "--- # c\n", "---\n---\n", "---\n# only a comment\n---\n", "...\n---\n", "\n---\n", "# c\n---\n", "--- #\n\n", "---# c\n", "...\n", "... # c\n---\n", "\t\n---\n", "---\n\ufeff", "\ufeff---\n", "---\nnull\n---\n", "---\n~\n---\n", "----\n", "---\n   \n---\n", "...\n\ufeff", " ---\n", "---\n\n\ufeff", "---\n# c\n\ufeff", "---\n\ufeff# c\n", "---\n\ufeff\n", "---\n\ufeff---\n"))
		}
		if w.oneIn(10) {
			b.WriteString(w.pick("\n", "# comment\n", "   # c\n", "\t# c\n", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%TAG ! tag:x,2000:\n---\n", "  \n", "%FOO a\n---\n", "#---\n", "# {{ .a }}\n", "\u2028"))
		}
		b.WriteString(w.render(w.document()))
		if !strings.HasSuffix(b.String(), "\n") && (i+1 < n || !w.oneIn(4)) {
			b.WriteByte('\n')
		}
		if w.oneIn(12) {
			b.WriteString(w.pick("# end\n", "\n\n", "...\n", "  # end\n", "\t\n", "... \n", "...# c\n", "\x1a", "\x00"))
		}
	}
	return b.String()
}

// render returns the text of a document in JSON, flow style or block style.
func (w *writer) render(n node) string {
	var b strings.Builder
	switch w.rand.IntN(8) {
	case 0:
		w.json(&b, n, w.pick("", "  ", "    "), "\n")
	case 1:
		w.flow(&b, n)
	default:
		s := style{indent: 1 + w.rand.IntN(4), lists: w.rand.IntN(2), comments: w.oneIn(4), anchors: w.oneIn(6), twice: w.oneIn(12)}
		indent := 0
		if w.oneIn(12) {
			indent = 1 + w.rand.IntN(3)
		}
		b.WriteString(strings.Repeat(" ", indent))
		w.block(&b, n, indent, s)
	}
	return b.String()
}

// damaged returns a text with an error in one place.
func (w *writer) damaged(text string) string {
	if text == "" {
		return text
	}
	at := w.rand.IntN(len(text))
	switch w.rand.IntN(5) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + text[at+1:]
	case 2:
		return text[:at] + w.pick("\x00", "\xff", "\xe4", "\x1b", "\u0085", "\ufffe", "\U0001f600", "\x7f", "\u0080") + text[at:]
	case 3:
		return text[:at] + w.pick("\t", " ", "\n", "{", "}", "[", "]", "\"", "'", ":", "- ", "#", "&", "*", "!", "|", ",", "{{", "---\n", "...\n", "\r", "%") + text[at:]
	}
	return text[:at] + string(text[w.rand.IntN(len(text))]) + text[at+1:]
}

// encoded returns a text with random line breaks and in a random encoding.
func (w *writer) encoded(text string) []byte {
	switch w.rand.IntN(16) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = strings.Replace(text, "\n", "\r\n", 3)
	case 2:
		if w.oneIn(3) {
			text = strings.ReplaceAll(text, "\n", "\r")
		}
	case 3:
		var order binary.AppendByteOrder = binary.LittleEndian
		if w.oneIn(2) {
			order = binary.BigEndian
		}
		var b bytes.Buffer
		for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
			b.Write(order.AppendUint16(nil, unit))
		}
		return b.Bytes()
	}
	return []byte(text)
}
