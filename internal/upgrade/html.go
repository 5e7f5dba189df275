package upgrade

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/kubevet/kubevet/internal/report"
)

//go:embed report.tmpl
var page string

// html writes one page that needs nothing from elsewhere.
func (r *Report) html(w io.Writer) error {
	t, err := template.New("upgrade").Funcs(template.FuncMap{
		"clean":    report.Sanitize,
		"headline": r.headline,
		"absence":  r.absence,
		"absent":   func() []Absent { return r.absent(true) },
		"title":    func(o Owner) string { return o.title() },
		"line":     func(it Item) string { return it.line() },
		"seen":     func(e Evidence) string { return e.line() },
		"left":     left,
		"place":    func(p Place) string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) },
	}).Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
