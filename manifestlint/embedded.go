package manifestlint

import (
	"bytes"
	"strconv"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// embedded checks the manifests in strings of an object: in the values of
// ConfigMaps and Secrets, and in all strings of a custom resource.
func (c *checker) embedded(in *Input, d document.Document, o *Object, r *result) {
	switch {
	case o.APIVersion == "v1" && (o.Kind == "ConfigMap" || o.Kind == "Secret"):
		for _, name := range []string{"data", "stringData"} {
			if name == "data" && o.Kind == "Secret" {
				continue // a Secret's value in base64
			}
			c.embeddedBelow(in, d, o.Root.Get(name), name, r)
		}
	case !o.Known:
		for i := range o.Root.Fields {
			f := &o.Root.Fields[i]
			if f.Name != "metadata" && f.Name != "status" {
				c.embeddedBelow(in, d, f.Value, f.Name, r)
			}
		}
	}
}

// embeddedBelow checks the strings in v that look like manifests.
func (c *checker) embeddedBelow(in *Input, d document.Document, v *wire.Value, path string, r *result) {
	if v == nil {
		return
	}
	for i := range v.Fields {
		c.embeddedBelow(in, d, v.Fields[i].Value, wire.Join(path, v.Fields[i].Name), r)
	}
	for i, item := range v.Items {
		c.embeddedBelow(in, d, item, path+"["+strconv.Itoa(i)+"]", r)
	}
	if v.Kind == wire.String && mayBeManifest(v.Text) {
		c.embeddedText(in, d, v, path, r)
	}
}

func mayBeManifest(text string) bool {
	b := []byte(text)
	return bytes.Contains(b, []byte("apiVersion")) && bytes.Contains(b, []byte("kind"))
}

// embeddedText checks the documents of one string. It ignores a document that
// does not parse, because the string may only quote a manifest.
func (c *checker) embeddedText(in *Input, d document.Document, v *wire.Value, path string, r *result) {
	place := c.moverToInput(d, v)
	outer := c.source
	defer func() { c.source = outer }()
	split := document.NewSplitter([]byte(v.Text))
	for e, ok := split.Next(); ok; e, ok = split.Next() {
		trees, failed := yamltree.Parse(e.Data, e.Line)
		if failed != nil {
			continue
		}
		for _, t := range trees {
			for _, o := range objects(t.Root) {
				if isToolFile(o) {
					continue
				}
				o.Embedded = path
				start := len(r.findings)
				o.Listed = o.Root != t.Root
				c.source = editable{data: e.Data, line: e.Line, column: 1, root: t.Root, outer: &outerString{d, v}, budget: fixBudget(e.Data)}
				c.object(in, d.Index, o, r)
				for i := start; i < len(r.findings); i++ {
					place(&r.findings[i])
					if f := &r.findings[i]; f.Path == "" {
						f.Path = path
					}
				}
			}
		}
	}
}

// moverToInput returns a function that moves a finding from a string to the
// input. In a literal block, lines of the string are lines of the input. In
// other strings, the position is the whole string.
func (c *checker) moverToInput(d document.Document, v *wire.Value) func(*rules.Finding) {
	header := c.line(d, v.Pos.Line-d.Line+1)
	literal := v.Pos.Line < v.End.Line && v.Pos.Column <= len(header) && bytes.IndexByte(header[v.Pos.Column-1:], '|') == 0
	if literal {
		for n := 2; ; n++ {
			line := c.line(d, v.Pos.Line-d.Line+n)
			if len(line) == 0 {
				break
			}
			rest := bytes.TrimLeft(line, " ")
			if len(bytes.TrimSpace(rest)) == 0 {
				continue
			}
			indent := len(line) - len(rest)
			return func(f *rules.Finding) {
				f.Line += v.Pos.Line
				f.EndLine += v.Pos.Line
				f.Column += indent
				f.EndColumn += indent
			}
		}
	}
	return func(f *rules.Finding) {
		f.Line, f.Column = v.Pos.Line, v.Pos.Column
		f.EndLine, f.EndColumn = v.End.Line, v.End.Column
		if f.EndLine == f.Line && f.EndColumn <= f.Column {
			f.EndColumn = f.Column + 1
		}
	}
}

// line returns line n of a document, from 1, with its line break; nil after the
// last line.
func (c *checker) line(d document.Document, n int) []byte {
	if len(d.Data) == 0 || n < 1 {
		return nil
	}
	if len(c.lines.text) != len(d.Data) || &c.lines.text[0] != &d.Data[0] {
		c.lines.text, c.lines.offsets = d.Data, append(c.lines.offsets[:0], 0)
		for line := range bytes.Lines(d.Data) {
			c.lines.offsets = append(c.lines.offsets, c.lines.offsets[len(c.lines.offsets)-1]+len(line))
		}
	}
	if n >= len(c.lines.offsets) {
		return nil
	}
	return d.Data[c.lines.offsets[n-1]:c.lines.offsets[n]]
}

// Trees returns the documents of a text, such as a file in a ConfigMap. It
// skips documents that do not parse, because the text may not be YAML.
// Positions count from the start of the text.
func Trees(text string) (all []*wire.Value) {
	split := document.NewSplitter([]byte(text))
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		trees, failed := yamltree.Parse(d.Data, d.Line)
		if failed != nil {
			continue
		}
		for _, t := range trees {
			all = append(all, t.Root)
		}
	}
	return all
}
