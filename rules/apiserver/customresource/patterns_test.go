package customresource

import (
	"regexp"
	"testing"
)

// FuzzPatterns compares the errors of patterns.check with the errors of
// regexp.Compile.
func FuzzPatterns(f *testing.F) {
	for _, p := range []string{"", "^[a-z]+$", "(", "a{1001}", "a{2}{1000}{3}", "(?P<n>a)(?P<n>b)", `\p{Greek}\pN`, "[z-a]", "(?i)x*?", "\xff", `\Q\E`, "(((((a*)*)*)*)*)*", "x{1000}{1000}", `(?<!a)b`} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		_, want := regexp.Compile(pattern)
		known := patterns{}
		for range 2 { // the second call uses the cache
			got := known.check(pattern)
			if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
				t.Errorf("%q: %v, want %v", pattern, got, want)
			}
		}
	})
}
