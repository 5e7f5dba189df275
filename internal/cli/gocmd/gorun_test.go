package gocmd

import (
	"testing"
)

func TestLeavesOut(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"main.go", "cmd/main.go", true},
		{"./main.go", "cmd/main.go", false},
		{"./main.go", "main.go", true},
		{"cmd", "cmd/main.go", true},
		{"cmd/", "a/cmd/main.go", true},
		{"main.go/", "cmd/main.go", false},
		{"a/**", "a/b/c.go", true},
		{"a/*.go", "a/b/c.go", false},
		{"**/b", "a/b/c.go", true},
		{"*_test.go", "a/b_test.go", true},
		{"../x", "../x/a.go", true},
	} {
		if got := excludesFile(tt.pattern, tt.name); got != tt.want {
			t.Errorf("leavesOut(%q, %q) = %t", tt.pattern, tt.name, got)
		}
	}
}
