package manifestlint

import (
	"bytes"
	"strconv"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// embedded judges the manifests that stand in strings of an object: values of
// ConfigMaps and Secrets, and any string of a custom resource.
func (j *judge) embedded(in *Input, d document.Document, o *Object, r *result) {
	switch {
	case o.APIVersion == "v1" && (o.Kind == "ConfigMap" || o.Kind == "Secret"):
		for _, name := range []string{"data", "stringData"} {
			if name == "data" && o.Kind == "Secret" {
				continue // base64
			}
			j.strings(in, d, o.Root.Get(name), name, r)
		}
	case !o.Known:
		for i := range o.Root.Fields {
			f := &o.Root.Fields[i]
			if f.Name != "metadata" && f.Name != "status" {
				j.strings(in, d, f.Value, f.Name, r)
			}
		}
	}
}

// strings judges every string below a value that may be a manifest.
func (j *judge) strings(in *Input, d document.Document, v *wire.Value, path string, r *result) {
	if v == nil {
		return
	}
	for i := range v.Fields {
		j.strings(in, d, v.Fields[i].Value, wire.Join(path, v.Fields[i].Name), r)
	}
	for i, item := range v.Items {
		j.strings(in, d, item, path+"["+strconv.Itoa(i)+"]", r)
	}
	if v.Kind == wire.String && mayBeManifest(v.Text) {
		j.text(in, d, v, path, r)
	}
}

func mayBeManifest(text string) bool {
	b := []byte(text)
	return bytes.Contains(b, []byte("apiVersion")) && bytes.Contains(b, []byte("kind"))
}

// text judges the documents of one string. What does not parse is no manifest
// but a text that mentions some.
func (j *judge) text(in *Input, d document.Document, v *wire.Value, path string, r *result) {
	place := placer(d, v)
	outer := j.source
	defer func() { j.source = outer }()
	split := document.NewSplitter([]byte(v.Text))
	for e, ok := split.Next(); ok; e, ok = split.Next() {
		trees, failed := yamltree.Parse(e.Data, e.Line)
		if failed != nil {
			continue
		}
		for _, t := range trees {
			for _, o := range objects(t.Root) {
				if isKustomization(o) {
					continue
				}
				o.Embedded = path
				start := len(r.findings)
				o.Listed = o.Root != t.Root
				j.source = editable{data: e.Data, line: e.Line, column: 1, root: t.Root, within: &within{d, v}, left: maxFixing}
				j.object(in, d.Index, o, r)
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

// placer gives what moves a finding from its place in a string to its place in
// the input. In a literal block the lines correspond; elsewhere the whole
// string has to do.
func placer(d document.Document, v *wire.Value) func(*rules.Finding) {
	header := document.Line(d.Data, v.Pos.Line-d.Line+1)
	literal := v.Pos.Line < v.End.Line && v.Pos.Column <= len(header) && bytes.IndexByte(header[v.Pos.Column-1:], '|') == 0
	if literal {
		for n := 2; ; n++ {
			line := document.Line(d.Data, v.Pos.Line-d.Line+n)
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
