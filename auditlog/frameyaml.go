package auditlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v2"
)

// yamlFramer converts each document of a YAML stream to a record in JSON. If a document is a list
// of records, it converts each element.
type yamlFramer struct {
	lineSource
	doc  []byte // text of the record so far
	from int    // line number of the record's beginning
	// item is the indentation of the elements in the current list of records;
	// -1 outside of such a list.
	item int
	// list is set after a top-level key, where a list of records can begin.
	// Deeper lists can be parts of bodies.
	list bool
	long bool // the record is too long
}

// maxYAML is the largest size of a record in bytes. The limit is needed because
// each record is parsed into a tree.
const maxYAML = 8 << 20

// isYAML reports whether a text is block style YAML and may contain an event.
func isYAML(b []byte) bool {
	if !bytes.Contains(b, []byte("auditID")) && !bytes.Contains(b, []byte("protoPayload:")) && !bytes.Contains(b, []byte("AuditId:")) {
		return false
	}
	return inBlocks(b)
}

// inBlocks reports whether a text begins with block style YAML.
func inBlocks(b []byte) bool {
	yes := false
	for n := 0; n < maxSniffed && len(b) > 0; n++ {
		line, rest, _ := bytes.Cut(b, []byte{'\n'})
		b = rest
		switch line = bytes.TrimRight(line, " \t\r"); {
		case len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("---")):
		case line[0] == '{' || line[0] == '[':
			return false
		case !yes:
			if yes = yamlLine(line); !yes {
				return false
			}
		}
	}
	return yes
}

func (f *yamlFramer) next(b *block) error {
	b.reset()
	b.lines = f.line
	err := f.each(b, func(line []byte) { f.take(b, line) })
	if err != nil {
		f.flush(b)
	}
	return err
}

func (f *yamlFramer) take(b *block, line []byte) {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	text = bytes.TrimRight(text, " \t\r")
	dash := bytes.HasPrefix(text, []byte("- ")) || string(text) == "-"
	switch {
	case indent == 0 && (bytes.HasPrefix(line, []byte("---")) || string(text) == "..."):
		f.flush(b)
		f.item, f.list = -1, true
		line = bytes.TrimPrefix(line, []byte("---"))
	case len(text) == 0:
	case f.item >= 0 && indent == f.item && dash:
		f.flush(b)
	case f.item >= 0 && indent <= f.item:
		f.flush(b)
		f.item, f.list = -1, false
	case f.item < 0 && f.list && dash:
		f.flush(b)
		f.item = indent
	}
	if len(text) > 0 {
		f.list = f.item < 0 && (indent == 0 || f.list) && text[len(text)-1] == ':' && containers[string(text[:len(text)-1])]
	}
	if len(f.doc) == 0 {
		f.from = f.line
	}
	if f.long = f.long || len(f.doc)+len(line) > maxYAML; !f.long {
		f.doc = append(append(f.doc, line...), '\n')
	}
}

// flush writes the current record. If the text is not YAML after all, it writes
// each line as a record.
func (f *yamlFramer) flush(b *block) {
	defer func() { f.doc, f.long = f.doc[:0], false }()
	if f.long {
		b.bad = append(b.bad, Damage{Line: f.from + 1, Text: fmt.Sprintf("a document in YAML of more than %d MiB is left out: convert it to JSON", maxYAML>>20)})
		return
	}
	if len(bytes.TrimSpace(f.doc)) == 0 {
		return
	}
	if data, err := yamlToJSON(f.doc); err == nil {
		b.record(data, f.from)
		return
	}
	for i, line := range bytes.Split(f.doc, []byte{'\n'}) {
		b.record(line, f.from+i)
	}
}

// yamlToJSON converts a YAML document to JSON.
func yamlToJSON(doc []byte) ([]byte, error) {
	var v any
	if err := yaml.Unmarshal(doc, &v); err != nil {
		return nil, err
	}
	return appendYAML(nil, v, 0)
}

var errDeep = errors.New("nested too deeply")

// appendYAML appends a value as JSON.
func appendYAML(dst []byte, v any, depth int) (_ []byte, err error) {
	if depth > maxAnyValue {
		return nil, errDeep
	}
	switch v := v.(type) {
	case map[any]any:
		named := make(map[string]any, len(v))
		for key, x := range v {
			named[fmt.Sprint(key)] = x
		}
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(named)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendJSON(append(dst, '"'), key), `":`...)
			if dst, err = appendYAML(dst, named[key], depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendYAML(dst, x, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case string:
		return append(appendJSON(append(dst, '"'), v), '"'), nil
	}
	data, err := json.Marshal(v)
	return append(dst, data...), err
}
