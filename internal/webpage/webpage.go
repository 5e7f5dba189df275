// Package webpage is the common design of kubevet's HTML reports: the frame, the style
// and the script.
//
// A page is a single file that loads nothing from other addresses. Its content security
// policy allows only its own style and script, by their hashes. The page is complete
// without the script. The script adds sorting, filters, grouping and a checklist, and
// stores their state in the fragment of the address. So a link shows the state in which
// the sender saw the page, and no server receives the state.
//
// Names and texts are from the input, so html/template escapes them. Templates print them
// with the functions soft and name, which also make invisible characters visible.
package webpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

var (
	//go:embed frame.tmpl
	frame string
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

// Page has the data of a page. The zero value has an empty title, no content, and only
// the shared style and script.
type Page struct {
	Title string
	// Template is the source of the templates. The template "body" is executed with
	// Content.
	Template string
	Content  any
	// Funcs has further functions for Template.
	Funcs template.FuncMap
	// Style and Script are added after the shared style and script.
	Style, Script string
	// Data is JSON for Script, in which <, > and & are escaped. It may be empty. It is in
	// the element with the ID "data".
	Data []byte
	// Version is the version of kubevet. It is empty if unknown.
	Version string
}

type framed struct {
	Title, Policy, Version string
	Style                  template.CSS
	Script, Data           template.JS
	Content                any
}

// Write writes the page. It returns the errors of w and of the template.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("frame").Funcs(Funcs()).Funcs(p.Funcs).Parse(frame)
	if err == nil {
		t, err = t.Parse(p.Template)
	}
	if err != nil {
		return err
	}
	css, js := style+p.Style, Script()+p.Script
	return t.ExecuteTemplate(w, "frame", framed{
		Title: p.Title, Version: p.Version, Style: template.CSS(css), Script: template.JS(js), Data: template.JS(p.Data), Content: p.Content,
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", Hash(css), Hash(js)),
	})
}

// Script returns the shared script.
func Script() string { return script }

// Hash returns the expression for an inline style or script in a content security policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
