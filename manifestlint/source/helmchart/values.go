package helmchart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"
)

// Values override the values of a chart. The zero value is empty. Several
// charts may use the same Values.
type Values struct {
	place string // the chart's file from which Chart.Variants made them; "" for none
	files []valuesFile
	sets  []set
}

type valuesFile struct {
	place string
	text  []byte
}

// set is the text of one flag such as --set.
type set struct {
	kind SetKind
	text string
}

// SetKind is the syntax of a set's text. Each kind is a flag of helm template.
type SetKind uint8

// Helm applies the kinds in this order.
const (
	// SetJSON is the syntax of --set-json: k=JSON, or a JSON object.
	SetJSON SetKind = iota
	// Set is the syntax of --set: k=v,k.l=v.
	Set
	// SetString is the syntax of --set-string: k=v, where v is always a string.
	SetString
	// SetFile is the syntax of --set-file: k=path, where the content of the
	// file is the value.
	SetFile
	// SetLiteral is the syntax of --set-literal: k=v, where v is used
	// unchanged.
	SetLiteral
)

var setFlags = [...]string{"--set-json", "--set", "--set-string", "--set-file", "--set-literal"}

// String returns the name of the flag.
func (k SetKind) String() string { return setFlags[k] }

// AddFile adds a values file. Later files override earlier ones. place is the
// path of the file as the user would type it.
func (v *Values) AddFile(place string, text []byte) {
	v.files = append(v.files, valuesFile{place, text})
}

// AddSet adds the text of a flag. For SetFile, the caller must replace the path
// by the content of the file, which is used unchanged.
func (v *Values) AddSet(kind SetKind, text string) { v.sets = append(v.sets, set{kind, text}) }

// With returns the values with one more file. The values override this file.
func (v *Values) With(place string, text []byte) *Values {
	return &Values{
		place: place,
		files: append([]valuesFile{{place, text}}, v.files...),
		sets:  v.sets,
	}
}

// Check returns the error that Render would return for the values.
func (v *Values) Check() error {
	_, err := v.merge()
	return err
}

// merge combines the files and flags to one map. It does the same as
// helm.sh/helm/v4@v4.3.1 pkg/cli/values/options.go:MergeValues, but without
// that package's dependency on a registry client.
func (v *Values) merge() (map[string]any, error) {
	merged := map[string]any{}
	for i := range v.files {
		f := &v.files[i]
		one, err := loader.LoadValues(bytes.NewReader(f.text))
		if err != nil {
			fail := &Failure{File: f.place, Message: oneLine(err.Error())}
			if m := yamlLine().FindStringSubmatch(err.Error()); m != nil {
				fail.Line = number(m[1])
			}
			return nil, fail
		}
		merged = loader.MergeMaps(merged, one)
	}
	sets := slices.Clone(v.sets)
	slices.SortStableFunc(sets, func(a, b set) int { return int(a.kind) - int(b.kind) })
	for _, s := range sets {
		var err error
		switch text := strings.TrimSpace(s.text); {
		case s.kind == SetJSON && strings.HasPrefix(text, "{"):
			var object map[string]any
			if err = json.Unmarshal([]byte(text), &object); err == nil {
				merged = loader.MergeMaps(merged, object)
			}
		case s.kind == SetJSON:
			err = strvals.ParseJSON(s.text, merged)
		case s.kind == Set:
			err = strvals.ParseInto(s.text, merged)
		case s.kind == SetString:
			err = strvals.ParseIntoString(s.text, merged)
		default:
			err = strvals.ParseLiteralInto(s.text, merged)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", s.kind, s.text, err)
		}
	}
	return merged, nil
}

// Variants returns the alternative values that the chart has for tests, at most
// maxVariants. A variant is one of these:
//
//   - a file ci/*-values.yaml
//   - a file values*.yaml beside values.yaml
//   - one file of each pattern, where the file in ci/ overrides the other
//
// A variant overrides the chart's values, and overrides override the variant.
// The variants are sorted by name, those with a single file first.
// chart-testing reads the files in ci/.
func (c *Chart) Variants(overrides *Values) []*Values {
	var tries, bases []*file
	for i := range c.root.files {
		f := &c.root.files[i]
		dir, base := path.Split(f.name)
		ext := path.Ext(base)
		if ext != ".yaml" && ext != ".yml" {
			continue
		}
		stem := strings.TrimSuffix(base, ext)
		switch {
		case dir == "ci/" && (strings.HasSuffix(stem, "-values") || stem == "values"):
			tries = append(tries, f)
		case dir == "" && strings.HasPrefix(stem, "values") && base != "values.yaml":
			bases = append(bases, f)
		}
	}
	byName := func(a, b *file) int { return strings.Compare(a.name, b.name) }
	slices.SortFunc(tries, byName)
	slices.SortFunc(bases, byName)
	var list []*Values
	for _, f := range slices.Concat(tries, bases) {
		list = append(list, overrides.With(f.place, f.data))
	}
	for _, base := range bases {
		for _, try := range tries {
			list = append(list, overrides.With(try.place, try.data).With(base.place, base.data))
		}
	}
	return list[:min(len(list), maxVariants)]
}

const maxVariants = 64
