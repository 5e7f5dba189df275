package page_test

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/playground"
	"github.com/kubevet/kubevet/internal/playground/page"
)

// worker is a script that replaces the WebAssembly program. It requests answers from the
// test. It never answers a text that contains "hang".
const worker = `self.onmessage = async ({ data }) => {
  if (!data.request) return self.postMessage({ module: new WebAssembly.Module(data.packed ?? new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) });
  if (data.request.includes("hang")) return;
  const response = await fetch("/answer", { method: "POST", body: data.request });
  self.postMessage({ id: data.id, reply: await response.text() });
};`

type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
}

func newSite(t *testing.T) *site {
	s := &site{}
	files := http.FileServerFS(page.Files)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		switch r.URL.Path {
		case "/answer":
			body, _ := io.ReadAll(r.Body)
			w.Write(playground.Handle(r.Context(), body))
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, worker)
		case "/kubevet.wasm.lzma":
			io.WriteString(w, "\x00asm\x01\x00\x00\x00") // an empty WebAssembly program
		case "/linter.js":
			w.Header().Set("Content-Type", "text/javascript")
			text, _ := fs.ReadFile(page.Files, "linter.js")
			io.WriteString(w, strings.Replace(string(text), "10_000", "2_000", 1))
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

const oldCron = `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: backup, image: backup}
`

// settled is an expression that is true after all releases have answered.
const settled = `document.getElementById("states").textContent !== "" && !document.querySelector("#marks .old")`

// underlined is an expression with the underlined parts of the text.
const underlined = `[...document.querySelectorAll("#under span")].map((e) => e.className + " " + e.textContent).join()`

// TestPage types, reads, fixes and shares like a user.
func TestPage(t *testing.T) {
	s := newSite(t)
	tab := open(t, s.URL+"/")
	if s.wasRequested("/kubevet.wasm.lzma") {
		t.Error("kubevet is loaded before somebody wants it")
	}
	tab.Click("#text")
	tab.insert(oldCron)
	tab.wait(settled)

	is := func(what, want, got string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	is("underlined", "error batch/v1beta1", tab.read(underlined))
	is("states", "Accepted: 1.16 to 1.20; accepted with warnings: 1.21 to 1.24; rejected: 1.25 to 1.37", tab.text("states"))
	is("count", "1 error", tab.text("count"))
	is("rule", "../rules/removedapi/", tab.read(`document.querySelector("#findings a").getAttribute("href")`))
	is("server", `error: resource mapping not found for name: "backup" namespace: "" from "STDIN": no matches for kind "CronJob" in version "batch/v1beta1"`, strings.Split(tab.text("server"), "\n")[0])

	// Move the slider with the keyboard.
	tab.run(`document.getElementById("slider").focus()`)
	for range 13 {
		tab.press("ArrowLeft", 37)
	}
	tab.wait(`document.getElementById("server-title").textContent.endsWith("1.24")`)
	tab.wait(settled)
	is("target", "1.24", tab.read(`document.getElementById("target").value`))
	is("said", "1.24: accepted with warnings", tab.read(`document.getElementById("slider").getAttribute("aria-valuetext")`))
	is("warning", "Warning: batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob", strings.Split(tab.text("server"), "\n")[0])

	// Apply a fix and undo it.
	tab.Click("#fix-safe")
	tab.wait(`document.getElementById("preview").open`)
	is("diff", "-apiVersion: batch/v1beta1,+apiVersion: batch/v1", tab.read(`[...document.querySelectorAll("#diff .added, #diff .removed")].map((e) => e.textContent)`))
	tab.Click("#apply")
	tab.wait(`document.getElementById("count").textContent === "No findings"`)
	is("fixed", strings.Replace(oldCron, "v1beta1", "v1", 1), tab.read(`document.getElementById("text").value`))
	tab.run(`document.getElementById("text").focus(); document.execCommand("undo")`)
	tab.wait(`document.getElementById("count").textContent === "1 warning"`)
	is("undone", oldCron, tab.read(`document.getElementById("text").value`))

	// Type feature gates with a mistake.
	tab.Click("#gates")
	tab.insert("Nope=true")
	tab.wait(`!document.getElementById("gates-error").hidden`)
	is("gates", "unrecognized feature gate: Nope", tab.text("gates-error"))
	tab.run(`document.getElementById("gates").select()`)
	tab.insert("CronJobTimeZone=true")
	tab.wait(`document.getElementById("gates-error").hidden`)

	// Share the text. Then another user opens the link.
	tab.Click("#share")
	tab.wait(`document.getElementById("link").value !== ""`)
	link := tab.read(`document.getElementById("link").value`)
	other := open(t, link)
	other.wait(`document.getElementById("text").value !== ""`)
	is("shared text", oldCron, other.inputValue("text"))
	is("shared target", "1.24", other.inputValue("target"))
	is("shared gates", "CronJobTimeZone=true", other.inputValue("gates"))
	for _, r := range s.seen() {
		if strings.Contains(r, link[strings.Index(link, "#")+1:]) {
			t.Errorf("the server got the fragment: %s", r)
		}
	}
}

func (s *site) wasRequested(path string) bool {
	return strings.Contains(strings.Join(s.seen(), "\n"), path)
}

func (s *site) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// TestLayers checks that the text and its underlines are at the same positions on the
// screen.
func TestLayers(t *testing.T) {
	tab := open(t, newSite(t).URL+"/")
	tab.Click("#load")
	tab.Click("#text")
	long := strings.Repeat("# \t\U0001F419 日本語 áéí <b>x</b> &amp; ﷽\n", 60) + "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + strings.Repeat("a", 300) + "\n"
	tab.insert(long)
	tab.wait(settled)
	for _, width := range []int{1400, 768, 390} {
		tab.View(width, 900, "light")
		var got struct {
			Text, Under []string
			Wide, High  float64
			Overflow    []string
		}
		tab.value(`(() => {
  const text = document.getElementById("text"), under = document.getElementById("under");
  const style = (e) => ["fontFamily", "fontSize", "fontWeight", "lineHeight", "letterSpacing", "tabSize", "whiteSpace", "paddingLeft", "paddingTop", "borderTopWidth", "fontVariantLigatures", "textIndent", "direction", "wordSpacing"].map((k) => getComputedStyle(e)[k]);
  text.scrollTop = 300;
  text.scrollLeft = 200;
  text.dispatchEvent(new Event("scroll"));
  return { text: style(text), under: style(under), wide: text.scrollWidth - under.offsetWidth, high: text.scrollHeight - under.offsetHeight, overflow: [...document.querySelectorAll("body, body *")].filter((e) => !e.closest(".editor") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.id + "." + e.className) };
})()`, &got)
		if diff := cmp.Diff(got.Text, got.Under); diff != "" {
			t.Errorf("%d: the styles differ\n%s", width, diff)
		}
		if got.Wide < -20 || got.Wide > 1 || got.High < -30 || got.High > 30 || len(got.Overflow) > 0 {
			t.Errorf("%d: differences %g and %g, too wide: %q", width, got.Wide, got.High, got.Overflow)
		}
	}
}

// TestHostile checks that a link is only interpreted as text, and that no text can stop
// the page.
func TestHostile(t *testing.T) {
	s := newSite(t)
	tab := open(t, s.URL+"/#1.AAAA")
	tab.wait(`document.getElementById("failure").textContent === "The link is damaged."`)
	tab.run(`(async () => {
  const { toFragment } = await import("./share.js");
  globalThis.make = async (bytes) => {
    const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).bytes();
    return "1." + btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  location.hash = await toFragment({ text: "<img src=x onerror=alert(1)>\n</textarea><script>alert(1)</script>", target: "1.99", gates: "<b>" });
})()`)
	tab.wait(`document.getElementById("text").value.startsWith("<img")`)
	if got := tab.inputValue("target"); got != "1.37" {
		t.Errorf("target %s", got)
	}
	tab.Click("#load")
	tab.wait(`!document.getElementById("gates-error").hidden`)

	tab.run(`make(new Uint8Array(40_000_000)).then((f) => { location.hash = f; })`) // 40 KB that decompress to 40 MB
	tab.wait(`document.getElementById("failure").textContent === "The text in the link is too long."`)
	tab.run(`make('{"text": 1}').then((f) => { location.hash = f; })`)
	tab.wait(`document.getElementById("failure").textContent === "The link is damaged."`)

	// This text is too long for a link, because it cannot be compressed.
	tab.run(`(() => { const t = document.getElementById("text"); t.value = "# " + Array.from({ length: 9000 }, () => Math.random().toString(36)).join(""); t.dispatchEvent(new Event("input")); })()`)
	tab.Click("#share")
	tab.wait(`document.getElementById("share-note").textContent.startsWith("The text is too long for a link")`)
	tab.run(`(() => { const t = document.getElementById("text"); t.value = "#".repeat(300_000); t.dispatchEvent(new Event("input")); document.getElementById("gates").value = ""; })()`)
	tab.wait(`document.getElementById("failure").textContent.startsWith("the text has 300000 bytes")`)

	// The first text never gets an answer. The page must still answer the second text.
	tab.run(`(() => { const t = document.getElementById("text"); t.value = "hang"; t.dispatchEvent(new Event("input")); })()`)
	tab.wait(`document.getElementById("failure").textContent === "The check took longer than 2 s and was stopped."`)
	tab.run(`(() => { const t = document.getElementById("text"); t.value = "apiVersion: apps/v1beta1\nkind: Deployment"; t.dispatchEvent(new Event("input")); })()`)
	tab.wait(settled + ` && document.getElementById("failure").hidden && document.getElementById("count").textContent === "1 error"`)
}

// TestExamples checks that each example shows a finding or an answer. If PLAYGROUND_SHOTS
// is set, it writes pictures of the page to that directory.
func TestExamples(t *testing.T) {
	tab := open(t, newSite(t).URL+"/")
	var names []string
	tab.value(`[...document.querySelectorAll("#example option")].map((o) => o.textContent).slice(1)`, &names)
	if len(names) < 4 {
		t.Fatalf("examples: %q", names)
	}
	shots := os.Getenv("PLAYGROUND_SHOTS")
	for i, name := range names {
		tab.run(`(() => { const e = document.getElementById("example"); e.selectedIndex = ` + string(rune('1'+i)) + `; e.dispatchEvent(new Event("change")); })()`)
		tab.wait(`!document.getElementById("results").hidden && ` + settled)
		states := tab.text("states")
		if strings.Contains(states, "Not known") {
			t.Errorf("%s: %s", name, states)
		}
		if count := tab.text("count"); count == "No findings" {
			t.Errorf("%s: %s", name, count)
		}
		if shots == "" {
			continue
		}
		for _, width := range []int{1400, 768, 390} {
			for _, scheme := range []string{"light", "dark"} {
				tab.View(width, 900, scheme)
				file := fmt.Sprintf("%s-%d-%s.png", strings.ReplaceAll(name, " ", "-"), width, scheme)
				if err := os.WriteFile(filepath.Join(shots, file), tab.Screenshot(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
