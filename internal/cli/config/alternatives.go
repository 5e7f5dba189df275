package config

import "sigs.k8s.io/kustomize/kyaml/yaml"

// maxAlternatives is the maximal number of patterns to which a pattern with braces
// expands. {a,b} expands to two patterns. Matching tries all of them, and each pair of
// braces at least doubles their number.
const maxAlternatives = 256

// boundAlternatives adds an error for each pattern of a list that expands to more than
// maxAlternatives patterns.
func (p *parser) boundAlternatives(path string, list *yaml.Node) {
	for _, item := range list.Content {
		if item.Kind == yaml.ScalarNode && countAlternatives(item.Value) > maxAlternatives {
			p.errorf(item, path, "the braces of %s have more than %d alternatives", describeNode(item), maxAlternatives)
		}
	}
}

// countAlternatives returns the number of patterns to which a glob expands, but at most
// maxAlternatives+1.
func countAlternatives(glob string) int {
	type group struct{ before, current int } // number of patterns before and after the last comma in the braces
	groups := []group{{0, 1}}
	end := func() {
		last := len(groups) - 1
		n := groups[last].before + groups[last].current
		groups = groups[:last]
		groups[last-1].current = min(groups[last-1].current*n, maxAlternatives+1)
	}
	for i := 0; i < len(glob); i++ {
		last := &groups[len(groups)-1]
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '{':
			groups = append(groups, group{0, 1})
		case c == ',' && len(groups) > 1:
			last.before, last.current = min(last.before+last.current, maxAlternatives+1), 1
		case c == '}' && len(groups) > 1:
			end()
		}
	}
	for len(groups) > 1 {
		end()
	}
	return groups[0].current
}
