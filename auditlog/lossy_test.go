package auditlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// one reads the single event of a text.
func one(t *testing.T, text string) (e Event, sum Summary) {
	t.Helper()
	var request, response []byte
	_, sum = readAll(t, Options{}, func(x *Event) string {
		request, response = bytes.Clone(x.Request()), bytes.Clone(x.Response())
		e = *x
		return ""
	}, bytesInput("log", []byte(text)))
	e.request, e.response = request, response
	return e, sum
}

func TestFlattened(t *testing.T) {
	const flat = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","requestURI":"/api/v1/pods","verb":"list","user.username":"dev","user.groups.0":"g","user.groups.1":"h","sourceIPs.0":"10.0.0.7","objectRef.resource":"pods","responseStatus.code":200,"annotations.k8s.io/deprecated":"true","stageTimestamp":"2026-11-21T10:00:00.000000Z"}`
	e, sum := one(t, flat)
	if sum.Events != 1 || e.Client.User != "dev" || fmt.Sprint(e.Client.Groups) != "[g h]" || e.Client.SourceIP != "10.0.0.7" || e.Code != 200 || !e.Deprecated || !e.Ref.Resource.Is("pods") || e.Lost&LostFields == 0 {
		t.Errorf("%+v %+v", e, sum)
	}
	_, sum = one(t, strings.ReplaceAll(flat, "user.", "client."))
	if sum.Events != 0 || sum.Damaged != 1 {
		t.Errorf("without a user: %+v", sum)
	}
}

func TestAdmissionReview(t *testing.T) {
	const review = `{"kind":"AdmissionReview","request":{"uid":"u","requestResource":{"group":"apps","version":"v1","resource":"deployments"},"name":"web","namespace":"shop","operation":"UPDATE","userInfo":{"username":"dev"},"object":{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","resourceVersion":"77","managedFields":[{"manager":"argo","operation":"%s","time":"2026-11-21T10:00:00Z"}]}},"dryRun":true,"options":{"kind":"PatchOptions","fieldManager":"argo"}},"requestReceivedTimestamp":"2026-11-21T10:00:01.000000Z"}`
	for operation, uri := range map[string]string{"Apply": "?fieldManager=argo&force=false", "Update": "?fieldManager=argo"} {
		e, sum := one(t, fmt.Sprintf(review, operation))
		if sum.Events != 1 || e.URI.String() != uri || !e.Verb.Is("patch") || e.Code != 200 || !e.DryRun || e.ResponseVersion() != 0 || e.Stamp.Time() != time.Date(2026, 11, 21, 10, 0, 1, 0, time.UTC).UnixMicro() || e.Request() != nil || e.Response() == nil {
			t.Errorf("%s: %s %+v", operation, e.URI, e)
		}
	}
}

func TestFalco(t *testing.T) {
	e, _ := one(t, `{"output_fields":{"evt.time":1795256139583532032,"ka.auditid":"a","ka.verb":"create","ka.uri":"/apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets","ka.user.name":"dev","ka.user.groups":"(a,b)","ka.target.name":"web","ka.sourceips":"['10.0.0.7','10.0.0.8']","ka.response.code":"201"},"source":"k8s_audit"}`)
	if !e.Ref.Group.Is("policy") || !e.Ref.Version.Is("v1beta1") || !e.Ref.Name.Is("web") || !e.Ref.Namespace.Is("shop") || e.Stamp.Time() != 1795256139583532 || fmt.Sprint(e.Client.Groups) != "[a b]" || e.Client.LastIP != "10.0.0.8" || e.Code != 201 {
		t.Errorf("%+v", e)
	}
}

func TestGoogleType(t *testing.T) {
	for body, want := range map[string]string{
		`{"@type":"x","a":1}`: `{"a":1}`, `{"a":1, "@type":"x"}`: `{"a":1}`, `{"a":1,"@type":"x","b":2}`: `{"a":1,"b":2}`, `{"@type":"x"}`: "", `{"b":{"@type":"x"}}`: `{"b":{"@type":"x"}}`, "": "",
	} {
		if got := withoutType([]byte(body)); string(got) != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2026, 11, 21, 10, 15, 39, 583_000_000, time.UTC).UnixMicro()
	for _, s := range []string{
		"2026-11-21T10:15:39.583Z", "2026-11-21T12:15:39.583+02:00", "11/21/2026, 10:15:39.583 AM", "2026-11-21 10:15:39.583 UTC", "2026-11-21 10:15:39.583",
		"1795256139.583", "1795256139583", "1795256139583000", "1795256139583000000",
	} {
		if got := plainText([]byte(s)).Time(); got != want {
			t.Errorf("%s: %d, want %d", s, got, want)
		}
	}
	for _, s := range []string{"", "yesterday", "NaN", "1e999", "-5", "12"} {
		if got := plainText([]byte(s)).Time(); got != 0 {
			t.Errorf("%s: %d", s, got)
		}
	}
}

// TestRefused checks that an input that cannot be read is reported with a
// description.
func TestRefused(t *testing.T) {
	lines := small(t)
	log := strings.Join(lines, "\n") + "\n"
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "is empty"},
		{"blank", "\n\n \n", "has only blank lines"},
		{"csv", "a,b\n1,2\n3,4\n", `looks like a CSV with the columns "a", "b"`},
		{"objects", `{"a":1,"b":{"c":"\u001b[31m"}}` + "\n", `JSON objects with the keys "a", "b"`},
		{"yaml", "kind: Event\nlevel: Metadata\n", "YAML"},
		{"xml", "<results/>", "XML"},
		{"parquet", "PAR1\x15\x04", "Parquet"},
		{"empty tar", tarred(t), "an archive without files"},
		{"tar of words", tarred(t, "words", "more"), "an archive of 2 files, none of which has one"},
		{"words", "\x1b[31mred\n", `text that begins "\x1b[31mred"`},
	} {
		_, sum := readAll(t, Options{}, describe, bytesInput(c.name, []byte(c.data)))
		if len(sum.Barren) != 1 || len(sum.Looks) != 1 || !strings.Contains(sum.Looks[0], c.want) {
			t.Errorf("%s: barren %q, looks %q, damaged %v, failed %v", c.name, sum.Barren, sum.Looks, sum.Damage, sum.Failed)
		}
	}
	for _, c := range []struct {
		name, data string
		events     int64 // at least
	}{
		{"cut gzip", string(gz(t, log))[:2000], 1},
		{"cut xz", xzed(t, log)[:len(xzed(t, log))-40], 0},
		{"cut lz4", lz4ed(t, log)[:len(lz4ed(t, log))-400], 0},
		{"cut tar", tarred(t, log, log)[:len(log)+3000], int64(len(lines))},
		{"cut zip", zipped(t, log)[:300], 0},
		{"cut gzip in tar", tarred(t, string(gz(t, log))[:2000], log), int64(len(lines)) + 1},
		{"too deep", tarred(t, tarred(t, tarred(t, log)), log), int64(len(lines))},
	} {
		_, sum := readAll(t, Options{}, describe, bytesInput(c.name, []byte(c.data)))
		if len(sum.Failed) == 0 || sum.Events < c.events {
			t.Errorf("%s: %d events, failed %v, barren %v", c.name, sum.Events, sum.Failed, sum.Barren)
		}
		t.Log(c.name, sum.Events, sum.Failed)
	}
	// Fields of an event in an unknown form must be reported as damage.
	for _, s := range []string{`{"x":"auditID\": y"}`, `{"auditID":"a"}`, `{"protoPayload.other":"a"}`, "x, \"auditID\": 5"} {
		if _, sum := readAll(t, Options{}, describe, bytesInput("log", []byte(s))); sum.Damaged == 0 {
			t.Errorf("%s: %+v", s, sum)
		}
	}
	// Lines of a component's own log must not be reported as damage.
	if _, sum := readAll(t, Options{}, describe, bytesInput("log", []byte("I1121 timeout.go] \"Timeout\" method=\"GET\" auditID=\"3f\"\n"+log))); sum.Damaged != 0 {
		t.Errorf("%+v", sum.Damage)
	}
}

// TestCrash checks that the event after an incomplete event on the same line is
// read. A server that crashes and restarts leaves such a line.
func TestCrash(t *testing.T) {
	lines := small(t)
	for _, cut := range []int{200, 900, len(lines[30]) - 100} {
		log := lines[0] + "\n" + lines[30][:cut] + lines[31] + "\n" + lines[32] + "\n"
		got, sum := readAll(t, Options{}, whole, bytesInput("log", []byte(log)))
		want, _ := readAll(t, Options{}, whole, bytesInput("log", []byte(lines[0]+"\n"+lines[31]+"\n"+lines[32])))
		if sum.Damaged != 1 || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("cut at %d: %d events, damaged %v", cut, len(got), sum.Damage)
		}
	}
}

// zeros is a reader that never ends.
type zeros struct{}

// Read reads zeros.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("expands 1 GiB")
	}
	var once, twice bytes.Buffer
	z, _ := gzip.NewWriterLevel(&once, 9)
	_, _ = io.CopyN(z, zeros{}, 2<<30)
	_ = z.Close()
	z, _ = gzip.NewWriterLevel(&twice, 9)
	_, _ = z.Write(once.Bytes())
	_ = z.Close()
	_, sum := readAll(t, Options{}, describe, bytesInput("bomb", twice.Bytes()))
	if len(sum.Failed) != 1 || !strings.Contains(sum.Failed[0].Err.Error(), "expands to more than") {
		t.Errorf("%v", sum.Failed)
	}
}

// FuzzWrapped checks that no text makes the reader of a format panic. It also
// checks that a wrapped event equals the event alone.
func FuzzWrapped(f *testing.F) {
	lines := small(f)
	for i, line := range []string{lines[0], lines[25], `{"a":"b"}`, "x", `{"log"=>"{}"}`, "a,b\n1,\"{\"\"c\"\":1}\"", `{"columns":["a"],"rows":[["b"]]}`, `{"kvlistValue":{"values":[{"key":"a"}]}}`, "\xff\xfe{\x00", "PK\x03\x04", "BZh91AY&SY", "---\nauditID: a\nitems:\n- x: &a [1]\n  y: *a\n", "<?xml?><v>{&quot;auditID&quot;:1}</v>", "1\t{\"a\":\"\\\\\"auditID\\\\\"\"}", "[{'auditID': 'it\\'s', 'b': None}]", `{"stream":{"auditID":"a","verb":"get"},"values":[["1","{}"]]}`, `{"k.auditID":["a"],"k.verb":["get"],"k.user.username":["u"]}`, `{"MESSAGE":"{\"a","_LINE_BREAK":"line-max","split":{"index":1}}`} {
		f.Add(byte(i), []byte(line))
	}
	names := []string{"JSON strings", "Fluent Bit", "Insights", "Insights CSV", "Pub/Sub", "tables", "syslog", "tar.gz", "zip", "UTF-16LE"}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		readAll(t, Options{Workers: 1}, whole, bytesInput("raw", data))
		readAll(t, Options{Workers: 1, Skip: OnlyDeprecated}, whole, bytesInput("raw", data))
		line := string(bytes.ToValidUTF8(data, nil))
		var s scanner
		var e Event
		c := cursor{b: []byte(line)}
		if strings.ContainsAny(line, "\r\n") || !strings.HasPrefix(line, serverHead) || !s.event(&e, &c) || e.who.user.IsZero() || !json.Valid(c.b) {
			return
		}
		want, _ := readAll(t, Options{Workers: 1}, whole, bytesInput("plain", []byte(line)))
		name := names[int(which)%len(names)]
		got, _ := readAll(t, Options{Workers: 1}, whole, bytesInput("wrapped", []byte(wraps(t)[name]([]string{line, line, line, line, line, line, line, line, line, line}))))
		if len(want) != 1 || len(got) != 10 || got[9] != want[0] {
			t.Fatalf("%s: %d events, want 10 of\n%s\ngot\n%s", name, len(got), want, got)
		}
	})
}
