package auditshapes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	ofServer = "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/"
	ofJQ     = "https://jqlang.org/manual/"
)

// server returns the formats of the API server's backends, and the forms to which
// editors, shells and other systems convert their files.
func server() []Shape {
	return []Shape{
		singleFile("server-lines", ofServer, "audit.log", lines),
		singleFile("server-webhook", ofServer, "batches.json", func(l Log) string {
			var b strings.Builder
			batches(l, 100, func(_ int, part Log) { b.WriteString(eventList(part) + "\n") })
			return b.String()
		}),
		singleFile("server-webhook-pretty", ofServer, "batch.json", func(l Log) string { return indented(eventList(l), "  ") + "\n" }),
		singleFile("server-webhook-no-newline", ofServer, "batches.json", func(l Log) string {
			var b strings.Builder
			batches(l, 100, func(_ int, part Log) { b.WriteString(eventList(part)) })
			return b.String()
		}),
		singleFile("jq-pretty", ofJQ, "pretty.json", each(func(_ int, e Event) string { return indented(e.Line, "  ") })),
		singleFile("jq-slurp", ofJQ, "all.json", func(l Log) string { return indented(list(l), "  ") + "\n" }),
		singleFile("jq-tab", ofJQ, "tab.json", each(func(_ int, e Event) string { return indented(e.Line, "\t") })),
		singleFile("jq-seq", "https://www.rfc-editor.org/rfc/rfc7464", "seq.json", func(l Log) string {
			return each(func(_ int, e Event) string { return "\x1e" + e.Line })(l)
		}),
		singleFile("array-one-line", ofJQ, "array.json", func(l Log) string { return list(l) }),
		singleFile("keys-sorted", ofJQ, "sorted.json", each(func(_ int, e Event) string { return resort(e.Line, true) })),
		singleFile("keys-reversed", ofJQ, "reversed.json", each(func(_ int, e Event) string { return resort(e.Line, false) })),
		singleFile("spaced", "https://docs.python.org/3/library/json.html", "spaced.json", each(func(_ int, e Event) string { return addSpaces(e.Line) })),
		singleFile("escaped-ascii", "https://docs.python.org/3/library/json.html", "ascii.json", each(func(_ int, e Event) string { return ascii(e.Line) })),
		singleFile("crlf", ofServer, "crlf.log", func(l Log) string { return strings.ReplaceAll(lines(l), "\n", "\r\n") }),
		singleFile("bom", ofServer, "bom.log", func(l Log) string { return "\ufeff" + lines(l) }),
		singleFile("utf16-le", "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding", "le.log", func(l Log) string { return utf16Text(lines(l), false) }),
		singleFile("utf16-be", "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding", "be.log", func(l Log) string { return utf16Text(lines(l), true) }),
		singleFile("utf16-le-crlf", "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding", "crlf16.log", func(l Log) string { return utf16Text(strings.ReplaceAll(lines(l), "\n", "\r\n"), false) }),
		singleFile("blank-lines", ofServer, "blank.log", each(func(_ int, e Event) string { return e.Line + "\n   " })),
		singleFile("no-last-newline", ofServer, "open.log", func(l Log) string { return strings.TrimSuffix(lines(l), "\n") }),
		singleFile("no-newlines", ofServer, "packed.log", func(l Log) string { return strings.ReplaceAll(lines(l), "\n", "") }),
		singleFile("copytruncate", "https://linux.die.net/man/8/logrotate", "audit.log", func(l Log) string { return strings.Repeat("\x00", 70_000) + lines(l) }),
		{Name: "rotated", Source: ofServer, Write: func(l Log) (Files, error) {
			third := len(l) / 3
			return Files{
				"audit-2026-11-21T10-00-00.000.log":    []byte(lines(l[:third])),
				"audit-2026-11-21T11-00-00.000.log.gz": gzipped(lines(l[third : 2*third])),
				"audit.log":                            []byte(lines(l[2*third:])),
			}, nil
		}},
		{Name: "three-servers-interleaved", Source: ofServer, Write: func(l Log) (Files, error) {
			var parts [3]Log
			for i, e := range l {
				parts[i%3] = append(parts[i%3], e)
			}
			return Files{"a/audit.log": []byte(lines(parts[0])), "b/audit.log": []byte(lines(parts[1])), "c/audit.log": []byte(lines(parts[2]))}, nil
		}},
		singleFile("backwards", ofServer, "back.log", func(l Log) string {
			back := slices.Clone(l)
			slices.Reverse(back)
			return lines(back)
		}),
		singleFile("twice", ofServer, "twice.log", func(l Log) string { return lines(l) + lines(l) }),
	}
}

// list returns a JSON array of the events.
func list(l Log) string {
	var b strings.Builder
	for i, e := range l {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteString(e.Line)
	}
	return b.String() + "]"
}

// eventList returns the JSON that the webhook backend sends.
func eventList(l Log) string {
	return `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":` + list(l) + "}"
}

// resort sorts the keys of an object at every depth, in ascending order if up is true.
func resort(line string, up bool) string {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	if up {
		return text(v)
	}
	var b strings.Builder
	reversed(&b, v)
	return b.String()
}

func reversed(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		slices.Reverse(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(text(k) + ":")
			reversed(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			reversed(b, x)
		}
		b.WriteByte(']')
	default:
		b.WriteString(text(v))
	}
}

// addSpaces adds a space after every colon and comma outside of strings.
func addSpaces(line string) string {
	var b strings.Builder
	inside := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		b.WriteByte(c)
		switch {
		case inside && c == '\\':
			i++
			b.WriteByte(line[i])
		case c == '"':
			inside = !inside
		case !inside && (c == ':' || c == ','):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// ascii escapes non-ASCII characters and the characters <, > and &.
func ascii(line string) string {
	var b strings.Builder
	for _, r := range line {
		switch {
		case r < 0x80 && !strings.ContainsRune("<>&", r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		}
	}
	return b.String()
}

// utf16Text encodes a string in UTF-16 with a byte order mark.
func utf16Text(s string, big bool) string {
	out := make([]byte, 0, 2*len(s)+2)
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}
