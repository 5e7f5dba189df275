package source

import "testing"

func TestWildcard(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no []string
	}{
		{"", []string{""}, []string{"a", "/"}},
		{"*", []string{"", "a", "abc"}, []string{"a/b", "/"}},
		{"*.yaml", []string{".yaml", "a.yaml", "a.yaml.yaml"}, []string{"a.yml", "a/b.yaml"}},
		{"a*b*c", []string{"abc", "axbxc", "abbcc", "aXcbc"}, []string{"ab", "acb", "ab/c", "abcd"}},
		{"?", []string{"a", "\xff"}, []string{"", "/", "ab", "é"}},
		{"**", []string{"", "a", "a/b", "/"}, nil},
		{"**/b", []string{"b", "a/b", "a/c/b", "/b"}, []string{"ab", "a/bc", "b/c"}},
		{"a/**", []string{"a/b", "a/b/c", "a/"}, []string{"a", "b/a/c"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"ab", "a/xb", "a/x/yb"}},
		{"**/a/**/b/*c", []string{"a/b/c", "x/a/y/b/z/a/b/xc"}, []string{"a/c/b", "a/b/c/d"}},
		{"a**b", []string{"ab", "axb"}, []string{"a/b"}},
		{"a/**b", []string{"a/b", "a/xb"}, []string{"a/x/b"}},
		{"***/b", []string{"b", "a/b"}, nil},
		{`**\/b`, []string{"a/b", "/b", "a/x/b"}, []string{"b"}},
		{"[abc]", []string{"a", "c"}, []string{"d", "", "ab"}},
		{"[!abc]", []string{"d", "!", "\xff"}, []string{"a", "/"}},
		{"[^abc]", []string{"d"}, []string{"a"}},
		{"[]a]", []string{"]", "a"}, []string{"b"}},
		{"[!]a]", []string{"b"}, []string{"]", "a"}},
		{"[a-c]", []string{"a", "b", "c"}, []string{"-", "d"}},
		{"[a-]", []string{"a", "-"}, []string{"b"}},
		{"[-a]", []string{"a", "-"}, []string{"b"}},
		{"[c-a]", []string{"c"}, []string{"a", "b", "-"}},
		{`[\]]`, []string{"]"}, []string{`\`}},
		{`[a-\c]`, []string{"b"}, []string{"-"}},
		{"[[:digit:]x]", []string{"7", "x"}, []string{"a", ":"}},
		{"[![:space:]]", []string{"a", "\v"}, []string{" ", "\t"}},
		{"[[:]", []string{"[", ":"}, []string{"]"}},
		{"[[:alpha:", nil, []string{"a", "[[:alpha:"}},
		{"[[:wrong:]]", nil, []string{"w", "[[:wrong:]]"}},
		{"[a", nil, []string{"a", "[a"}},
		{"[/]", nil, []string{"/"}},
		{`\*`, []string{"*"}, []string{"a", `\*`}},
		{`a\`, nil, []string{"a", `a\`}},
	} {
		w := compileWildcard(test.pattern)
		for _, text := range test.yes {
			if !w.match(text) {
				t.Errorf("%q does not match %q, and should", test.pattern, text)
			}
		}
		for _, text := range test.no {
			if w.match(text) {
				t.Errorf("%q matches %q, and should not", test.pattern, text)
			}
		}
	}
}
