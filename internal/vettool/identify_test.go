package vettool

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestContentID(t *testing.T) {
	const content = "AbCdEfGhIjKlMnOpQrSt"
	mark := func(id string) []byte { return []byte("\x7fELF....\xff Go build ID: \"" + id + "\"\n \xff code") }
	note := func(size byte, id string) []byte {
		return []byte("\x7fELF....\x04\x00\x00\x00" + string([]byte{size, 0, 0, 0}) + "\x04\x00\x00\x00Go\x00\x00" + id + "\x00code")
	}
	for _, head := range [][]byte{mark("action/main/" + content), note(32, "action/main/"+content)} {
		if got := linkedID(head); got != content {
			t.Errorf("%q", got)
		}
	}
	for _, head := range [][]byte{nil, []byte("\x7fELF"), mark(""), mark("redacted"), note(200, "a/"+content), note(31, "a/"+content), mark("a/" + content[:10] + "\x00" + content), []byte("\xff Go build ID: \"" + content)} {
		if got := linkedID(head); got != "" {
			t.Errorf("%q of %q", got, head)
		}
	}
	// Without a build ID the content decides, to the last byte.
	ids := map[string]bool{}
	for _, last := range []string{"a", "b"} {
		name := filepath.Join(t.TempDir(), "tool")
		if err := os.WriteFile(name, append(bytes.Repeat([]byte("x"), 2*buildIDHead), last...), 0o600); err != nil {
			t.Fatal(err)
		}
		id, err := contentID(name)
		if err != nil || len(id) != 64 {
			t.Errorf("%q, %v", id, err)
		}
		ids[id] = true
	}
	if len(ids) != 2 {
		t.Error("two programs have one ID")
	}
	// This test's own program was linked by the go command.
	name, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	if id, err := contentID(name); err != nil || id == "" || strings.ContainsAny(id, " \n") {
		t.Errorf("%q, %v", id, err)
	}
}
