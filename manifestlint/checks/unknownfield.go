package checks

import (
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
)

const ruleUnknownField = "unknownfield"

// isUnknownField reports whether an error is about unknown or repeated fields.
// The server sends it with strict field validation.
func isUnknownField(c *apiserver.Cause) bool {
	return c.Code == http.StatusBadRequest && strings.Contains(c.Text, ": strict decoding error: ")
}

// reportUnknownField reports a warning about an unknown or a repeated field.
func reportUnknownField(p *manifestlint.Pass, m *serverMessage) {
	f := m.finding()
	if d := duplicateOf(p.Object, m); d != nil {
		if !m.Hidden {
			p.Restate(ruleDuplicateKey, d.Pos, f.Server)
		}
		return
	}
	if known := schema.Suggest(p.Object.APIVersion, p.Object.Kind, m.minors.Newest(), m.Field); known != "" {
		f.Message += ": " + known
	}
	at := manifestlint.Locate(p.Object.Root, m.Field)
	if m.Key != nil {
		at = manifestlint.Span{Pos: m.Key.Pos, End: m.Key.End}
	}
	p.ReportRule(ruleUnknownField, rules.Error, at, f)
}
