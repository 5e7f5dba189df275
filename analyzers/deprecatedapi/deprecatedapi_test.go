package deprecatedapi_test

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/deprecatedapi"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestNewest(t *testing.T) {
	analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/endpoints", "./deprecatedapi/locks", "./deprecatedapi/lockboth", "./deprecatedapi/accepted")
}

// TestOlder checks locks in Endpoints. Client-go has them up to 0.23.
func TestOlder(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), deprecatedapi.Analyzer, "oldlocks")
}

func TestTarget(t *testing.T) {
	target := deprecatedapi.Analyzer.Flags.Lookup("target").Value
	if err := target.Set("1.24"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.Set(""); err != nil {
			t.Error(err)
		}
	})
	analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/served")
}

// TestLater checks the default target, which is the minor of the program's client-go. APIs
// that later servers have removed are reported as info.
func TestLater(t *testing.T) {
	target := deprecatedapi.Analyzer.Flags.Lookup("target").Value
	target.(interface{ SetLater(func() string) }).SetLater(func() string { return "1.20" })
	t.Cleanup(func() {
		if err := target.Set(""); err != nil {
			t.Error(err)
		}
	})
	for _, r := range analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/later", "./deprecatedapi/schemes") {
		for _, d := range r.Diagnostics {
			want := rules.Info
			if strings.HasPrefix(d.Message, "certificates") {
				want = rules.Warning
			}
			if got := analyzers.Severity(d.Category, rules.Warning); got != want {
				t.Errorf("%s has severity %s, want %s", d.Message, got, want)
			}
		}
	}
}
