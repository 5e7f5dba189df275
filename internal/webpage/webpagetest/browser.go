// Package webpagetest opens pages in a real browser. Tests are skipped without one.
package webpagetest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/webpage"
	"golang.org/x/net/html"
)

// Browse runs a headless Chromium on a page, with a fragment of the address, which
// may be empty. It returns what it printed, and what it reported at its console. Its
// clock runs ahead of timers, up to so many milliseconds of budget; "" is for real
// time.
func Browse(t testing.TB, page []byte, fragment, budget string, more ...string) (out, console string) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if path, err = exec.LookPath("chromium-browser"); err != nil {
			t.Skip("no chromium")
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, page, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND"}, more...)
	if budget != "" {
		args = append(args, "--virtual-time-budget="+budget)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(args, "file://"+name+fragment)...)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, ":CONSOLE") {
			console += line
		}
	}
	return stdout.String(), console
}

// WithScript adds to a page's script, and to its policy. own is the page's script
// after the shared one.
func WithScript(t testing.TB, page []byte, own, more string) []byte {
	t.Helper()
	script := webpage.Script() + own
	hash := []byte(strings.ReplaceAll(webpage.Hash(script), "+", "&#43;"))
	if !bytes.Contains(page, hash) || !bytes.Contains(page, []byte(script)) {
		t.Fatal("the policy does not name the script")
	}
	page = bytes.Replace(page, []byte(script), []byte(script+more), 1)
	return bytes.Replace(page, hash, []byte(webpage.Hash(script+more)), 1)
}

// Use opens a page, runs the body of an async function that fills the object out, and
// returns that. In the body, wait(ms) waits, and text(selector) is the text of the
// first visible element.
func Use(t testing.TB, page []byte, own, fragment, body string) map[string]string {
	t.Helper()
	page = WithScript(t, page, own, `
(async () => {
  const out = {}, wait = (ms) => new Promise((r) => setTimeout(r, ms));
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const text = (selector) => visible(selector)[0]?.innerText.trim().replace(/\s+/g, " ") ?? "";
  await wait(300);
`+body+`
  document.title = "used " + JSON.stringify(out);
})().catch((e) => console.error(e));
`)
	printed, console := Browse(t, page, fragment, "20000", "--dump-dom")
	if console != "" {
		t.Errorf("the console says\n%s", console)
	}
	dom, err := html.Parse(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for n := range dom.Descendants() {
		if n.Data == "title" && n.Parent.Data == "head" {
			if err := json.Unmarshal([]byte(strings.TrimPrefix(n.FirstChild.Data, "used ")), &got); err != nil {
				t.Fatalf("%s: %v", n.FirstChild.Data, err)
			}
		}
	}
	return got
}
