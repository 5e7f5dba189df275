package reporting

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestSourceLinesOrder requests the lines of files in every order.
func TestSourceLinesOrder(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"", "a", "a\n", "\n", "a\r\n\r\nb\r\n", "\xef\xbb\xbfone\ntwo\n\nfour", "\xff\xfea\x00\n\x00"}
	var names []string
	for i, text := range texts {
		names = append(names, strconv.Itoa(i)+".yaml")
		if err := os.WriteFile(filepath.Join(dir, names[i]), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	s := &sourceLines{dir: dir}
	for range 2000 {
		i, number := random.IntN(len(texts)), random.IntN(6)
		lines := strings.Split(strings.TrimPrefix(texts[i], "\xef\xbb\xbf"), "\n")
		want, shown := "", number > 0 && number <= len(lines) && !strings.HasPrefix(texts[i], "\xff")
		if shown {
			want = strings.TrimRight(lines[number-1], "\r")
		}
		if got, ok := s.line(names[i], number); got != want || ok != shown {
			t.Fatalf("line %d of %q: got %q, %v, want %q, %v", number, texts[i], got, ok, want, shown)
		}
	}
	for _, name := range []string{"-", "gone.yaml", "."} {
		if got, ok := s.line(name, 1); ok {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestSourceLinesLong checks that a line as long as its file is copied only once.
func TestSourceLinesLong(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 1<<20)
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte("\xef\xbb\xbf"+long+"\r\nb"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &sourceLines{dir: dir}
	for number, want := range []string{"", long, "b", ""} {
		if got, ok := s.line("a.json", number); got != want || ok != (want != "") {
			t.Errorf("line %d has %d bytes (%v), want %d", number, len(got), ok, len(want))
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.line("a.json", 1) }); n > 0 {
		t.Errorf("a line costs %v allocations", n)
	}
}

func TestSourceLines(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": "\ufeffone\r\ntwo\n\nlast", "b.yaml": "b\n", "empty.yaml": "", "utf16.yaml": "\xff\xfea\x00\n\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &sourceLines{dir: dir}
	for _, tt := range []struct {
		file string
		line int
		want string
		ok   bool
	}{
		{"a.yaml", 1, "one", true}, {"a.yaml", 2, "two", true}, {"b.yaml", 1, "b", true}, {"a.yaml", 3, "", true},
		{"a.yaml", 4, "last", true}, {"a.yaml", 5, "", false}, {"a.yaml", 0, "", false}, {"nosuch.yaml", 1, "", false},
		{"-", 1, "", false}, {"empty.yaml", 1, "", true}, {"utf16.yaml", 1, "", false}, {".", 1, "", false},
		{filepath.ToSlash(filepath.Join(dir, "b.yaml")), 1, "b", true},
	} {
		if got, ok := s.line(tt.file, tt.line); got != tt.want || ok != tt.ok {
			t.Errorf("line(%s, %d) = %q, %v, want %q, %v", tt.file, tt.line, got, ok, tt.want, tt.ok)
		}
	}
}
