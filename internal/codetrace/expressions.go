package codetrace

import (
	"regexp"
	"sync"
)

// lazyRegexp returns a function that compiles a regular expression at its first call.
// Most runs do not need these expressions, and compiling them takes as long as starting
// the program.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
