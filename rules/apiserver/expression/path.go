package expression

import (
	"slices"
	"strconv"
	"strings"
)

// Each is the step of a Path that means all items of a list or all values of a
// map.
const Each = "[*]"

// Path is a part of a request that an expression reads. The first step is a
// variable, such as "object". Other steps are names of fields, an index such as
// "[0]", or Each. Each also means a single item whose index is computed.
type Path []string

// String returns the path in the server's notation.
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

// appendStep returns the path with one more step. A path that already has maxSteps is
// returned unchanged.
func (p Path) appendStep(step string) Path {
	if len(p) >= maxSteps {
		return p
	}
	return append(slices.Clip(p), step)
}

// Limits of the analysis. If an expression exceeds them, the result is less
// precise.
const (
	maxSteps = 64
	maxPaths = 256
)

// paths is a set of paths in the order in which the expression has them.
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
