package kustomize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// key writes a key and its colon.
func (e *emitter) key(key string) error {
	if simple(key) {
		e.out = append(e.out, key...)
		e.out = append(e.out, ':')
		return nil
	}
	word, ok := e.words[key+":"]
	if !ok {
		if !printable(key) || len(key) > 100 {
			return errUnusual
		}
		text, err := yaml.Marshal(map[string]int{key: 0})
		if err != nil {
			return errUnusual
		}
		if word, ok = strings.CutSuffix(string(text), " 0\n"); !ok || strings.ContainsAny(word, "\n") {
			return errUnusual
		}
		e.keep(key+":", word)
	}
	e.out = append(e.out, word...)
	return nil
}

// keep remembers a word.
func (e *emitter) keep(word, written string) {
	if e.words == nil {
		e.words = map[string]string{}
	}
	if len(e.words) < maxWords {
		e.words[word] = written
	}
}

// maxWords bounds the words that are kept.
const maxWords = 4096

// keys gives the indices of a map's keys in the order in which they are
// written.
func (e *emitter) keys(n *kyaml.Node) ([]int, error) {
	order := make([]int, 0, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != kyaml.ScalarNode || k.Style&kyaml.TaggedStyle != 0 || k.Anchor != "" || k.Value == "<<" {
			return nil, errUnusual
		}
		if _, isText, err := scalar(k); err != nil || !isText {
			return nil, errUnusual
		}
		order = append(order, i)
	}
	compare := func(i, j int) int {
		a, b := n.Content[i].Value, n.Content[j].Value
		switch {
		case a == b:
			return 0
		case e.before(a, b):
			return -1
		}
		return 1
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortFunc(order, compare)
	}
	for i := 1; i < len(order); i++ {
		if n.Content[order[i-1]].Value == n.Content[order[i]].Value {
			return nil, errUnusual
		}
	}
	return order, nil
}

// before reports whether a key is written before another one: letters by
// themselves, and behind what is none. Numbers in keys count as such; the
// library is asked about them.
func (e *emitter) before(a, b string) bool {
	asked := [2]string{a, b}
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x == y {
			a, b = a[n:], b[m:]
			continue
		}
		first, second := unicode.IsLetter(x), unicode.IsLetter(y)
		switch {
		case first != second:
			return second
		case first, !unicode.IsDigit(x) && !unicode.IsDigit(y):
			return x < y
		}
		return e.ask(asked)
	}
	return len(a) < len(b)
}

// ask has the library order two keys.
func (e *emitter) ask(keys [2]string) bool {
	if known, ok := e.orders[keys]; ok {
		return known
	}
	text, err := yaml.Marshal(map[string]int{keys[0]: 0, keys[1]: 1})
	first, _, _ := strings.Cut(string(text), "\n")
	before := err == nil && strings.HasSuffix(first, " 0")
	if e.orders == nil {
		e.orders = map[[2]string]bool{}
	}
	if len(e.orders) < maxWords {
		e.orders[keys] = before
	}
	return before
}
