package sideeffect

import (
	"fmt"
	"go/types"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// Extra returns the option that adds functions to the list of side effects: functions of
// the project or of libraries. All rules share it, because they also share the facts about
// functions.
//
// Its text is a list of patterns, separated by commas:
//
//	example.com/mail.Send          a function
//	example.com/bus.Client.Publish a method
//	example.com/bus.Client.Put*    methods; a * stands for any text in a name
//	example.com/bus.*.*            all methods of all types
func Extra() *Patterns { return &extra }

var extra Patterns

// Patterns are patterns for functions, with their import paths. One goroutine may set them
// while others read them.
type Patterns struct {
	mu   sync.RWMutex
	text string
	list []pattern
}

type pattern struct{ path, recv, name string }

// String returns the text of the patterns.
func (p *Patterns) String() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.text
}

// Set replaces the patterns. It returns an error if a part of the text is not a pattern.
func (p *Patterns) Set(text string) error {
	var list []pattern
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		parsed, ok := parsePattern(one)
		if !ok {
			return fmt.Errorf("%q is no import path with a function or a method, as example.com/bus.Client.Publish", one)
		}
		list = append(list, parsed)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.list = text, list
	return nil
}

// parsePattern splits a pattern into an import path and names. The path may contain dots,
// too, so a name must begin with a capital letter or *.
func parsePattern(text string) (pattern, bool) {
	var names []string
	for len(names) < 2 {
		dot := strings.LastIndexByte(text, '.')
		if dot < 0 || dot < strings.LastIndexByte(text, '/') {
			break
		}
		first, _ := utf8.DecodeRuneInString(text[dot+1:])
		if first != '*' && !unicode.IsUpper(first) {
			break
		}
		names = append(names, text[dot+1:])
		text = text[:dot]
	}
	switch {
	case text == "":
	case len(names) == 1:
		return pattern{path: text, name: names[0]}, true
	case len(names) == 2:
		return pattern{path: text, recv: names[1], name: names[0]}, true
	}
	return pattern{}, false
}

// has reports whether a pattern matches a function.
func (p *Patterns) has(fn *types.Func) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if len(p.list) == 0 {
		return false
	}
	path, recv := apicall.ImportPath(fn.Pkg()), receiverName(fn)
	for _, one := range p.list {
		if one.path == path && (one.recv == "") == (recv == "") && (recv == "" || fits([]string{one.recv}, recv)) && fits([]string{one.name}, fn.Name()) {
			return true
		}
	}
	return false
}

// mentions reports whether a pattern has the path of a package.
func (p *Patterns) mentions(pkg *types.Package) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, one := range p.list {
		if one.path == apicall.ImportPath(pkg) {
			return true
		}
	}
	return false
}
