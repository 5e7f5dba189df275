package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// unjudged prints up to n random findings of the default rules without a verdict, for a reader.
func unjudged(got map[string]*measurement, n int, seed uint64, w io.Writer) error {
	judged, err := readLines[judgement]("testdata/labels/findings.jsonl")
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, j := range judged {
		known[j.Module+" "+j.Rule+" "+j.At] = true
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(got)) {
		for _, f := range got[name].Findings {
			if f.Default && !known[name+" "+f.Rule+" "+line(f.At)] {
				related := f.Related
				if len(related) > 8 {
					related = append(slices.Clip(related[:8]), fmt.Sprintf("and %d more", len(f.Related)-8))
				}
				texts = append(texts, fmt.Sprintf("%s %s %s\n\t%s\n\t%s\n", name, f.Rule, f.At, f.Message, strings.Join(related, "\n\t")))
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for i, at := range r.Perm(len(texts)) {
		if i == n {
			break
		}
		fmt.Fprintln(w, texts[at])
	}
	fmt.Fprintf(w, "%d of %d shown\n", min(n, len(texts)), len(texts))
	return nil
}
