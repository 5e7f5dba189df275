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

// Values are the values for charts in addition to their own. The zero value is
// empty. It may be used for several charts.
type Values struct {
	place string // the file of the chart that makes them a variant
	files []valuesFile
	sets  []set
}

type valuesFile struct {
	place string
	text  []byte
}

// set is one flag that sets values.
type set struct {
	kind SetKind
	text string
}

// SetKind is the syntax of a set's text: see the flags of helm template.
type SetKind uint8

// The kinds are in the order in which Helm applies them.
const (
	// SetJSON is --set-json: k=JSON, or an object.
	SetJSON SetKind = iota
	// Set is --set: k=v,k.l=v.
	Set
	// SetString is --set-string, whose values are strings.
	SetString
	// SetFile is --set-file: k=path.
	SetFile
	// SetLiteral is --set-literal, whose value is not parsed.
	SetLiteral
)

var setFlags = [...]string{"--set-json", "--set", "--set-string", "--set-file", "--set-literal"}

// String returns the flag.
func (k SetKind) String() string { return setFlags[k] }

// AddFile adds a values file. Later files override earlier ones. place is what
// the user would type for it.
func (v *Values) AddFile(place string, text []byte) {
	v.files = append(v.files, valuesFile{place, text})
}

// AddSet adds the text of a flag. For SetFile, the caller has replaced the path
// by the file's content, and the text is added as for SetLiteral.
func (v *Values) AddSet(kind SetKind, text string) { v.sets = append(v.sets, set{kind, text}) }

// With returns the values with an additional file that they override.
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

// merge re-states helm.sh/helm/v4@v4.3.1 pkg/cli/values/options.go:MergeValues,
// whose package depends on a client for registries.
func (v *Values) merge() (map[string]any, error) {
	merged := map[string]any{}
	for i := range v.files {
		f := &v.files[i]
		one, err := loader.LoadValues(bytes.NewReader(f.text))
		if err != nil {
			fail := &Failure{File: f.place, Message: flat(err.Error())}
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
// maxVariants. They are each ci/*-values.yaml and each values*.yaml beside values.yaml,
// as in chart-testing and many charts, and each combination of the two, where ci/ wins.
// They override the chart's values, and the given values override them. They are sorted
// by name, single files first.
func (c *Chart) Variants(given *Values) []*Values {
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
		list = append(list, given.With(f.place, f.data))
	}
	for _, base := range bases {
		for _, try := range tries {
			list = append(list, given.With(try.place, try.data).With(base.place, base.data))
		}
	}
	return list[:min(len(list), maxVariants)]
}

// maxVariants bounds how often a chart is rendered for its alternative values.
const maxVariants = 64
