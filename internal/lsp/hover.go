package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/lsp/folder"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/projects"
)

// maxPages is the maximal number of rule pages in one hover.
const maxPages = 3

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

// hover returns the history of the API at a position, and the pages of the rules with
// findings there. It returns nil if there is neither.
func (s *server) hover(ctx context.Context, p *positionParams) (*hover, error) {
	d, r := s.openDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	var texts []string
	var at *textRange
	point := textRange{p.Position, p.Position}
	if !d.isGo() {
		for _, o := range folder.Objects(r.Name(d.path), d.text.data) {
			for _, span := range []manifestlint.Span{o.APIVersionAt, o.KindAt} {
				here := d.text.findingRange(span.Pos.Line, span.Pos.Column, span.End.Line, span.End.Column)
				if span.Pos.Line > 0 && here.touches(point) && len(texts) == 0 {
					texts, at = append(texts, r.history(&o)), &here
				}
			}
		}
	}
	found, err := r.currentFindings(ctx, d)
	if err != nil {
		return nil, err
	}
	pages := map[string]bool{}
	for i := range found {
		f := &found[i]
		here := d.text.findingRange(f.Line, f.Column, f.EndLine, f.EndColumn)
		if !here.touches(point) || pages[f.Rule] || len(pages) == maxPages {
			continue
		}
		if rule, ok := rules.Lookup(f.Rule); ok {
			pages[f.Rule] = true
			texts = append(texts, s.page(&rule))
			if at == nil {
				at = &here
			}
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return &hover{Contents: markupContent{"markdown", strings.Join(texts, "\n\n---\n\n")}, Range: at}, nil
}

// page returns the page of a rule in Markdown, without the examples for tests.
func (s *server) page(r *rules.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s\n\n", r.ID, r.Title)
	shown := true
	code := false
	for line := range strings.Lines(r.Page) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok && !code {
			heading = strings.TrimSpace(heading)
			shown = heading != "Examples" && heading != "References"
			line = "#### " + heading + "\n"
		}
		if shown {
			b.WriteString(s.absoluteLinks(line))
		}
	}
	fmt.Fprintf(&b, "\n[The page of the rule](%s%s.md)\n", s.o.PagesURL, r.ID)
	return b.String()
}

// absoluteLinks replaces the relative links in a line of a page by absolute addresses.
func (s *server) absoluteLinks(line string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "](")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString("](")
		if target, _, ok := strings.Cut(rest, ")"); ok && strings.HasSuffix(target, ".md") && !strings.Contains(target, "/") {
			b.WriteString(s.o.PagesURL)
		}
		line = rest
	}
}

// history returns the history of the API of an object in Markdown.
func (r *root) history(o *folder.Object) string {
	name := "`" + strings.ReplaceAll(quote.Text(o.APIVersion+" "+o.Kind), "`", "'") + "`"
	target, _ := r.Target()
	switch {
	case o.Known:
		return builtIn(name, o.API, target)
	default:
		if text := projectHistory(name, o); text != "" {
			return text
		}
	}
	return fmt.Sprintf("**%s**\n\nNo Kubernetes release from %v to %v has this API.", name, lifecycle.Oldest, lifecycle.Newest)
}

func builtIn(name string, api lifecycle.API, target lifecycle.Target) string {
	lines := []string{fmt.Sprintf("**%s**", name), ""}
	add := func(what string, m lifecycle.Minor) {
		if text := m.String(); text != "" {
			lines = append(lines, fmt.Sprintf("- %s: %s", what, text))
		}
	}
	add("introduced", api.Introduced())
	add("deprecated", api.Deprecated())
	add("removed", api.Removed())
	if target.To != 0 {
		if api.Deprecated() != 0 || api.Removed() != 0 {
			if replacement, _ := api.ReplacementAt(target.To, target); !replacement.IsZero() {
				lines = append(lines, fmt.Sprintf("- replacement: `%s`", replacement))
			}
		}
		for _, m := range []lifecycle.Minor{target.From, target.To} {
			lines = append(lines, fmt.Sprintf("- Kubernetes %v: %v", m, api.State(m, target)))
			if target.From == target.To {
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// projectHistory returns the history of a custom resource of a well-known project, or ""
// for other objects.
func projectHistory(name string, o *folder.Object) string {
	group, version, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return ""
	}
	kind, ok := projects.LookupKind(group, o.Kind)
	if !ok {
		return ""
	}
	p := kind.Project()
	lines := []string{fmt.Sprintf("**%s** of %s", name, p.Name), ""}
	for _, v := range kind.Versions() {
		if v.Name != version {
			continue
		}
		for _, one := range []struct {
			what string
			at   projects.Release
		}{{"introduced", v.Introduced()}, {"deprecated", v.Deprecated()}, {"removed", kind.RemovedIn(v)}} {
			if text := one.at.String(); text != "" {
				lines = append(lines, fmt.Sprintf("- %s: %s %s", one.what, p.Name, text))
			}
		}
		if replacement := kind.Replacement(version, p.Newest()); replacement != "" && replacement != o.APIVersion {
			lines = append(lines, fmt.Sprintf("- replacement: `%s`", replacement))
		}
		return strings.Join(lines, "\n")
	}
	return strings.Join(append(lines, "No known release has this version."), "\n")
}
