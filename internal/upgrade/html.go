package upgrade

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/kubevet/kubevet/internal/quote"
)

//go:embed report.tmpl
var page string

// html writes one page that needs nothing from elsewhere.
func (r *Report) html(w io.Writer) error {
	t, err := template.New("upgrade").Funcs(template.FuncMap{
		"clean":    quote.Text,
		"headline": r.headline,
		"absence":  r.absence,
		"absent":   func() []Absent { return r.absent(true) },
		"title":    func(o Owner) string { return o.title() },
		"line":     func(it Item) string { return it.line() },
		"seen":     func(e Evidence) string { return e.line() },
		"left":     left,
		"place":    func(p Place) string { return p.line() },
		"name":     quote.Name,
	}).Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
