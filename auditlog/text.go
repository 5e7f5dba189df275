package auditlog

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a string of an event exactly as in the log: without quotes, and
// possibly with JSON escapes. The zero value is an absent string. A Text is
// valid as long as the event.
type Text struct {
	raw     []byte
	escaped bool
}

// plainText returns a Text for bytes without escapes.
func plainText(b []byte) Text { return Text{raw: b} }

// IsZero reports whether the string is absent or empty.
func (t Text) IsZero() bool { return len(t.raw) == 0 }

// Is reports whether the string equals s.
func (t Text) Is(s string) bool {
	if !t.escaped {
		return string(t.raw) == s
	}
	return string(t.AppendTo(nil)) == s
}

// Holds reports whether the string contains a word. The word must have no
// characters that JSON escapes.
func (t Text) Holds(word []byte) bool { return bytes.Contains(t.raw, word) }

// String returns a copy without escapes.
func (t Text) String() string {
	if !t.escaped {
		return string(t.raw)
	}
	return string(t.AppendTo(nil))
}

// Bytes returns the string without escapes. If the string has no escapes, the
// result is a part of the log. Otherwise the result is in buf[:0], which is
// enlarged if necessary. buf may be nil.
func (t Text) Bytes(buf []byte) []byte {
	if !t.escaped {
		return t.raw
	}
	return t.AppendTo(buf[:0])
}

// AppendTo appends the string without escapes. Unpaired surrogates become U+FFFD, as in
// encoding/json.
func (t Text) AppendTo(dst []byte) []byte {
	if !t.escaped {
		return append(dst, t.raw...)
	}
	return Unescape(dst, t.raw)
}

// Unescape appends the contents of a JSON string without escapes. raw has no quotes. Unpaired
// surrogates become U+FFFD. Unescape stops at the first error.
func Unescape(dst, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 || n+1 >= len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		c := raw[n+1]
		raw = raw[n+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hex4(raw)
			if r < 0 {
				return dst // impossible in a string that was scanned
			}
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
					low = hex4(raw[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
}

// hex4 returns the value of four hexadecimal digits, or -1.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// Uint returns the value of a decimal number. It returns 0 if the string is not
// a number or the number is too large.
func (t Text) Uint() uint64 {
	if len(t.raw) == 0 || len(t.raw) > 19 {
		return 0
	}
	var n uint64
	for _, c := range t.raw {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}

// Compare compares the string with another one byte by byte, including escapes.
func (t Text) Compare(with []byte) int { return bytes.Compare(t.raw, with) }

// ParseTime returns the same as Text.Time for a text without escapes.
func ParseTime(b []byte) int64 { return plainText(b).Time() }

// Time parses a time in RFC 3339 and returns microseconds since 1970. It
// returns 0 if the string is not a time.
func (t Text) Time() int64 {
	b := t.raw
	// Servers write times such as 2026-11-21T10:18:33.985485Z.
	if len(b) < 20 || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' || b[len(b)-1] != 'Z' {
		return t.anyTime()
	}
	year, ok0 := digits(b[0:4])
	month, ok1 := digits(b[5:7])
	day, ok2 := digits(b[8:10])
	hour, ok3 := digits(b[11:13])
	minute, ok4 := digits(b[14:16])
	second, ok5 := digits(b[17:19])
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5) || year < 1970 || month < 1 || month > 12 || day < 1 || day > monthDays[month] || hour > 23 || minute > 59 || second > 59 {
		return t.anyTime()
	}
	micro := 0
	if frac := b[19 : len(b)-1]; len(frac) > 0 {
		if frac[0] != '.' || len(frac) < 2 || len(frac) > 10 {
			return t.anyTime()
		}
		scale := 100000
		for _, c := range frac[1:] {
			if c < '0' || c > '9' {
				return t.anyTime()
			}
			micro += int(c-'0') * scale
			scale /= 10
		}
	}
	// Count the days since 1970. The year begins in March, so that the leap day
	// is the last day.
	if month <= 2 {
		year--
		month += 12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
	return (int64(days)*86400+int64(hour*3600+minute*60+second))*1e6 + int64(micro)
}

// monthDays is the number of days that each month has in every year.
var monthDays = [...]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// timeForms are the formats of times in exports: CSV of the Azure portal and of
// Kibana, BigQuery, and SQL.
var timeForms = []string{
	time.RFC3339Nano, "Jan 2, 2006 @ 15:04:05.999999999", "1/2/2006, 3:04:05.999999999 PM", "1/2/2006, 15:04:05.999999999", "1/2/2006 3:04:05.999999999 PM",
	"2006-01-02 15:04:05.999999999 MST", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999",
}

// anyTime parses a time in another format, or a number of seconds or fractions
// of seconds since 1970.
func (t Text) anyTime() int64 {
	s := t.String()
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case n < 1e8 || n != n:
			return 0
		case n < 1e11:
			return int64(n * 1e6)
		case n < 1e14:
			return int64(n * 1e3)
		case n < 1e17:
			return int64(n)
		case n < 1e20:
			if ns, err := strconv.ParseInt(s, 10, 64); err == nil {
				return ns / 1e3
			}
			return int64(n / 1e3)
		}
		return 0
	}
	for _, form := range timeForms {
		if at, err := time.Parse(form, s); err == nil && (at.Location() == time.UTC || form == time.RFC3339Nano) {
			return at.UnixMicro()
		}
	}
	return 0
}

// digits reads a decimal number of a few digits.
func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
