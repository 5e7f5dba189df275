package lintrun

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSpool reads an input twice, from memory and from the file. The source must be read
// only once.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for _, size := range []int{0, 1, 99, 100, 101, 5000} {
		text := []byte(strings.Repeat("0123456789", size/10+1))[:size]
		opened := 0
		s := &spool{name: "-", memory: 100, open: func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(iotest.HalfReader(bytes.NewReader(text))), nil
		}}
		// After a reader that stopped early, the next reader must get the whole input.
		first, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(first, make([]byte, size/3)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r, err := s.Open()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
				t.Errorf("size %d: got %d bytes, %v", size, len(got), err)
			}
		}
		if opened != 1 {
			t.Errorf("size %d: opened %d times", size, opened)
		}
		if err := s.Close(); err != nil {
			t.Errorf("size %d: %v", size, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestSpoolBroken checks that every reader gets the text before an error of the source,
// and then this error.
func TestSpoolBroken(t *testing.T) {
	broken := errors.New("cut off")
	s := newSpool("-", func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken))), nil
	})
	defer s.Close()
	for range 2 {
		r, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); string(got) != "abc" || !errors.Is(err, broken) {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

// TestSpoolNowhere checks that reading returns an error if there is no space for a
// temporary file.
func TestSpoolNowhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	t.Setenv("TMP", t.TempDir()+"/none")
	s := &spool{name: "-", memory: 2, open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("abc")), nil }}
	defer s.Close()
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err == nil || !strings.Contains(err.Error(), "keeping - to read it twice: ") {
		t.Errorf("error %v", err)
	}
}
