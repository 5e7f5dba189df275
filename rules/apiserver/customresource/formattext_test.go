package customresource

import (
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

var allFormats = []string{"bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "mac", "uuid", "uuid3", "uuid4", "uuid5", "cidr",
	"isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime", "date-time",
	"k8s-short-name", "k8s-long-name", "int32"}

var formatTexts = []string{"", " ", "a", "507f1f77bcf86cd799439011", "507F1F77bcf86cd79943901", "/a?b", "https://example.com", "a@b", "A <a@b.c>",
	"example.com", "EXAMPLE.com.", "a_b.com", "☃.com", strings.Repeat("a", 64) + ".com", strings.Repeat("a.", 128) + "com", "1.2.3.4", "01.2.3.4", "::1", "::ffff:1.2.3.4", "1.2.3.4/8", "01.2.3.4/08", "::/0",
	"00:00:5e:00:53:01", "00-00-5e-00-53-01", "a8098c1a-f86e-11da-bd1a-00112444be1e", "A8098C1AF86E31DABD1A00112444BE1E", "a8098c1a-f86e-41da-bd1a-00112444be1e", "a8098c1a-f86e-51da-8d1a-00112444be1e",
	"0-306-40615-2", "080442957X", "978-0-306-40615-7", "978 0306406158", "\v9780306406157", "4111 1111 1111 1111", "4111x1111x1111x1111", "4111111111111112", "5500000000000004", "213112345678901",
	"111-11-1111", "111 11 1111", "1111111111", "11111111111", "#fff", "ABCDEF", "#abcd", "rgb(0, 255,99 )", "rgb(256,0,0)", "Zm9v", "Zm8=", "Zg==", "Z===",
	"2024-02-29", "2023-02-29", "2024-02-29T23:59:59Z", "2024-02-29t24:00:00z", "2024-02-29T23:59:59.5+01:00", "2024-02-29T23:59:59ZTx", "2024-02-29 23:59:59Z", "T",
	"1h30m", "3 weeks", "3 Weekends", "1 hr", "1 hours", "5 hrs", "9 µs", "9 fortnights", "99999999999999999999 days", "1 day 99999999999999999999 s", "1 SEC",
	"a-b", "-a", "a.b-c.d", "a..b", strings.Repeat("a", 63), strings.Repeat("a", 253), strings.Repeat("a", 254), "a\n"}

// TestHasFormat compares hasFormat with the server's own code.
func TestHasFormat(t *testing.T) {
	for _, format := range allFormats {
		for _, text := range formatTexts {
			if got, want := hasFormat(format, text), strfmt.Default.Validates(format, text); got != want {
				t.Errorf("hasFormat(%q, %q) = %t", format, text, got)
			}
		}
	}
}

func FuzzHasFormat(f *testing.F) {
	for _, text := range formatTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range allFormats {
			if got, want := hasFormat(format, text), strfmt.Default.Validates(format, text); got != want {
				t.Errorf("hasFormat(%q, %q) = %t", format, text, got)
			}
		}
	})
}
