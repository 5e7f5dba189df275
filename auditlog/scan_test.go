package auditlog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/corpustest"
)

// plainEvent is an event that encoding/json decoded.
type plainEvent map[string]any

func (p plainEvent) text(keys ...string) string {
	var v any = map[string]any(p)
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	s, _ := v.(string)
	return s
}

// compareEvent compares an event with the result of encoding/json.
func compareEvent(t *testing.T, e *Event, p plainEvent) {
	t.Helper()
	for _, c := range []struct {
		name, got, want string
	}{
		{"auditID", e.AuditID.String(), p.text("auditID")},
		{"requestURI", e.URI.String(), p.text("requestURI")},
		{"verb", e.Verb.String(), p.text("verb")},
		{"user", e.Client.User, p.text("user", "username")},
		{"impersonated", e.Client.Impersonated, p.text("impersonatedUser", "username")},
		{"userAgent", e.Client.Agent, p.text("userAgent")},
		{"resource", e.Ref.Resource.String(), p.text("objectRef", "resource")},
		{"subresource", e.Ref.Subresource.String(), p.text("objectRef", "subresource")},
		{"group", e.Ref.Group.String(), p.text("objectRef", "apiGroup")},
		{"name", e.Ref.Name.String(), p.text("objectRef", "name")},
		{"reason", e.Reason.String(), p.text("responseStatus", "reason")},
		{"message", e.Message.String(), p.text("responseStatus", "message")},
		{"received", e.Received.String(), p.text("requestReceivedTimestamp")},
		{"stamp", e.Stamp.String(), p.text("stageTimestamp")},
		{"removed", e.RemovedRelease.String(), p.text("annotations", "k8s.io/removed-release")},
	} {
		if norm(c.got) != norm(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
	if got, want := e.Decided, decided(p); got != want {
		t.Errorf("decided: got %v, want %v", got, want)
	}
	if got, want := e.Deprecated, p.text("annotations", "k8s.io/deprecated") == "true"; got != want {
		t.Errorf("deprecated: got %v, want %v", got, want)
	}
	for key, body := range map[string][]byte{"requestObject": e.Request(), "responseObject": e.Response()} {
		var got any
		if body != nil {
			dec := json.NewDecoder(bytes.NewReader(body))
			dec.UseNumber()
			if err := dec.Decode(&got); err != nil {
				t.Errorf("%s: %v in %s", key, err, body)
				continue
			}
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(p[key])
		if !bytes.Equal(g, w) {
			t.Errorf("%s: got %s, want %s", key, g, w)
		}
	}
}

// decided reports whether an event has an annotation of admission control.
func decided(p plainEvent) bool {
	m, _ := p["annotations"].(map[string]any)
	for key := range m {
		head, tail, _ := strings.Cut(key, "/")
		key = strings.ReplaceAll(head, ".", "_") + "/" + tail
		for _, exact := range []string{"validation_policy_admission_k8s_io/validation_failure", "pod-security_kubernetes_io/enforce-policy",
			"pod-security_kubernetes_io/audit-violations", "pod-security_kubernetes_io/exempt", "pod-security_kubernetes_io/error"} {
			if key == exact {
				return true
			}
		}
		for _, prefix := range []string{"mutation_webhook_admission_k8s_io/", "failed-open_mutation_webhook_admission_k8s_io/", "failed-open_validating_webhook_admission_k8s_io/"} {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}

// norm replaces invalid UTF-8 in the same way as encoding/json.
func norm(s string) string { return string([]rune(s)) }

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","requestURI":"/a?b\u0026c","verb":"get","user":{"username":"u","groups":["a","b"],"extra":{"authentication.kubernetes.io/pod-name":["p"]}},"sourceIPs":["1","2"],"userAgent":"x/1","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{"a":[1,{"b":"c"}]},"responseObject":{"d":null},"requestReceivedTimestamp":"2026-11-21T10:18:33.985485Z","stageTimestamp":"2026-11-21T10:18:33.986086Z","annotations":{"k8s.io/deprecated":"true","k8s.io/removed-release":"1.25"}}`,
		// These events begin like a server's event, but have other keys in
		// another order.
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"a","stage":"ResponseComplete","requestURI":"/a","verb":"get","user":{"username":"u"},"sourceIPs":["1"],"userAgent":"x/1","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{},"level":"Request","stageTimestamp":"x","requestReceivedTimestamp":"y"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"a","stage":"ResponseComplete","requestURI":"/a","verb":"get","user":{"username":"u"},"sourceIPs":["1"],"userAgent":"x/1","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{},"stageTimestamp":"x","responseObject":{},"requestReceivedTimestamp":"y"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","responseObject":{"x":1,"requestReceivedTimestamp":"z"},"requestReceivedTimestamp":"y"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","requestObject":{},"requestReceivedTimestamp":"y"}`,
		`{"verb":"\ud83d\ude00\ud83d","verb":"b","user":null,"objectRef":[],"responseStatus":{"code":1e2,"message":"\n"}}`,
		` { } `, `{"a":-0.5e+3,"b":[true,false,null,{}],"c":[[],[1,2]]}`, `{"verb":"a` + "\xff" + `"}`,
		`{"annotations":{"validation.policy.admission.k8s.io/validation_failure":"[]"}}`, `{"annotations":{"failed-open_validating_webhook_admission_k8s_io/round_0_index_0":"w"}}`,
		`{"annotations":{"k8s.io\/deprecated":"true"}}`, `{"a":01}`, `{"a":"` + "\x01" + `"}`, `[`, `{"a":tru}`, `{"verb":1,"stage":{"a":"b"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var p plainEvent
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		err := dec.Decode(&p)
		if !json.Valid(line) {
			err, p = errors.New("invalid"), nil
		}
		var e Event
		var s scanner
		for range 2 { // the second time, the sender is known
			c := cursor{b: line}
			ok := s.event(&e, &c)
			if c.i < 0 || c.i > len(line) {
				t.Fatalf("offset %d outside of %d bytes", c.i, len(line))
			}
			jumped := e.bodies != nil
			if !ok {
				if err == nil && p != nil {
					t.Fatalf("refused at %d, encoding/json does not", c.i)
				}
				continue
			}
			if err != nil {
				if jumped { // damage in a skipped body
					continue
				}
				t.Fatalf("accepted, encoding/json says %v", err)
			}
			compareEvent(t, &e, p)
		}
	})
}

// logLines returns the lines of recorded logs of real servers. It skips the
// test without KUBEVET_CORPUS.
func logLines(t testing.TB, name string) []byte {
	f, err := os.Open(corpustest.Path(t, "audit", "real", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var realLogs = []string{"1.24-Metadata.log.gz", "1.36-RequestResponse.log.gz"}

func TestScanRecorded(t *testing.T) {
	for _, name := range realLogs {
		t.Run(name, func(t *testing.T) {
			n := 0
			var s scanner
			for line := range bytes.Lines(logLines(t, name)) {
				var e Event
				c := cursor{b: line}
				if !s.event(&e, &c) {
					t.Fatalf("refused at %d: %s", c.i, line)
				}
				if n++; n%7 != 0 {
					continue
				}
				var p plainEvent
				if err := json.Unmarshal(line, &p); err != nil {
					t.Fatal(err)
				}
				compareEvent(t, &e, p)
			}
			if n < 1000 {
				t.Errorf("%d lines only", n)
			}
		})
	}
}

func TestTextMatchesJSON(t *testing.T) {
	for _, s := range []string{`a`, `\u0041\"\\\/\b\f\n\r\t`, `\ud83d\ude00`, `\ud83d`, `\ud83dx`, `\ud83d\u0041`, `é\u00e9`} {
		var want string
		if err := json.Unmarshal([]byte(`"`+s+`"`), &want); err != nil {
			t.Fatal(err)
		}
		c := cursor{b: []byte(`"` + s + `"`)}
		got, ok := c.str()
		if !ok || got.String() != want || !utf8.ValidString(got.String()) {
			t.Errorf("%s: got %q, want %q", s, got.String(), want)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	for _, name := range realLogs {
		b.Run(name, func(b *testing.B) {
			data := logLines(b, name)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			events := 0
			var s scanner
			for b.Loop() {
				for rest := data; len(rest) > 0; {
					n := bytes.IndexByte(rest, '\n') + 1
					var e Event
					c := cursor{b: rest[:n-1]}
					if !s.event(&e, &c) {
						b.Fatal("refused")
					}
					rest = rest[n:]
					events++
				}
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{"2026-11-21T10:18:33.985485Z", "2024-02-29T23:59:59Z", "1970-01-01T00:00:00.1Z", "2026-11-21T10:18:33+01:00", "2100-02-29T00:00:00Z", "2026-02-30T00:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := int64(0)
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
			want = at.UnixMicro()
		}
		got := plainText([]byte(s)).Time()
		if got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	})
}
