package folder

import (
	"cmp"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Object is an object in a text.
type Object struct {
	APIVersion, Kind, Namespace, Name string
	// Line is the first line of the object, counted from 1.
	Line int
	// APIVersionAt and KindAt are the positions of the values of apiVersion and kind.
	APIVersionAt, KindAt manifestlint.Span
	// API is the history of the object's API. It is valid only if Known is true.
	API   lifecycle.API
	Known bool
}

// maxObjects is the maximal number of objects in one text.
const maxObjects = 10_000

// objectRule is the name of a check without findings. It is not the ID of a rule.
const objectRule = "objects"

// Objects returns the objects in a text in their order. It returns nil for templates and
// for texts that do not parse.
func Objects(name, text string) []Object {
	var mu sync.Mutex
	var all []Object
	linter := manifestlint.New(manifestlint.Options{
		Enabled:   func(rule string) bool { return rule == objectRule },
		NoScripts: true,
		Checks: []manifestlint.Check{{Rule: objectRule, Run: func(p *manifestlint.Pass) {
			o := p.Object
			mu.Lock()
			defer mu.Unlock()
			if len(all) < maxObjects && o.Embedded == "" {
				all = append(all, Object{
					APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Line: o.Root.Pos.Line,
					APIVersionAt: o.APIVersionAt, KindAt: o.KindAt, API: o.API, Known: o.Known,
				})
			}
		}}},
	})
	linter.Bytes(name, []byte(text))
	slices.SortStableFunc(all, func(a, b Object) int { return cmp.Compare(a.Line, b.Line) })
	return all
}
