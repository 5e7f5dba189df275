package report_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules"
)

// TestHTMLUse uses a page in a browser: it groups, filters and prints.
func TestHTMLUse(t *testing.T) {
	var r run
	for i := range 40 {
		severity := rules.Error
		if i%4 == 0 {
			severity = rules.Warning
		}
		r.findings = append(r.findings, rules.Finding{Rule: fmt.Sprintf("rule%d", i%3), Severity: severity, Message: fmt.Sprintf("message %d", i), File: fmt.Sprintf("dir/%d.yaml", i/8), Line: i + 1, Column: 1})
	}
	o := report.Options{Source: source, Owner: func(file string) string { return map[bool]string{true: "@one"}[file < "dir/2"] }}
	page := render(t, "html", r, o)
	got := webpagetest.Use(t, page, "", `
  const change = async (selector) => { document.querySelector(selector).click(); await wait(200); };
  out.start = text("h1") + " " + text("[data-shown]") + "; " + visible(".group").length;
  await change("input[value=file]");
  out.files = visible(".group h4")[0].innerText + " " + visible(".group").length + " " + visible(".group .meta")[0].innerText;
  await change("input[value=owner]");
  out.owners = visible(".group").map((g) => g.querySelector("h4").innerText + " " + g.querySelector(".meta").innerText).join("; ");
  await change("input[value=warning]");
  out.warnings = text("[data-shown]") + " " + location.hash + " " + text(".group .meta");
  dispatchEvent(new Event("beforeprint"));
  out.print = visible("pre.code").length + "";
`)
	want := map[string]string{
		"start": "30 errors, 10 warnings in 5 files. 40 findings; 6", "files": "dir/0.yaml 5 8 findings", "owners": "no owner 24 findings; @one 16 findings",
		"warnings": "10 of 40 findings shown #by=owner&level=warning 6 findings", "print": "3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
