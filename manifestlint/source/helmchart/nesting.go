package helmchart

import (
	"regexp"
	"strings"
	"sync"

	"helm.sh/helm/v4/pkg/chart/common"
)

// mayCallTpl reports whether tpl may call itself when it executes a text.
func mayCallTpl(text string) bool {
	_, rest, ok := strings.Cut(text, "{{")
	return ok && strings.Contains(rest, "tpl")
}

func countTplCalls(text string) string {
	return "{{" + funcNest + "}}" + text + "{{" + funcUnnest + "}}"
}

// countNestedTpl adds calls of nest and unnest to the texts in a value that may
// call tpl. It changes maps and lists in place, and returns the new value of a
// string.
func countNestedTpl(v any) any {
	switch v := v.(type) {
	case string:
		if mayCallTpl(v) {
			return countTplCalls(v)
		}
	case common.Values:
		countNestedTpl(map[string]any(v))
	case map[string]any:
		for k, e := range v {
			if g, ok := countNestedTpl(e).(string); ok {
				v[k] = g
			}
		}
	case []any:
		for i, e := range v {
			if g, ok := countNestedTpl(e).(string); ok {
				v[i] = g
			}
		}
	}
	return v
}

// blockAction matches an action that begins or ends a block.
var blockAction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{-?\s*(?:(if|range|with|define|block)\b|(end)\b)`)
})

// nestedTooDeep reports whether a template's blocks are nested too deeply for a
// recursive parser.
func nestedTooDeep(text string) bool {
	if strings.Count(text, "{{") <= maxNesting {
		return false
	}
	depth := 0
	for _, m := range blockAction().FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			depth = max(0, depth-1)
		} else if depth++; depth > maxNesting {
			return true
		}
	}
	return false
}
