// Package webpage is the design of kubevet's HTML reports: a frame, a style and a
// script that all of them share.
//
// A page is one file. It loads nothing, and its content security policy allows only
// its own style and script, by their hashes. It is complete without the script,
// which adds sorting, filters, grouping and a checklist. Their state is in the
// fragment of the address, so that a link shows what its sender saw and no server
// learns it.
//
// Names and texts are strangers' and go through html/template. Templates print them
// with the functions soft and name, which also show invisible characters.
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

// Page is a page without its content. The zero value has an empty title, and the
// shared style and script alone.
type Page struct {
	Title string
	// Template is the source of the page's templates. The template "body" is
	// executed with Content.
	Template string
	Content  any
	// Funcs are more functions for Template.
	Funcs template.FuncMap
	// Style and Script follow the shared ones.
	Style, Script string
	// Data is JSON for Script, encoded with <, > and & escaped, or empty. The
	// script finds it in the element with the ID data.
	Data []byte
	// Version is kubevet's version; empty if unknown.
	Version string
}

// framed is the data of the frame.
type framed struct {
	Title, Policy, Version string
	Style                  template.CSS
	Script, Data           template.JS
	Content                any
}

// Write writes the page. It returns the writer's errors and those of the template.
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

// Hash returns the source expression of an inline style or script for the policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
