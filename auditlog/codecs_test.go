package auditlog

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/ulikunitz/xz/lzma"
)

// TestBzip2 reads a file of two streams from bzip2(1), because Go has no
// encoder.
func TestBzip2(t *testing.T) {
	data, err := os.ReadFile("testdata/events.log.bz2")
	if err != nil {
		t.Fatal(err)
	}
	got, sum := readAll(t, Options{}, describe, bytesInput("log", data))
	if len(got) != 5 || sum.Damaged != 0 || len(sum.Failed) != 0 {
		t.Errorf("%d events, %+v", len(got), sum)
	}
	if _, sum = readAll(t, Options{}, describe, bytesInput("log", data[:len(data)-60])); len(sum.Failed) != 1 {
		t.Errorf("cut off: %+v", sum)
	}
}

// TestOldCodecs reads older variants of the supported formats.
func TestOldCodecs(t *testing.T) {
	text := logOf(0, 500)
	for name, data := range map[string]string{
		"zlib": compressed(t, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }, text),
		"lzma": compressed(t, func(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) }, text),
	} {
		got, sum := readAll(t, Options{}, describe, bytesInput(name, []byte(data)))
		if len(got) != 500 || len(sum.Failed) != 0 || sum.Damaged != 0 {
			t.Errorf("%s: %d events, %+v", name, len(got), sum)
		}
		_, sum = readAll(t, Options{}, describe, bytesInput(name, []byte(data[:len(data)/2])))
		if len(sum.Failed) != 1 || !strings.Contains(sum.Failed[0].Err.Error(), name+": ") {
			t.Errorf("%s, cut off: %+v", name, sum)
		}
	}
	// The header asks for a dictionary of 2 GiB.
	_, sum := readAll(t, Options{}, describe, bytesInput("bomb", []byte("\x5d\x00\x00\x00\x80"+strings.Repeat("\xff", 8)+"\x00abcdefgh")))
	if len(sum.Failed) != 1 || !strings.Contains(sum.Failed[0].Err.Error(), "dictionary") {
		t.Errorf("%+v", sum)
	}
}

// TestPadding checks that a gzip stream can be followed by zeros, but not by
// other data.
func TestPadding(t *testing.T) {
	data := gz(t, logOf(0, 5), logOf(5, 5))
	for rest, failed := range map[string]int{"": 0, strings.Repeat("\x00", 1000): 0, "\x00\x00x": 1, "rest": 1} {
		got, sum := readAll(t, Options{}, describe, bytesInput("log", append(bytes.Clone(data), rest...)))
		if len(got) != 10 || len(sum.Failed) != failed {
			t.Errorf("%q: %d events, %+v", rest, len(got), sum)
		}
	}
}
