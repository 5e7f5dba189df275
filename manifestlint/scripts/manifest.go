package scripts

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Manifest is a text that a script passes to kubectl or oc.
type Manifest struct{ t text }

func (m Manifest) start() int { return m.t.wholePlace().Start }

// Known reports whether all parts of the manifest are known.
func (m Manifest) Known() bool { return m.t.known() }

// placeholder replaces an unknown part of a manifest.
const placeholder = "kubevet-unknown"

// Text returns the manifest with placeholders for unknown parts.
func (m Manifest) Text() []byte { return []byte(m.fill().s) }

// Locate converts the positions of findings from Text to the source. It removes
// findings that depend on unknown parts. elided is set for a text that may
// leave out parts of a manifest as "...", such as documentation.
func (m Manifest) Locate(source *Source, elided bool, found *[]rules.Finding) {
	p := placer{t: m.fill(), from: NewSource(m.Text(), 1), to: source}
	elided = !m.Known() || elided && strings.Contains(m.t.s, "...")
	unknown := m.unknownLines()
	*found = slices.DeleteFunc(*found, func(f rules.Finding) bool {
		return f.Rule == "syntax" && elided || unknown[f.Line] || strings.Contains(f.Message, placeholder)
	})
	for n := range *found {
		f := &(*found)[n]
		p.finding(f)
		if !m.Known() {
			f.Fix, f.Notes = nil, nil // they can depend on unknown parts
		}
	}
}

// Positions returns a function that converts a position in Text to a position
// in the source.
func (m Manifest) Positions(source *Source) func(wire.Pos) wire.Pos {
	t, from := m.fill(), NewSource(m.Text(), 1)
	return func(at wire.Pos) wire.Pos {
		off := from.Offset(at)
		return source.Pos(t.place(off, off).Start)
	}
}

// unknownLines returns the numbers of the lines with an unknown part.
func (m Manifest) unknownLines() map[int]bool {
	if m.Known() {
		return nil
	}
	all := map[int]bool{}
	n := 0
	for line := range strings.Lines(m.t.s) {
		if n++; strings.ContainsAny(line, unknown) {
			all[n] = true
		}
	}
	return all
}

// fill replaces the unknown parts. It removes an unknown part that is alone on
// a line, because it can be any number of lines.
func (m Manifest) fill() text {
	return m.t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexAny(s[from:], unknown)
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		before := s[strings.LastIndexByte(s[:i], '\n')+1 : i]
		after, _, _ := strings.Cut(s[i+1:], "\n")
		if strings.TrimSpace(before+after) == "" {
			return i, i + 1, text{}
		}
		return i, i + 1, textAt(placeholder, m.t.place(i, i+1))
	})
}

// placer converts positions in a manifest to positions in the source.
type placer struct {
	t        text
	from, to *Source
}

// span converts a range to a range of the source, and reports whether the
// source has an equal text there.
func (p *placer) span(line, column, endLine, endColumn *int) bool {
	start := p.from.Offset(wire.Pos{Line: *line, Column: *column})
	end := p.from.Offset(wire.Pos{Line: *endLine, Column: *endColumn})
	place := p.t.place(start, end)
	from, to := p.to.Pos(place.Start), p.to.Pos(place.End)
	*line, *column, *endLine, *endColumn = from.Line, from.Column, to.Line, to.Column
	if from.Line == to.Line && to.Column <= from.Column {
		*endColumn = from.Column + 1
	}
	return place.Exact
}

// finding converts the positions of a finding. It removes a fix whose text is
// not in the source, or has characters that are special in a shell or in YAML.
func (p *placer) finding(f *rules.Finding) {
	if o := f.Object; o != nil && strings.Contains(o.Name+o.Namespace, placeholder) {
		f.Object = &rules.ObjectRef{APIVersion: o.APIVersion, Kind: o.Kind}
	}
	p.span(&f.Line, &f.Column, &f.EndLine, &f.EndColumn)
	for i := range f.Related {
		if r := &f.Related[i]; r.File == f.File {
			p.span(&r.Line, &r.Column, &r.EndLine, &r.EndColumn)
		}
	}
	if f.Fix == nil {
		return
	}
	fix := *f.Fix
	fix.Edits = slices.Clone(fix.Edits)
	f.Fix = &fix
	for i := range fix.Edits {
		e := &fix.Edits[i]
		if !p.span(&e.Line, &e.Column, &e.EndLine, &e.EndColumn) || strings.ContainsFunc(e.New, special) {
			f.Fix = nil
			return
		}
	}
}

// special reports whether a character may be special in a shell or in YAML.
func special(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("./-_: ", c))
}
