package codetrace

import (
	"regexp"
	"sync"
)

// once returns a function for a regular expression that is compiled on first use. Most
// runs of kubevet never need it, and compiling these expressions takes as long as the
// start of the program.
func once(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
