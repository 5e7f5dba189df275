package helmchart

import (
	"regexp"
	"strings"
	"sync"

	"helm.sh/helm/v4/pkg/chart/common"
)

// nests reports whether a text that tpl executes may call tpl.
func nests(text string) bool {
	_, rest, ok := strings.Cut(text, "{{")
	return ok && strings.Contains(rest, "tpl")
}

func guarded(text string) string {
	return "{{" + funcNest + "}}" + text + "{{" + funcRise + "}}"
}

// guard returns a value in which each text that may call tpl counts the depth
// of these calls: see nest. It changes maps and lists in place.
func guard(v any) any {
	switch v := v.(type) {
	case string:
		if nests(v) {
			return guarded(v)
		}
	case common.Values:
		guard(map[string]any(v))
	case map[string]any:
		for k, e := range v {
			if g, ok := guard(e).(string); ok {
				v[k] = g
			}
		}
	case []any:
		for i, e := range v {
			if g, ok := guard(e).(string); ok {
				v[i] = g
			}
		}
	}
	return v
}

// control matches an action that begins or ends a block.
var control = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{-?\s*(?:(if|range|with|define|block)\b|(end)\b)`)
})

// deep reports whether a template's blocks are nested too deeply for a
// recursive parser.
func deep(text string) bool {
	if strings.Count(text, "{{") <= maxNesting {
		return false
	}
	depth := 0
	for _, m := range control().FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			depth = max(0, depth-1)
		} else if depth++; depth > maxNesting {
			return true
		}
	}
	return false
}
