package auditlog

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gz(t testing.TB, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, m := range members {
		z := gzip.NewWriter(&out)
		if _, err := z.Write([]byte(m)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func zst(t testing.TB, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, m := range members {
		z, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write([]byte(m)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func logOf(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"%d","stage":"ResponseComplete","verb":"get","user":{"username":"u"}}`+"\n", from+i)
	}
	return b.String()
}

func TestCompressed(t *testing.T) {
	whole := gz(t, logOf(0, 2000))
	for _, c := range []struct {
		name   string
		data   []byte
		events int64
		cut    bool
	}{
		{"gzip", whole, 2000, false},
		{"gzip in members", gz(t, logOf(0, 10), logOf(10, 5), "", logOf(15, 1)), 16, false},
		{"zstd", zst(t, logOf(0, 2000)), 2000, false},
		{"zstd in frames", zst(t, logOf(0, 10), logOf(10, 5)), 15, false},
		{"gzip of gzip", gz(t, string(gz(t, logOf(0, 7)))), 7, false},
		{"zstd of gzip", zst(t, string(gz(t, logOf(0, 7)))), 7, false},
		{"gzip, cut off", whole[:len(whole)-100], 0, true},
		{"zstd, cut off", zst(t, logOf(0, 200_000))[:60_000], 0, true},
		{"gzip, damaged header", []byte{0x1f, 0x8b, 0xff, 0, 0}, 0, true},
		{"nothing", nil, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, sum := readAll(t, Options{}, describe, bytesInput("log", c.data))
			if c.cut {
				if len(sum.Failed) != 1 {
					t.Errorf("no failure: %+v", sum)
				}
				if strings.HasPrefix(c.name, "gzip, cut") && sum.Events < 500 {
					t.Errorf("%d events only before the cut", sum.Events)
				}
				return
			}
			if sum.Events != c.events || len(sum.Failed) > 0 || sum.Damaged > 0 {
				t.Errorf("%d events, want %d: %+v", sum.Events, c.events, sum)
			}
		})
	}
}

func TestInputsThatFail(t *testing.T) {
	broken := errors.New("disk on fire")
	inputs := []Input{
		{Name: "a", Open: func() (io.ReadCloser, error) { return nil, os.ErrPermission }},
		bytesInput("b", []byte(logOf(0, 3))),
		{Name: "c", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(logOf(10, 4)), errReader{broken})), nil
		}},
	}
	_, sum := readAll(t, Options{}, describe, inputs...)
	if sum.Events != 7 || len(sum.Failed) != 2 || !errors.Is(sum.Failed[1].Err, broken) {
		t.Errorf("%+v", sum)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// TestLongLines checks that a line of several blocks is one event. If a line exceeds the limit, only
// that line is left out.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 5*blockSize)
	log := logOf(0, 3) + `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"long","stage":"ResponseComplete","verb":"get","user":{"username":"u"},"requestObject":{"a":"` + long + `"},"requestReceivedTimestamp":"2026-11-21T10:18:33.985485Z"}` + "\n" + logOf(3, 3)
	got, sum := readAll(t, Options{}, func(e *Event) string { return fmt.Sprint(e.AuditID, " ", len(e.Request())) }, bytesInput("log", []byte(log)))
	if sum.Events != 7 || got[3] != fmt.Sprint("long ", len(long)+8) {
		t.Errorf("%d events, %q", sum.Events, got[3])
	}
}
