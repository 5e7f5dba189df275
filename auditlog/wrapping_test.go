package auditlog

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// small returns the lines of a small log, with and without bodies.
func small(t testing.TB) []string {
	t.Helper()
	plain, err := os.ReadFile("../examples/audit/audit.log")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("../testdata/audit/fights.log.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	fights, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(plain)), "\n")
	return append(lines, strings.Split(string(fights), "\n")[:60]...)
}

// js returns compact JSON without escapes for HTML.
func js(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// object parses a line as a JSON object.
func object(line string) map[string]any {
	var m map[string]any
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		panic(err)
	}
	return m
}

type m = map[string]any

// each converts each line to a text and joins the texts.
func each(lines []string, f func(i int, line string) string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(f(i, line))
	}
	return b.String()
}

// all converts each line to a value.
func all(lines []string, f func(i int, line string) any) []any {
	var out []any
	for i, line := range lines {
		out = append(out, f(i, line))
	}
	return out
}

// jsonl converts each line to an object, and writes one object on each line.
func jsonl(lines []string, f func(i int, line string) any) string {
	return each(lines, func(i int, line string) string { return js(f(i, line)) + "\n" })
}

// sheet returns a CSV file with a row for each line.
func sheet(comma rune, header []string, lines []string, f func(line string) []string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = comma
	if header != nil {
		_ = w.Write(header)
	}
	for _, line := range lines {
		_ = w.Write(f(line))
	}
	w.Flush()
	return b.String()
}

// rocket formats a value in Ruby's notation.
func rocket(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for key, x := range v {
			parts = append(parts, js(key)+" => "+rocket(x))
		}
		return "{\n" + strings.Join(parts, ",\n") + "\n}"
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, rocket(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case nil:
		return "nil"
	}
	return js(v)
}

// otel converts a value to OpenTelemetry's form.
func otel(v any) any {
	switch v := v.(type) {
	case map[string]any:
		list := []any{}
		for key, x := range v {
			list = append(list, m{"key": key, "value": otel(x)})
		}
		return m{"kvlistValue": m{"values": list}}
	case []any:
		list := []any{}
		for _, x := range v {
			list = append(list, otel(x))
		}
		return m{"arrayValue": m{"values": list}}
	case string:
		return m{"stringValue": v}
	case bool:
		return m{"boolValue": v}
	case float64:
		return m{"intValue": fmt.Sprintf("%.0f", v)}
	}
	return m{}
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func tarred(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i, text := range members {
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("logs/audit-%d.log", i), Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
	}
	_ = w.WriteHeader(&tar.Header{Name: "logs/current", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})
	_ = w.WriteHeader(&tar.Header{Name: "logs/hard", Typeflag: tar.TypeLink, Linkname: "logs/audit-0.log"})
	_ = w.Close()
	return b.String()
}

func zipped(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, text := range members {
		f, err := w.Create(fmt.Sprintf("audit-%d.log", i))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(text))
	}
	_ = w.Close()
	return b.String()
}

func compressed(t testing.TB, open func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func xzed(t testing.TB, text string) string {
	return compressed(t, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }, text)
}

func lz4ed(t testing.TB, text string) string {
	return compressed(t, func(w io.Writer) (io.WriteCloser, error) { return lz4.NewWriter(w), nil }, text)
}
