package webpage

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/quote/quotetest"
)

func TestSoft(t *testing.T) {
	for in, want := range map[string]string{
		"policy/v1beta1 PodDisruptionBudget":       "policy/v1beta1 PodDisruptionBudget",
		"system:serviceaccount:shop-system:scaler": "system:<wbr>serviceaccount:<wbr>shop-<wbr>system:<wbr>scaler",
		"charts/web-1.15.0/templates/pdb.yaml":     "charts/<wbr>web-1.15.0/<wbr>templates/<wbr>pdb.yaml",
		"last 2026-11-21T10:00:00Z":                `last <span class="nb">2026-11-21T10:00:00Z</span>`,
		"<b>":                                      "&lt;b&gt;",
		strings.Repeat("x", 60):                    strings.Repeat("x", 48) + "<wbr>" + strings.Repeat("x", 12),
		strings.Repeat("é ", 2000):                 strings.Repeat("é ", 1000) + "… (2,000 more characters)",
	} {
		if got := string(Soft(in)); got != want {
			t.Errorf("Soft(%.40q) = %q, want %q", in, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{{0, "owner", "0 owners"}, {1, "owner", "1 owner"}, {1234567, "entry", "1,234,567 entries"}, {2, "day", "2 days"}, {-1000, "x", "-1,000 xs"}} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

// TestWrite checks that the policy has the hashes of the page's style and script, and
// that hostile texts do not change the structure of the page.
func TestWrite(t *testing.T) {
	for _, text := range quotetest.Strings() {
		var out bytes.Buffer
		p := Page{Title: "x", Template: `{{define "body"}}<p title="{{clean .}}">{{soft .}}{{name .}}</p>{{end}}`, Content: text, Script: "page.x = 1;"}
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		page := out.String()
		for _, want := range []string{Hash(style), Hash(Script() + p.Script)} {
			if !strings.Contains(page, strings.ReplaceAll(want, "+", "&#43;")) {
				t.Errorf("the policy lacks %s", want)
			}
		}
		quotetest.Check(t, "html", out.Bytes(), false)
		if strings.Count(page, "<p title=") != 1 || strings.Count(page, "<script") != 1 {
			t.Errorf("%q made elements", text)
		}
	}
}
