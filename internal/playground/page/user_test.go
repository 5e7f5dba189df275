package page_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
)

// user operates a page with a keyboard and a mouse.
type user struct {
	*webpagetest.Tab
	t *testing.T
}

// open opens an address in a browser. The test fails if the page prints an error to the
// console.
func open(t *testing.T, url string) *user {
	t.Helper()
	tab := webpagetest.OpenURL(t, url)
	t.Cleanup(func() {
		for _, line := range tab.Console {
			t.Errorf("the console says %s", line)
		}
	})
	return &user{tab, t}
}

// run runs JavaScript statements in the page.
func (u *user) run(statements string) {
	u.t.Helper()
	u.Eval(statements)
}

// read returns the value of a JavaScript expression as text.
func (u *user) read(expression string) string {
	u.t.Helper()
	return u.Eval("return String(" + expression + ")")
}

// value decodes the value of a JavaScript expression to into.
func (u *user) value(expression string, into any) {
	u.t.Helper()
	if err := json.Unmarshal([]byte(u.Eval("return JSON.stringify(await ("+expression+"))")), into); err != nil {
		u.t.Fatalf("%s: %v", expression, err)
	}
}

// wait waits until a JavaScript expression is true.
func (u *user) wait(expression string) {
	u.t.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if u.Eval("return String(!!("+expression+"))") == "true" {
			return
		}
	}
	u.t.Fatalf("never true: %s. The page says:\n%.3000s", expression, u.Eval("return document.body.innerText"))
}

// text returns the visible text of an element with an ID.
func (u *user) text(id string) string {
	u.t.Helper()
	return u.read(`document.getElementById("` + id + `").innerText`)
}

// inputValue returns the value of the input element with an ID.
func (u *user) inputValue(id string) string {
	u.t.Helper()
	return u.read(`document.getElementById("` + id + `").value`)
}

// insert types a text into the element with the focus.
func (u *user) insert(text string) {
	u.t.Helper()
	u.Call("Input.insertText", map[string]any{"text": text}, nil)
}

// press presses a key in the element with the focus.
func (u *user) press(key string, code int) {
	u.t.Helper()
	for _, event := range []string{"keyDown", "keyUp"} {
		u.Call("Input.dispatchKeyEvent", map[string]any{"type": event, "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
	}
}
