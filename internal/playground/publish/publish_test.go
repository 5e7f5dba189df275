package publish

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/playground"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules"
)

// TestWebAssembly checks that the program in a browser and this process give the same
// answers for all examples in the rule pages. Compiling the linter again takes minutes.
// So the test runs only if KUBEVET_PLAYGROUND is the directory of the published
// playground, or "build".
func TestWebAssembly(t *testing.T) {
	dir := os.Getenv("KUBEVET_PLAYGROUND")
	switch dir {
	case "":
		t.Skip("KUBEVET_PLAYGROUND is not set")
	case "build":
		dir = t.TempDir()
		if err := publish(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	tab := webpagetest.OpenURL(t, server.URL+"/")
	start := time.Now()
	tab.Click("#load")
	wait := func(expression string) {
		t.Helper()
		for tab.Eval("return String(!!("+expression+"))") != "true" {
			if failed := tab.Eval(`return document.getElementById("failure").textContent`); failed != "" || time.Since(start) > time.Minute {
				t.Fatalf("never true: %s %s", expression, failed)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	wait(`!document.getElementById("results").hidden`)
	t.Logf("loaded in %v", time.Since(start))

	cases := questions(t)
	t.Logf("%d texts", len(cases))
	for _, q := range cases {
		for _, do := range []string{"lint", "server", "fix"} {
			request := map[string]any{"do": do, "text": q.Text, "target": q.Target, "gates": q.Gates}
			message, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			want := answer(t, playground.Handle(t.Context(), message))
			got := answer(t, []byte(tab.Eval(`return JSON.stringify({ result: await (await import("./linter.js")).ask(`+string(message)+`) })`)))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s for %s %s of\n%s\n(-here +browser)\n%s", do, q.Target, q.Gates, q.Text, diff)
			}
		}
	}

	message, err := json.Marshal(map[string]any{"do": "lint", "text": cases[0].Text, "target": "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	took := tab.Eval(`
const { ask } = await import("./linter.js");
const start = performance.now();
for (let i = 0; i < 20; i++) await ask(` + string(message) + `);
return ((performance.now() - start) / 20).toFixed(1);`)
	t.Logf("%s ms for %d bytes", took, len(cases[0].Text))
}

// questions returns the YAML examples in the rule pages, except those with policies,
// which the program in the browser does not evaluate.
func questions(t *testing.T) (all []playground.Question) {
	t.Helper()
	for _, r := range rules.Catalogue() {
		if !r.On(rules.SurfaceManifest) {
			continue
		}
		blocks := strings.Split(r.Page, "\n```")
		for i := 1; i < len(blocks); i += 2 {
			info, text, _ := strings.Cut(blocks[i], "\n")
			if !strings.HasPrefix(info, "yaml") || strings.Contains(text, "AdmissionPolicy") || strings.Contains(text, "matchConditions") {
				continue
			}
			q := playground.Question{Text: text}
			for _, word := range strings.Fields(info) {
				if target, ok := strings.CutPrefix(word, "target="); ok {
					q.Target = target
				}
				if gates, ok := strings.CutPrefix(word, "gates="); ok {
					q.Gates = gates
				}
			}
			all = append(all, q)
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d examples only", len(all))
	}
	return all
}

func answer(t *testing.T, reply []byte) any {
	t.Helper()
	var decoded struct{ Result map[string]any }
	if err := json.Unmarshal(reply, &decoded); err != nil {
		t.Fatalf("%v in %s", err, reply)
	}
	if report, ok := decoded.Result["report"].(map[string]any); ok {
		delete(report["summary"].(map[string]any), "seconds")
	}
	return decoded.Result
}
