package manifestlint_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestDropDuplicate applies the fixes of repeated keys, one after the other.
func TestDropDuplicate(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for _, c := range []struct{ name, text, want string }{
		{"same", "data:\n  a: x\n  b: y\n  a: x\n", "safe data:\n  b: y\n  a: x\n"},
		{"another", "data:\n  a: x\n  a: y\n", "data:\n  a: y\n"},
		{"spelled otherwise", "data:\n  a: x\n  'a': \"x\"\n", "safe data:\n  'a': \"x\"\n"},
		{"no string", "data:\n  a: 1\n  a: \"1\"\n", "data:\n  a: \"1\"\n"},
		{"three", "data:\n  a: x\n  a: y\n  a: z\n", "data:\n  a: z\n"},
		{"map", "data:\n  a: x\nmetadata:\n  name: b\n\ndata:\n  a: y\n", "metadata:\n  name: b\n\ndata:\n  a: y\n"},
		{"list at the key's column", "data:\n- a\n- - b\n  - c\nspec: 1\ndata:\n- d\n", "spec: 1\ndata:\n- d\n"},
		{"block", "data:\n  a: |\n    x\n\n     y\n\n  b: y\n  a: z\n", "data:\n\n  b: y\n  a: z\n"},
		{"carriage returns", "data:\r\n  a: x\r\n  a: y\r\n", "data:\r\n  a: y\r\n"},
		{"a comment between stays", "data:\n  a: x\n  # why\n  a: x\n", "safe data:\n  # why\n  a: x\n"},
		{"a comment behind", "data:\n  a: x # why\n  a: x\n", ""},
		{"a comment within", "data:\n  a:\n    # why\n    b: x\n  a: x\n", ""},
		{"in brackets", "data: {a: x, a: y}\n", ""},
		{"first of an item", "data:\n- a: x\n  a: y\n", ""},
		{"with an anchor", "data:\n  a: &x x\n  b: *x\n  a: y\n", ""},
		{"by a merge key", "data:\n  a: x\n  <<: {b: y}\n  b: y\n  a: x\n", "safe data:\n  <<: {b: y}\n  b: y\n  a: x\n"},
		{"key of many lines", "data:\n  ? a\n  : x\n  a: y\n", ""},
	} {
		text := head + c.text
		if strings.Contains(c.text, "metadata:") {
			text = strings.Replace(head, "metadata: {name: a}\n", "", 1) + c.text
		}
		before := strings.TrimSuffix(text, c.text)
		safe, made := true, false
		for range 5 {
			fix := duplicateFix(t, text)
			if fix == nil {
				break
			}
			e := fix.Edits[0]
			lines := strings.SplitAfter(text, "\n")
			text = strings.Join(append(append([]string(nil), lines[:e.Line-1]...), lines[e.EndLine-1:]...), "")
			safe, made = safe && fix.Safe, true
		}
		got := ""
		if made {
			got = strings.TrimPrefix(text, before)
			if safe {
				got = "safe " + got
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func duplicateFix(t *testing.T, text string) (fix *rules.CodeFix) {
	t.Helper()
	linter := manifestlint.New(manifestlint.Options{
		Target:  lifecycle.Target{Range: lifecycle.Range{From: lifecycle.Newest, To: lifecycle.Newest}},
		Fixes:   true,
		Enabled: func(rule string) bool { return rule == "duplicatekey" },
	})
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	_, err := linter.Run(context.Background(), func(yield func(manifestlint.Input) bool) {
		yield(manifestlint.Input{Name: "a.yaml", Open: open})
	}, func(f rules.Finding) error {
		if fix == nil {
			fix = f.Fix
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fix
}
