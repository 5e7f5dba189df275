package upgrade

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
)

// FuzzHostile puts a hostile text into every field of a report and checks all formats.
func FuzzHostile(f *testing.F) {
	for _, s := range quotetest.Strings() {
		f.Add(s)
	}
	write := func(t testing.TB, text, reference, format string) []byte {
		r := &Report{}
		quotetest.Fill(r, text)
		for _, it := range r.items() {
			it.Reference = reference
		}
		for i := range r.Sources {
			r.Sources[i].Given = i == 0
		}
		var out bytes.Buffer
		if err := r.Write(format, &out, Look{Verbose: true}); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	plain := map[string][]byte{}
	for _, format := range Formats() {
		plain[format] = write(f, "name", "", format)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range Formats() {
			// A reference that is an address becomes a link, which changes the elements.
			// So this page is only checked alone.
			if linked := write(t, text, text, format); format == "html" {
				webpagetest.Check(t, linked, "")
			} else {
				quotetest.Check(t, format, linked, false)
			}
			out := write(t, text, "", format)
			quotetest.Check(t, format, out, false)
			if got, want := bytes.Count(out, []byte("\n")), bytes.Count(plain[format], []byte("\n")); text != "" && got > want {
				t.Errorf("%s: %d lines, want %d: %.300q", format, got, want, out)
			}
			switch format {
			case "html":
				if diff := cmp.Diff(webpagetest.Elements(plain[format]), webpagetest.Elements(out)); text != "" && diff != "" {
					t.Errorf("html: elements differ (-want +got):\n%s", diff)
				}
			case "json":
				var r Report
				if err := json.Unmarshal(out, &r); err != nil {
					t.Fatal(err)
				}
				want := text
				if !utf8.ValidString(text) {
					want = quote.Name(text)
				}
				if got := r.MustAct[0].Items[0].Evidence[0].File; got != want {
					t.Errorf("json: got %q, want %q", got, want)
				}
			}
		}
	})
}
