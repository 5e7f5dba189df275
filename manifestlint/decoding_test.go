package manifestlint_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// content is what kubevet reads from a text.
type content struct {
	objects []sent
	// syntax has the messages of the findings of the rule syntax. skipped has the
	// number of documents that were not checked, by reason.
	syntax  []string
	skipped map[string]int
}

// kubevetObjects returns what kubevet reads from a file.
func kubevetObjects(text []byte) content {
	var s content
	linter := manifestlint.New(manifestlint.Options{
		Target: lifecycle.Known(),
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if o := e.Object; o != nil {
				s.objects = append(s.objects, asSent(o))
			}
			return nil
		},
	})
	findings, sum := linter.Bytes("a.yaml", text)
	for _, f := range findings {
		if f.Rule == "syntax" {
			s.syntax = append(s.syntax, f.Message)
		}
	}
	s.skipped = sum.Skipped
	return s
}

func asSent(o *manifestlint.Object) sent {
	body, ok := goValue(o.Root).(map[string]any)
	if ok && body["kind"] == nil && body["apiVersion"] == nil { // an item of a list whose kind determines the kind of the items
		body["apiVersion"], body["kind"] = o.APIVersion, o.Kind
	}
	return sent{
		o.APIVersion, o.Kind,
		o.Root.At("metadata", "namespace").StringOr(""), o.Root.At("metadata", "name").StringOr(""), body,
	}
}

// goValue converts a value to the Go types into which the API machinery decodes
// JSON.
func goValue(v *wire.Value) any {
	switch v.Kind {
	case wire.Bool:
		return v.Text == "true"
	case wire.Number:
		var n any
		if err := utiljson.Unmarshal([]byte(v.Text), &n); err != nil {
			return err
		}
		return integerIfWhole(n)
	case wire.String:
		return v.Text
	case wire.Map:
		m := map[string]any{}
		for _, f := range v.Fields {
			m[f.Name] = goValue(f.Value)
		}
		return m
	case wire.List:
		list := []any{}
		for _, item := range v.Items {
			list = append(list, goValue(item))
		}
		return list
	}
	return nil
}

// integerIfWhole converts a float without a fraction to an integer. kubectl
// writes 1e3 as 1000 when it converts YAML to JSON. In a JSON file, kubectl and
// kubevet keep the text.
func integerIfWhole(n any) any {
	if f, ok := n.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return n
}

// integersIfWhole applies integerIfWhole to all numbers in a value.
func integersIfWhole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = integersIfWhole(v[name])
		}
	case []any:
		for i := range v {
			v[i] = integersIfWhole(v[i])
		}
	case float64:
		return integerIfWhole(v)
	}
	return v
}

// compareDecoders compares the objects that kubevet and kubectl read from one
// file. If they differ on purpose, deliberate is the name of the difference.
func compareDecoders(text []byte) (deliberate string, err error) {
	want, errs := kubectlObjects(text)
	for i := range want {
		want[i].body = integersIfWhole(want[i].body)
	}
	got := kubevetObjects(text)
	missing, more := subtract(want, got.objects)
	complaint := ""
	switch {
	case len(missing) > 0:
		complaint = fmt.Sprintf("kubevet does not see %d of %d objects", len(missing), len(want))
	case len(errs) == 0 && len(got.syntax) > 0:
		complaint = "kubevet reports a text that kubectl reads: " + got.syntax[0]
	case len(errs) == 0 && len(more) > 0:
		complaint = fmt.Sprintf("kubevet sees %d objects that kubectl does not", len(more))
	case len(errs) > 0 && len(got.syntax) == 0:
		complaint = "kubevet does not report: " + errs[0].Error()
	default:
		return "", nil
	}
	for _, d := range deliberateDifferences {
		if d.applies(comparison{text: string(decoded(text)), errs: errs, missing: missing, more: more, got: got}) {
			return d.name, nil
		}
	}
	return "", fmt.Errorf("%s\n%q\nkubectl errors %v\nsyntax %v, skipped %v", complaint, text, errs, got.syntax, got.skipped)
}

// subtract returns the objects that are only in want, and those that are only
// in got.
func subtract(want, got []sent) (missing, more []sent) {
	more = append(more, got...)
	for _, w := range want {
		found := false
		for i, g := range more {
			if found = cmp.Equal(w, g, cmp.AllowUnexported(sent{})); found {
				more = append(more[:i:i], more[i+1:]...)
				break
			}
		}
		if !found {
			missing = append(missing, w)
		}
	}
	return missing, more
}

// comparison is a text that kubevet and kubectl read in different ways.
type comparison struct {
	text          string
	errs          []error
	missing, more []sent
	got           content
}

func (c comparison) err() string {
	if len(c.errs) == 0 {
		return ""
	}
	return c.errs[0].Error()
}

// deliberateDifferences are the kinds of texts that kubevet and kubectl read in
// different ways on purpose. If kubectl sends an object that kubevet does not
// find, kubevet must report the text.
var deliberateDifferences = []struct {
	name, reason string
	applies      func(comparison) bool
}{
	{
		"ignored text", "kubectl gives each text between two lines of dashes to a parser that stops at the end of a document, and so ignores mistakes behind it, such as a misplaced bracket, and with them whole documents. kubevet reports them",
		func(c comparison) bool { return len(c.got.syntax) > 0 },
	},
	{
		"further document", "kubectl ignores documents behind an end marker, a carriage return or a JSON value; other clients read them",
		func(c comparison) bool { return len(c.errs) == 0 && len(c.missing) == 0 && len(c.more) > 0 },
	},
	{
		"List without items", "kubectl sends it as an object, but no server has the kind",
		func(c comparison) bool {
			return len(c.missing) > 0 && !slices.ContainsFunc(c.missing, func(s sent) bool { return s.apiVersion != "v1" || s.kind != "List" })
		},
	},
	{
		"list of lists", "kubectl's decoder has no way to unroll a list in a list; other clients have",
		func(c comparison) bool { return strings.Contains(c.err(), "no Items field") },
	},
	{
		"not an object", "a document that is not an object is counted, not reported",
		func(c comparison) bool {
			return strings.HasPrefix(c.err(), "json: cannot unmarshal") || strings.HasPrefix(c.err(), "Object 'Kind'") ||
				strings.Contains(c.err(), "separator") && len(c.missing)+len(c.more) == 0 && !document.LooksLikeManifest([]byte(c.text))
		},
	},
	{
		"JSON, then YAML", "kubectl does not read YAML behind two JSON values, nor an end marker behind one; kubevet reads each document for itself",
		func(c comparison) bool { return strings.Contains(c.err(), "invalid character") },
	},
	{
		"directive", "kubectl takes the directives before the first marker for a document, and then finds no content in it",
		func(c comparison) bool {
			return (strings.HasPrefix(c.text, "%") || strings.Contains(c.text, "\n%")) && strings.Contains(c.err(), "yaml: ")
		},
	},
	{
		"byte order mark", "kubectl's parser takes a mark behind the first marker, or before one, for a column",
		func(c comparison) bool {
			return strings.Contains(c.text, "\ufeff") && strings.Contains(c.err(), "yaml: ")
		},
	},
	{
		"mark in the text", "kubectl's parser makes a mark within the first document a part of a key",
		func(c comparison) bool {
			return strings.Contains(c.text, "\ufeff") && len(c.missing) == len(c.more)
		},
	},
	{
		"first marker", "kubectl does not remove the first marker of a file, and its parser does not know one with a comment right behind it",
		func(c comparison) bool {
			return strings.HasPrefix(strings.TrimPrefix(c.text, "\ufeff"), "---#") && len(c.errs) > 0
		},
	},
	{
		"carriage return", "kubectl does not take a lone carriage return for the end of a marker; its parser, and other clients, do",
		func(c comparison) bool {
			return strings.Contains(c.text, "\r") && strings.Contains(c.err(), "separator")
		},
	},
	{
		"JSON with tabs", "kubectl reads JSON behind the first document as YAML, which restricts tabs; kubevet reads all JSON as JSON",
		func(c comparison) bool {
			return strings.Contains(c.text, "\t") && strings.Contains(c.text, "{") &&
				(strings.Contains(c.err(), "cannot start any token") || strings.Contains(c.err(), "tab character"))
		},
	},
	{
		"no sign", "a text without a sign of a manifest, such as one that ends too early, is counted, not reported",
		func(c comparison) bool {
			return len(c.missing) == 0 && c.got.skipped[rules.SkipUnparsable]+c.got.skipped[rules.SkipBinary]+c.got.skipped[rules.SkipEmpty] > 0 &&
				!document.LooksLikeManifest([]byte(c.text))
		},
	},
	{
		"template", "a mistake beside the markup of a template may depend on it",
		func(c comparison) bool {
			return len(c.missing) == 0 && c.got.skipped[rules.SkipTemplated] > 0
		},
	},
	{
		"tag", "a tag that does not fit its value is ignored",
		func(c comparison) bool { return strings.Contains(c.err(), "cannot decode !!") },
	},
}

// spellings is the number of generated files that are compared with kubectl.
const spellings = 5000

func TestSpellings(t *testing.T) {
	counts := map[string]int{}
	for i := range spellings {
		d, err := compareDecoders(randomFile(uint64(i)))
		if err != nil {
			t.Errorf("spelling %d: %v", i, err)
		}
		counts[d]++
	}
	for _, d := range deliberateDifferences {
		if counts[d.name] == 0 {
			t.Errorf("no spelling has the difference %q", d.name)
		}
	}
	t.Logf("files with each difference: %v", counts)
}

// FuzzSpellings compares kubevet with kubectl for arbitrary texts.
func FuzzSpellings(f *testing.F) {
	for i := range 200 {
		f.Add(randomFile(uint64(i)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := compareDecoders(text); err != nil {
			t.Fatal(err)
		}
	})
}
