package kustomize

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v2"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// word writes a text that may have to be told from a number.
func (e *emitter) word(s, key string) error {
	if len(s) > 64 || strings.IndexByte(s, ' ') >= 0 {
		return e.library(s, key)
	}
	word, ok := e.words[s]
	if !ok {
		text, err := yaml.Marshal(s)
		if err != nil {
			return errUnusual
		}
		word = strings.TrimSuffix(string(text), "\n")
		e.keep(s, word)
	}
	e.out = append(e.out, word...)
	return nil
}

// odd has the library write a scalar: first as it is found in a map, which tells
// what comes of it, and then where it stands.
func (e *emitter) odd(n *kyaml.Node, key string) error {
	text, err := kyaml.String(&kyaml.Node{Kind: kyaml.MappingNode, Content: []*kyaml.Node{{Kind: kyaml.ScalarNode, Value: "k"}, n}})
	if err != nil {
		return errUnusual
	}
	var read map[string]any
	if kyaml.Unmarshal([]byte(text), &read) != nil {
		return errUnusual
	}
	written, err := json.Marshal(read)
	if err != nil {
		return errUnusual
	}
	var value struct{ K any }
	if yaml.Unmarshal(written, &value) != nil {
		return errUnusual
	}
	if s, ok := value.K.(string); ok {
		if strings.HasSuffix(s, "\n\n") || s == "\n" || strings.ContainsAny(s, "\r\u0085\u2028\u2029") {
			return errUnusual // how that ends depends on what follows
		}
		return e.library(s, key)
	}
	out, err := yaml.Marshal(value.K)
	if err != nil || bytes.IndexByte(out, '\n') != len(out)-1 {
		return errUnusual
	}
	e.out = append(e.out, out[:len(out)-1]...)
	return nil
}

// library has the library write a text where it stands.
func (e *emitter) library(s, key string) error {
	in := func(s string) (string, error) {
		var v any = s
		for i := len(e.around) - 1; i >= 0; i-- {
			switch {
			case !e.around[i]:
				v = []any{v}
			case i == len(e.around)-1:
				v = map[string]any{key: v}
			default:
				v = map[string]any{"k": v}
			}
		}
		text, err := yaml.Marshal(v)
		return string(text), err
	}
	without, err := in("x")
	if err != nil {
		return errUnusual
	}
	with, err := in(s)
	if err != nil {
		return errUnusual
	}
	text, ok := strings.CutPrefix(with, strings.TrimSuffix(without, "x\n"))
	if !ok {
		return errUnusual
	}
	text = strings.TrimSuffix(text, "\n")
	e.out = append(e.out, text...)
	return nil
}
