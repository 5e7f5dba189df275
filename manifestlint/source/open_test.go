package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func expandOne(t *testing.T, arg string, o Options) Input {
	t.Helper()
	inputs, problems := Expand([]string{arg}, o)
	if len(inputs) != 1 || len(problems) != 0 {
		t.Fatalf("Expand(%q) = %v, %v", arg, inputs, problems)
	}
	return inputs[0]
}

func TestStdin(t *testing.T) {
	in := expandOne(t, "-", Options{Stdin: strings.NewReader("text")})
	if in.Name != StdinName || in.Path != "" || in.Size != -1 || !in.Stream() {
		t.Errorf("got %+v", in)
	}
	f, err := in.Open()
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(f); string(data) != "text" || err != nil || f.Close() != nil {
		t.Errorf("read %q, %v", data, err)
	}
}

func TestReaderSizes(t *testing.T) {
	dir := t.TempDir()
	sizes := []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 300 << 10, maxKeptBuffer - 1, maxKeptBuffer, 3 * maxKeptBuffer, 10}
	for i, size := range sizes {
		text := strings.Repeat(string(rune('a'+i)), size)
		write(t, dir, fmt.Sprintf("d/%d.yaml", i), text)
		write(t, dir, fmt.Sprintf("e/%d.yaml", i), text)
	}
	args := []string{"d"}
	for i := range sizes {
		args = append(args, fmt.Sprintf("e/%d.yaml", i))
	}
	inputs, problems := Expand(args, Options{Dir: dir})
	if len(inputs) != 2*len(sizes) || len(problems) > 0 {
		t.Fatal(inputs, problems)
	}
	var r Reader
	for i, in := range inputs {
		size, letter := sizes[i%len(sizes)], byte('a'+i%len(sizes))
		for _, limit := range []int64{0, int64(size), int64(size) + 1, int64(size) - 1, 1 << 40} {
			data, err := r.Read(in, limit)
			if limit > 0 && limit < int64(size) {
				var tooLarge *TooLargeError
				if !errors.As(err, &tooLarge) || tooLarge.Limit != limit || data != nil {
					t.Errorf("%s with limit %d: %d bytes, %v", in.Name, limit, len(data), err)
				}
				continue
			}
			if err != nil || len(data) != size || bytes.Count(data, []byte{letter}) != size {
				t.Errorf("%s with limit %d: %d bytes, %v", in.Name, limit, len(data), err)
			}
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestReaderStdin(t *testing.T) {
	text := strings.Repeat("x", 200<<10)
	for _, test := range []struct {
		stdin io.Reader
		limit int64
		want  string
		err   string
	}{
		{strings.NewReader(text), 0, text, ""},
		{iotest.DataErrReader(strings.NewReader(text)), int64(len(text)), text, ""},
		{iotest.HalfReader(strings.NewReader(text)), int64(len(text)) + 1, text, ""},
		{iotest.OneByteReader(strings.NewReader("abc")), 3, "abc", ""},
		{strings.NewReader(text), 1000, "", "reading -: larger than the limit of 1000 bytes"},
		{strings.NewReader(""), 1, "", ""},
		{iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("abc"))), 0, "", "reading -: timeout"},
	} {
		var r Reader
		data, err := r.Read(expandOne(t, "-", Options{Stdin: test.stdin}), test.limit)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if string(data) != test.want || got != test.err {
			t.Errorf("limit %d: %d bytes, %q; want %d, %q", test.limit, len(data), got, len(test.want), test.err)
		}
	}
}

// TestReplaced opens inputs that were replaced by other files or links after
// Expand found them.
func TestReplaced(t *testing.T) {
	for _, test := range []struct {
		name    string
		replace func(t *testing.T, dir string)
		want    string
	}{
		{"gone", func(t *testing.T, dir string) {}, "no such file"},
		{"directory", func(t *testing.T, dir string) { write(t, dir, "k/d/a.yaml/", "") }, "not a regular file"},
		{"directory gone", func(t *testing.T, dir string) { remove(t, dir, "k/d") }, "no such file"},
		{"directory is a file", func(t *testing.T, dir string) { remove(t, dir, "k/d"); write(t, dir, "k/d", "") }, "not a directory"},
		{"directory leads outside", func(t *testing.T, dir string) {
			write(t, dir, "o/a.yaml", "secret")
			remove(t, dir, "k/d")
			write(t, dir, "k/d", "-> ../o")
		}, "path escapes from parent"},
		{"file leads outside", func(t *testing.T, dir string) {
			write(t, dir, "o/a.yaml", "secret")
			write(t, dir, "k/d/a.yaml", "-> ../../o/a.yaml")
		}, "path escapes from parent"},
	} {
		dir := makeTree(t, "k/d/a.yaml")
		in := expandOne(t, "k", Options{Dir: dir})
		remove(t, dir, "k/d/a.yaml")
		test.replace(t, dir)
		f, err := in.Open()
		if err == nil {
			f.Close()
		}
		var r Reader
		data, readErr := r.Read(in, 0)
		r.Close()
		for _, err := range []error{err, readErr} {
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "ing k/d/a.yaml: ") {
				t.Errorf("%s: got error %v, want one with %q", test.name, err, test.want)
			}
		}
		if len(data) > 0 {
			t.Errorf("%s: read %q", test.name, data)
		}
	}
}

// TestReplacedInside opens an input whose directory became a link to another
// directory below the argument. This link is allowed.
func TestReplacedInside(t *testing.T) {
	dir := makeTree(t, "k/d/a.yaml")
	in := expandOne(t, "k", Options{Dir: dir})
	remove(t, dir, "k/d")
	write(t, dir, "k/e/a.yaml", "other")
	write(t, dir, "k/d", "-> e")
	if err := compareReads(Input{Name: in.Name, Path: filepath.Join(dir, "k/e/a.yaml"), from: in.from}); err != nil {
		t.Error(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestZeroInput(t *testing.T) {
	if _, err := (Input{Name: "a"}).Open(); err == nil {
		t.Error("Open of an input that Expand did not make: no error")
	}
	if _, err := new(Reader).Read(Input{Name: "a"}, 0); err == nil {
		t.Error("Read of an input that Expand did not make: no error")
	}
}

func TestProblemText(t *testing.T) {
	for _, test := range []struct {
		p    Problem
		want string
	}{
		{Problem{Kind: Missing, Name: "a b.yaml", Text: "x"}, "a b.yaml: x"},
		{Problem{Kind: Missing, Name: "a\x1b[31m", Text: "x"}, `"a\033[31m": x`},
		{Problem{Kind: Missing, Name: "a\nb", Text: "x"}, `"a\nb": x`},
		{Problem{Kind: Missing, Name: "\xff", Text: "x"}, `"\377": x`},
		{Problem{Kind: Missing, Name: "", Text: "x"}, `"": x`},
	} {
		if got := test.p.Error(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if got := Kind(0).String() + Kind(99).String() + SkippedLink.String(); got != "Kind(0)Kind(99)skipped link" {
		t.Errorf("got %s", got)
	}
}
