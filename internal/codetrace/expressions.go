package codetrace

import (
	"regexp"
	"sync"
)

// once gives a regular expression that is compiled when it is first asked for:
// most runs of kubevet never do, and compiling these takes as long as starting
// does.
func once(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
