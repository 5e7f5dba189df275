package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/manifests"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// digest is a conversion of an object from another project. It has only hashes of the
// objects: SHA-256 of JSON without spaces and with sorted keys.
type digest struct {
	// File is the path of the object's file below the directory. Object is the index of
	// the object in the file, from 0.
	File   string `json:"file"`
	Object int    `json:"object"`
	// Release is the release of the server.
	Release       string `json:"release"`
	FromVersion   string `json:"fromVersion"`
	Kind          string `json:"kind"`
	ToVersion     string `json:"toVersion"`
	Code          int    `json:"code"`
	From          string `json:"from"`
	DefaultedFrom string `json:"defaultedFrom,omitempty"`
	To            string `json:"to,omitempty"`
}

// manifests converts the deprecated objects of a directory and writes digests. Each
// object is converted by the newest release that serves both versions.
func (s *settings) manifests(ctx context.Context, releases []string) error {
	applications, err := manifests.Collect(s.corpus, regexp.MustCompile("^"), "")
	if err != nil {
		return err
	}
	var objects []*manifests.Object
	for _, a := range applications {
		for _, stream := range a.Streams {
			all, _, err := stream.Objects()
			if err != nil {
				return err
			}
			for _, o := range all {
				api, known := lifecycle.LookupGV(o.Head.APIVersion, o.Head.Kind)
				// Objects of a kind that was replaced by another kind are not converted.
				if next, has := api.Successor(); known && has && next.Kind() == o.Head.Kind {
					objects = append(objects, o)
				}
			}
		}
	}
	answers := make([]*conversion, len(objects))
	newest := slices.Clone(releases)
	slices.Reverse(newest)
	err = s.each(ctx, newest, func(at *client.Server) error {
		for i, o := range objects {
			if answers[i] != nil {
				continue
			}
			c, ok, err := convert(ctx, at, question{ID: fmt.Sprintf("%s#%d", o.Stream.Name, o.Index), Obj: o.Body})
			if err != nil {
				return fmt.Errorf("%s: %w", o.Stream.Name, err)
			}
			if ok {
				answers[i] = &c
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var digests []digest
	var full []conversion
	unserved := map[string]int{}
	for i, o := range objects {
		c := answers[i]
		if c == nil {
			unserved[o.Head.APIVersion+" "+o.Head.Kind]++
			continue
		}
		full = append(full, *c)
		d := digest{
			File: o.Stream.Name, Object: o.Index, Release: c.Release, FromVersion: o.Head.APIVersion, Kind: o.Head.Kind, ToVersion: c.ToVersion, Code: c.Code,
		}
		for _, one := range []struct {
			of   json.RawMessage
			into *string
		}{{c.From, &d.From}, {c.DefaultedFrom, &d.DefaultedFrom}, {c.To, &d.To}} {
			if *one.into, err = hash(one.of); err != nil {
				return err
			}
		}
		digests = append(digests, d)
	}
	fmt.Fprintf(os.Stderr, "%d deprecated objects, %d converted; no release asked serves both versions of:\n", len(objects), len(full))
	for kind, n := range unserved {
		fmt.Fprintf(os.Stderr, "%6d %s\n", n, kind)
	}
	if s.full != "" {
		f, err := os.Create(s.full)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := printLines(f, full); err != nil {
			return err
		}
	}
	return oracle.WriteLines(filepath.Join(s.answers, "corpus.jsonl.gz"), digests)
}

// hash returns the digest of a JSON value, or "" for nil.
func hash(value json.RawMessage) (string, error) {
	if value == nil {
		return "", nil
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
