package lintrun

import (
	"testing"
)

func TestNamedPatch(t *testing.T) {
	for name, want := range map[string]bool{
		"patch.yaml":                     true,
		"overlays/dev/web-PATCH.yaml":    true,
		"overlays/Patches/web.yaml":      true,
		"/patches/web.yaml":              true,
		"patches/dev/web.yaml":           false, // "patch" is not in the name of the file's own directory
		"overlays/dispatcher/web.yaml":   true,  // "dispatcher" contains "patch"
		"pat/ch.yaml":                    false,
		"web.yaml":                       false,
		"":                               false,
		"patc":                           false,
		"päpatch/ünicode":                true,
		"overlays/dev/p\xffatch.yaml":    false,
		"overlays/dev/\xffpatch-it.yaml": true,
	} {
		if got := namedPatch(name); got != want {
			t.Errorf("namedPatch(%q) = %t", name, got)
		}
	}
}
