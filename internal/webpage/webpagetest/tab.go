package webpagetest

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tab is a page in a headless Chromium, with its real policy. The test controls it over
// the DevTools protocol. Clicks are real clicks of a mouse, and the window may be as
// narrow as a phone.
type Tab struct {
	t       testing.TB
	to      io.Writer
	from    *bufio.Reader
	session string
	last    int // ID of the last command
	// Console has the messages and the errors of the page.
	Console []string
}

// Open opens a page until the test ends. fragment is the fragment of the address and may
// be empty. Without Chromium, the test is skipped.
func Open(t testing.TB, page []byte, fragment string) *Tab {
	t.Helper()
	dir := directory(t)
	name := filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, page, 0o644); err != nil {
		t.Fatal(err)
	}
	return OpenURL(t, "file://"+name+fragment)
}

// OpenURL is like Open, for the address of a page on this machine.
func OpenURL(t testing.TB, url string) *Tab {
	t.Helper()
	dir := directory(t)
	// Chromium reads commands from file descriptor 3, and writes answers and events to
	// file descriptor 4.
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, chromium(t), append(arguments(dir), "--remote-debugging-pipe", "about:blank")...)
	cmd.ExtraFiles, cmd.WaitDelay = []*os.File{theirs, answers}, 5*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	answers.Close()
	b := &Tab{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // Wait always returns an error here, because the browser was killed
		to.Close()
		from.Close()
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	b.Call("Runtime.enable", nil, nil)
	b.Call("Log.enable", nil, nil)
	b.View(1200, 800, "light")
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Eval(`while (location.href === "about:blank" || document.readyState !== "complete") await new Promise((r) => setTimeout(r, 20)); await new Promise((r) => setTimeout(r, 200));`)
	return b
}

// Call runs a command of the protocol. It decodes the answer to result, unless result is
// nil.
func (b *Tab) Call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.last++
	command := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		command["params"] = map[string]any{}
	}
	if b.session != "" && !strings.HasPrefix(method, "Browser.") {
		command["sessionId"] = b.session
	}
	text, err := json.Marshal(command)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID             int
			Method         string
			Params, Result json.RawMessage
			Error          *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case m.Method == "Runtime.consoleAPICalled" || m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded":
			b.Console = append(b.Console, string(m.Params))
		case m.ID != b.last || m.Method != "":
		case m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		case result == nil:
			return
		default:
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
			return
		}
	}
}

// View sets the size of the window in CSS pixels, and the color scheme, "light" or
// "dark".
func (b *Tab) View(width, height int, scheme string) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// prelude has functions for the body of Eval. wait(ms) waits. visible(selector) returns
// the visible elements. text(selector) returns the text of the first of them.
const prelude = `
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
const visible = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
const text = (selector) => visible(selector)[0]?.innerText.trim().replace(/\s+/g, " ") ?? "";
`

// Eval runs the body of an async function in the page, and returns its result as text.
func (b *Tab) Eval(body string) string {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": "(async () => {" + prelude + body + "})()", "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s in\n%s", got.ExceptionDetails.Exception.Description, body)
	}
	if got.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(got.Result.Value)
}

// Click clicks with the left mouse button on the middle of the first visible element that
// matches a selector.
func (b *Tab) Click(selector string) {
	b.t.Helper()
	at := b.Eval(`
  const e = visible(` + jsonText(selector) + `)[0];
  if (!e) throw new Error("no such element");
  e.scrollIntoView({block: "center"});
  await wait(50);
  const r = e.getBoundingClientRect();
  return JSON.stringify({x: r.x + r.width / 2, y: r.y + r.height / 2});`)
	for _, event := range []string{"mousePressed", "mouseReleased"} {
		params := map[string]any{"type": event, "button": "left", "clickCount": 1}
		if err := json.Unmarshal([]byte(at), &params); err != nil {
			b.t.Fatal(err)
		}
		b.Call("Input.dispatchMouseEvent", params, nil)
	}
	b.Eval(`await wait(250);`)
}

// Type replaces the text of a field.
func (b *Tab) Type(selector, text string) {
	b.t.Helper()
	b.Eval(`const e = visible(` + jsonText(selector) + `)[0]; e.focus(); e.select();`)
	if text == "" {
		for _, event := range []string{"keyDown", "keyUp"} {
			b.Call("Input.dispatchKeyEvent", map[string]any{"type": event, "key": "Backspace", "windowsVirtualKeyCode": 8}, nil)
		}
	} else {
		b.Call("Input.insertText", map[string]any{"text": text}, nil)
	}
	b.Eval(`await wait(400);`)
}

// Screenshot returns a picture of the whole page in the format PNG.
func (b *Tab) Screenshot() []byte {
	b.t.Helper()
	return b.binary("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true})
}

// PDF returns the page as it is printed on A4 paper.
func (b *Tab) PDF() []byte {
	b.t.Helper()
	return b.binary("Page.printToPDF", map[string]any{"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true})
}

func (b *Tab) binary(method string, params map[string]any) []byte {
	b.t.Helper()
	var got struct{ Data string }
	b.Call(method, params, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

func jsonText(s string) string {
	text, _ := json.Marshal(s) // a string can always be encoded
	return string(text)
}
