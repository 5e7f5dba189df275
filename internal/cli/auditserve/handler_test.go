package auditserve

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/auditreport"
)

// site returns a server without a state file: its pages, and the handler of all paths.
func site(t testing.TB, local bool) (*pages, http.Handler) {
	t.Helper()
	s, err := newStore(t.Context(), testConfig, "", 1<<20, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{store: s, maxBody: 1 << 20, maxQueue: 2 << 20, maxWaiting: 4, complain: func(f string, args ...any) { t.Errorf(f, args...) }}
	p := &pages{store: s, receiver: r, announce: func([]auditreport.News) error { return nil }}
	return p, p.handler(true, local)
}

func post(h http.Handler, body io.Reader, kind string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:1"+Path, body)
	req.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

func get(h http.Handler, url string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
	return w
}

func TestStatus(t *testing.T) {
	p, h := site(t, true)
	const kind = "application/json"
	for _, tt := range []struct {
		name string
		body io.Reader
		kind string
		want int
		text string
	}{
		{"a list", bytes.NewReader(batch(1, 2)), kind, 200, ""},
		{"with a character set", bytes.NewReader(batch(2, 2)), kind + "; charset=utf-8", 200, ""},
		{"no events", bytes.NewReader(list()), kind, 200, ""},
		{"of a page", bytes.NewReader(batch(3, 2)), "text/plain", 415, "application/json"},
		{"no JSON", strings.NewReader("hello"), kind, 400, "not a JSON object"},
		{"nothing", strings.NewReader(""), kind, 400, "not a JSON object"},
		{"cut off", bytes.NewReader(batch(4, 2)[:300]), kind, 400, "not a JSON object"},
		{"one event", strings.NewReader(`{"kind":"Event","apiVersion":"audit.k8s.io/v1"}`), kind, 400, "is audit.k8s.io/v1 Event, not"},
		{"an old version", strings.NewReader(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1beta1"}`), kind, 400, "v1beta1"},
		{"too large", bytes.NewReader(make([]byte, 1<<20+1)), kind, 413, "1048576 bytes"},
		{"too large, without a length", io.LimitReader(zeros{}, 1<<30), kind, 413, "1048576 bytes"},
		{"compressed", strings.NewReader("\x1f\x8b\x08\x00"), kind, 400, "not a JSON object"},
	} {
		w := post(h, tt.body, tt.kind)
		if w.Code != tt.want || !strings.Contains(w.Body.String(), tt.text) {
			t.Errorf("%s: %d %q, want %d %q", tt.name, w.Code, w.Body, tt.want, tt.text)
		}
	}
	if got := p.store.counts().Events; got != 4 {
		t.Errorf("%d events, want 4", got)
	}
	if p.receiver.queued.Load() != 0 || p.receiver.waiting.Load() != 0 {
		t.Error("the queue is not empty")
	}
	for url, want := range map[string]int{
		"http://127.0.0.1:1/": 200, "http://localhost/metrics": 200, "http://[::1]:1/healthz": 200, "http://127.0.0.1/readyz": 200,
		"http://127.0.0.1/audit": 405, "http://127.0.0.1/other": 404, "http://evil.example/": 421, "http://evil.example/audit": 421,
	} {
		if w := get(h, url); w.Code != want {
			t.Errorf("%s: %d, want %d", url, w.Code, want)
		}
	}
}

// zeros is a reader that never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestBusy fills the queue. Further batches must be refused with a status after which API
// servers send them again.
func TestBusy(t *testing.T) {
	p, h := site(t, false)
	p.store.mu.Lock() // as if a state was being saved
	var answers sync.WaitGroup
	codes := make(chan int, 20)
	for i := range 20 {
		answers.Go(func() {
			w := post(h, bytes.NewReader(batch(i, 2)), "application/json")
			if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "1" {
				t.Error("an API server does not know when to send again")
			}
			codes <- w.Code
		})
	}
	for range 16 {
		if code := <-codes; code != http.StatusTooManyRequests {
			t.Errorf("%d while 4 batches wait", code)
		}
	}
	if got := p.receiver.waiting.Load(); got != 4 {
		t.Errorf("%d batches wait", got)
	}
	p.store.mu.Unlock()
	answers.Wait()
	for range 4 {
		if code := <-codes; code != http.StatusOK {
			t.Errorf("%d", code)
		}
	}
	for i := range 20 {
		if w := post(h, bytes.NewReader(batch(i, 2)), "application/json"); w.Code != http.StatusOK {
			t.Errorf("%d", w.Code)
		}
	}
	c := p.store.counts()
	if c.Events != 40 || c.Duplicates != 8 || p.receiver.refused.busy.Load() != 16 {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{
		`kubevet_audit_serve_batches_total{result="busy"} 16`, "kubevet_audit_serve_duplicate_events_total 8", "kubevet_audit_requests_total 40",
		`kubevet_audit_deprecated_requests_total{user="scaler",agent="scaler",api="policy/v1beta1 poddisruptionbudgets",removed_release="1.25"} 40`,
	} {
		if text := get(h, "http://h/metrics").Body.String(); !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestLargeQueue checks the limit of the queue in bytes.
func TestLargeQueue(t *testing.T) {
	p, h := site(t, false)
	p.receiver.queued.Add(2<<20 - 10)
	if w := post(h, bytes.NewReader(batch(1, 1)), "application/json"); w.Code != http.StatusTooManyRequests {
		t.Errorf("%d", w.Code)
	}
}

// TestManyClients checks that clients cannot make the metrics grow without limit.
func TestManyClients(t *testing.T) {
	p, h := site(t, false)
	p.receiver.maxBody, p.receiver.maxQueue = 8<<20, 8<<20
	var all []string
	for i := range 1000 {
		name := fmt.Sprintf(`"username":"u%d\u0000\"\n%s"`, i, strings.Repeat("x", 500))
		all = append(all, strings.Replace(event(fmt.Sprint(i), "ResponseComplete", 1), `"username":"scaler"`, name, 1))
	}
	if w := post(h, bytes.NewReader(list(all...)), "application/json"); w.Code != http.StatusOK {
		t.Fatalf("%d", w.Code)
	}
	text := get(h, "http://h/metrics").Body.String()
	if n := strings.Count(text, "kubevet_audit_deprecated_requests_total{"); n != 201 {
		t.Errorf("%d series, want 201", n)
	}
	if want := `kubevet_audit_deprecated_requests_total{user="(other)",agent="(other)",api="(other)",removed_release="(other)"} 800` + "\n"; !strings.Contains(text, want) {
		t.Error("the other clients are not counted together")
	}
	if len(text) > 200<<10 {
		t.Errorf("%d bytes", len(text))
	}
}

// FuzzPost posts any text. The handler must not panic, and must return one of the
// statuses for API servers. Posting the same list again must not change the counts.
func FuzzPost(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add(batch(1, 2))
	f.Add(list(event("a", "ResponseStarted", 1), event("a", "ResponseComplete", 2)))
	f.Add([]byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[1,null,{},[],{"items":[{"auditID":"x"}]}]}`))
	f.Add([]byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":{"a":"b"}}`))
	f.Add([]byte("\ufeff" + `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, h := site(t, false)
		code := post(h, bytes.NewReader(body), "application/json").Code
		if code != 200 && code != 400 {
			t.Fatalf("%d", code)
		}
		first := p.store.counts()
		if again := post(h, bytes.NewReader(body), "application/json").Code; again != code {
			t.Fatalf("%d, then %d", code, again)
		}
		if second := p.store.counts(); second.Events != first.Events {
			t.Fatalf("%d events, then %d", first.Events, second.Events)
		}
		if first.Events == 0 {
			return // computing a report takes long
		}
		for _, path := range []string{"/", "/metrics"} {
			if w := get(h, "http://h"+path); w.Code != 200 {
				t.Fatalf("%s: %d", path, w.Code)
			}
		}
	})
}
