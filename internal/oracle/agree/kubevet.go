package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/kubevet/kubevet/internal/oracle/manifests"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// verdict is kubevet's answer to an object.
type verdict struct {
	served bool
	answer apiserver.Answer
}

// vet runs kubevet on the objects of some streams. given has objects that exist in the
// cluster. live returns the stored form of an object.
func vet(ctx context.Context, target lifecycle.Target, validation apiserver.FieldValidation, streams []*manifests.Stream, given []json.RawMessage, live func(s *manifests.Stream, k manifests.Key) json.RawMessage) (map[*manifests.Stream]map[manifests.Key]verdict, error) {
	var known []objectcontext.Object
	for _, obj := range given {
		root, err := wire.JSON(bytes.Clone(obj))
		if err != nil {
			return nil, err
		}
		known = append(known, objectcontext.New("", &manifestlint.Object{
			APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
			Name: root.At("metadata", "name").StringOr(""), Root: root,
		}))
	}
	set := checks.NewSet(known)
	all := map[*manifests.Stream]map[manifests.Key]verdict{}
	byName := map[string]*manifests.Stream{}
	for _, s := range streams {
		byName[s.Name] = s
		all[s] = map[manifests.Key]verdict{}
	}
	linter := manifestlint.New(manifestlint.Options{
		Target: target,
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if e.Object == nil || e.Object.Embedded != "" {
				return nil
			}
			o := *e.Object
			k := manifests.Key{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
			s := byName[e.Input.Name]
			if stored := live(s, k); stored != nil {
				var err error
				if o.Old, err = wire.JSON(bytes.Clone(stored)); err != nil {
					return func(manifestlint.Event) error { return err }
				}
			}
			var v verdict
			if _, v.served = set.Resource(target, target.To, &o); v.served {
				v.answer = set.Answer(target, target.To, &o, validation)
			}
			return func(manifestlint.Event) error {
				// Nth counts the objects with the same name, in the stream's order.
				for _, again := all[s][k]; again; _, again = all[s][k] {
					k.Nth++
				}
				all[s][k] = v
				return nil
			}
		},
	})
	_, err := linter.Run(ctx, func(yield func(manifestlint.Input) bool) {
		for _, s := range streams {
			if !yield(manifestlint.Input{Name: s.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.Data)), nil }}) {
				return
			}
		}
	}, func(rules.Finding) error { return nil })
	return all, err
}

// warnings returns the texts of the warnings in an answer.
func (v verdict) warnings() []string {
	var texts []string
	for _, w := range v.answer.Warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

func (v verdict) causes() []string {
	var texts []string
	for _, c := range v.answer.Causes {
		text := c.Text
		if c.Field != "" && c.Field != "<nil>" {
			text = fmt.Sprintf("%s: %s", c.Field, c.Text)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}
