// Package webpagetest opens pages in a real browser. Without a browser, the tests are
// skipped.
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
)

// Browse opens a page in a headless Chromium. It returns the output of the browser and
// the messages on its console. fragment is the fragment of the address and may be empty.
// budget is the virtual time for timers in milliseconds. "" means real time.
func Browse(t testing.TB, page []byte, fragment, budget string, more ...string) (out, console string) {
	t.Helper()
	dir := directory(t)
	name := filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, page, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(arguments(dir), more...)
	if budget != "" {
		args = append(args, "--virtual-time-budget="+budget)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium(t), append(args, "file://"+name+fragment)...)
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

// chromium returns the path of the browser, or skips the test if there is none.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium")
	return ""
}

// directory returns an empty directory for a browser. t.TempDir could fail to remove it,
// because processes of the browser may still write to it after the first process has
// ended.
func directory(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("%s is left over", dir)
	})
	return dir
}

// arguments returns the arguments of a browser without network, with its profile in dir.
func arguments(dir string) []string {
	return []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"}
}

// WithScript returns a page with a text added to its script, and with the matching hash
// in the policy. own is the part of the page's script after the shared script.
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

// Use opens a page and runs the body of an async JavaScript function. It returns the
// object out, which the body fills. In the body, wait(ms) waits, and text(selector)
// returns the text of the first visible element.
func Use(t testing.TB, page []byte, fragment, body string) map[string]string {
	t.Helper()
	tab := Open(t, page, fragment)
	got := map[string]string{}
	if err := json.Unmarshal([]byte(tab.Eval("const out = {};"+body+"return JSON.stringify(out);")), &got); err != nil {
		t.Fatal(err)
	}
	if len(tab.Console) > 0 {
		t.Errorf("the console says %q", tab.Console)
	}
	return got
}
