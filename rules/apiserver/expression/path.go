package expression

import (
	"slices"
	"strconv"
	"strings"
)

// Each is the step of a Path to every item of a list or value of a map.
const Each = "[*]"

// Path is a part of a request that an expression reads. The first step is a
// variable, such as "object". The others are names of fields, and steps into
// lists: "[0]", or Each if an expression reads all items or one that is only
// known when it is evaluated.
type Path []string

// String returns the path in the notation of a server's field paths.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		if i > 0 && !strings.HasPrefix(step, "[") {
			if strings.ContainsAny(step, ".[]") || step == "" {
				step = "[" + strconv.Quote(step) + "]"
			} else {
				b.WriteByte('.')
			}
		}
		b.WriteString(step)
	}
	return b.String()
}

// below returns the path with one more step. Longer paths than maxSteps end
// with their last one.
func (p Path) below(step string) Path {
	if len(p) >= maxSteps {
		return p
	}
	return append(slices.Clip(p), step)
}

// An expression can repeat its operands. These bound the analysis, whose result is then
// less precise.
const (
	maxSteps = 64
	maxPaths = 256
)

// paths is a set of paths, in the order of the expression.
type paths []Path

func (ps paths) with(more ...Path) paths {
	for _, p := range more {
		if len(ps) >= maxPaths {
			return ps
		}
		if !slices.ContainsFunc(ps, func(q Path) bool { return slices.Equal(p, q) }) {
			ps = append(ps, p)
		}
	}
	return ps
}
