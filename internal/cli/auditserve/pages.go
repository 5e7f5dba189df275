package auditserve

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/auditreport"
)

// pages serves the report, the metrics and the health checks.
type pages struct {
	store    *store
	receiver *receiver
	look     auditreport.Look
	// announce prints new findings.
	announce func([]auditreport.News) error

	mu       sync.Mutex
	document *auditreport.Document
	made     time.Time
	// pause is the minimal age of a document before it is replaced by a new one.
	pause time.Duration
	html  []byte // the document as HTML; nil until it is requested
	// announced is the number of findings that were announced since the last call of
	// news.
	announced int
}

const (
	// minPause is the minimal value of pages.pause. maxShare limits the time for
	// documents: the server spends at most 1/maxShare of its time on them.
	minPause = 5 * time.Second
	maxShare = 20
)

// refresh computes a new document if the last one is too old, and announces its new
// findings. The caller holds mu.
func (p *pages) refresh() error {
	if p.document != nil && time.Since(p.made) < p.pause {
		return nil
	}
	begun := time.Now()
	d, news, err := p.store.document()
	if err != nil {
		return err
	}
	p.document, p.made, p.html = d, time.Now(), nil
	p.pause = max(minPause, maxShare*time.Since(begun))
	p.announced += len(news)
	return p.announce(news)
}

// news announces new findings. It returns the number of findings that were announced
// since its last call.
func (p *pages) news() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.refresh()
	n := p.announced
	p.announced = 0
	return n, err
}

// handler returns the handler of all paths. If post is true, it accepts batches. If local
// is true, it answers only requests to a local host name.
func (p *pages) handler(post, local bool) http.Handler {
	mux := http.NewServeMux()
	if post {
		mux.Handle(Path, p.receiver)
	}
	mux.HandleFunc("GET /{$}", p.report)
	mux.HandleFunc("GET /metrics", p.metrics)
	ok := func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }
	mux.HandleFunc("GET /healthz", ok)
	mux.HandleFunc("GET /readyz", p.ready)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if local && !localHost(r.Host) {
			// A hostile web page could make its own host name resolve to this address and
			// then read the report. So other host names are refused.
			http.Error(w, "this address is for localhost", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	})
}

// localHost reports whether a Host header is an IP address or "localhost".
func localHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || net.ParseIP(strings.Trim(host, "[]")) != nil
}

func (p *pages) ready(w http.ResponseWriter, _ *http.Request) {
	if err := p.store.broken(); err != nil {
		http.Error(w, "the state cannot be saved", http.StatusServiceUnavailable)
		return
	}
	io.WriteString(w, "ok\n")
}

func (p *pages) report(w http.ResponseWriter, _ *http.Request) {
	p.answer(w, "text/html; charset=utf-8", func() ([]byte, error) {
		if p.html == nil {
			var out bytes.Buffer
			if err := p.document.Write("html", &out, p.look); err != nil {
				return nil, err
			}
			p.html = out.Bytes()
		}
		return p.html, nil
	})
}

func (p *pages) metrics(w http.ResponseWriter, _ *http.Request) {
	p.answer(w, "text/plain; version=0.0.4; charset=utf-8", func() ([]byte, error) {
		var out bytes.Buffer
		err := p.document.WriteMetrics(&out)
		p.writeCounters(&out)
		return out.Bytes(), err
	})
}

// answer writes the result of render after it has refreshed the document.
func (p *pages) answer(w http.ResponseWriter, contentType string, render func() ([]byte, error)) {
	p.mu.Lock()
	err := p.refresh()
	var text []byte
	if err == nil {
		text, err = render()
	}
	p.mu.Unlock()
	if err != nil {
		p.receiver.complain("making the report: %v", err)
		http.Error(w, "the report could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Write(text)
}

// writeCounters writes the metrics about the program itself.
func (p *pages) writeCounters(out *bytes.Buffer) {
	c, r := p.store.counts(), p.receiver
	refused := &r.refused
	metric := func(kind, name, help string) {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	metric("counter", "kubevet_audit_serve_batches_total", "Batches, by result; all but accepted are refused.")
	for _, x := range []struct {
		result string
		n      int64
	}{
		{"accepted", c.Batches}, {"busy", refused.busy.Load()}, {"too_large", refused.tooLarge.Load()},
		{"invalid", refused.invalid.Load()}, {"failed", refused.failed.Load()}, {"forbidden", refused.forbidden.Load()},
	} {
		fmt.Fprintf(out, "kubevet_audit_serve_batches_total{result=%q} %d\n", x.result, x.n)
	}
	for _, x := range []struct {
		kind, name, help string
		n                int64
	}{
		{"counter", "events_total", "Events that were counted.", c.Events},
		{"counter", "duplicate_events_total", "Events that were received again and not counted again.", c.Duplicates},
		{"counter", "foreign_items_total", "Items of batches that are not audit events.", c.Foreign},
		{"counter", "received_bytes_total", "Size of the accepted batches.", c.Bytes},
		{"counter", "journal_damaged_bytes_total", "Bytes of accepted batches that could not be read after a crash.", c.JournalDamage},
		{"counter", "down_seconds_total", "Time in which the program did not run between its first and its last start, as far as it is known.", c.Down},
		{"gauge", "queue_batches", "Batches that are received or wait to be counted.", r.waiting.Load()},
		{"gauge", "queue_bytes", "Size of these batches.", r.queued.Load()},
	} {
		name := "kubevet_audit_serve_" + x.name
		metric(x.kind, name, x.help)
		fmt.Fprintf(out, "%s %d\n", name, x.n)
	}
}
