package scripts

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// TestSource converts positions in a random order.
func TestSource(t *testing.T) {
	text := []byte("a é世\xff b\n\nüü x\n")
	random := rand.New(rand.NewPCG(1, 2))
	s := NewSource(text, 5)
	for range 1000 {
		at := random.IntN(len(text) + 1)
		want := wire.Pos{Line: 5, Column: 1}
		begin := 0
		for i, c := range text[:at] {
			if c == '\n' {
				want.Line++
				begin = i + 1
			}
		}
		want.Column += utf8.RuneCount(text[begin:at])
		if at < len(text) && !utf8.RuneStart(text[at]) {
			continue // inside a character
		}
		if got := s.Pos(at); got != want {
			t.Fatalf("offset %d: got %v, want %v", at, got, want)
		}
		if got := s.Offset(want); got != at {
			t.Fatalf("%v: got offset %d, want %d", want, got, at)
		}
	}
}
