package checks

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
)

func TestFoldEchoes(t *testing.T) {
	const (
		rules = "Invalid value: null: " + uncheckedRules
		one   = `Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid`
		dots  = `Invalid value: "": ".spec.a" must validate at least one schema (anyOf)`
		two   = `Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives`
		all   = `Invalid value: "": "spec.a" must validate all the schemas (allOf)`
	)
	// A message is written as FIELD=TEXT, and a result as FIELD=TEXT+FURTHER
	// ERRORS.
	tests := []struct {
		name           string
		messages, want []string
	}{
		{"nothing", nil, nil},
		{"rules", []string{"spec.a=x", "spec.b=y", "<nil>=" + rules}, []string{"spec.a=x+<nil>: " + rules, "spec.b=y"}},
		{"rules alone", []string{"<nil>=" + rules}, []string{"<nil>=" + rules}},
		{"the next error", []string{"spec.a=x", "<nil>=" + one, "spec.ab=y", "spec.a.b=z"}, []string{"spec.a=x", "spec.ab=y", "spec.a.b=z+<nil>: " + one}},
		{"a dot", []string{"<nil>=" + dots, "spec.a[0]=z"}, []string{"spec.a[0]=z+<nil>: " + dots}},
		{"an error before", []string{"spec.a.b=x", "<nil>=" + all}, []string{"spec.a.b=x+<nil>: " + all}},
		{"another value", []string{"spec.b=x", "<nil>=" + one}, []string{"spec.b=x", "<nil>=" + one}},
		{"no inner error", []string{"<nil>=" + two, "spec.a=x"}, []string{"<nil>=" + two, "spec.a=x"}},
		{"both", []string{"<nil>=" + one, "<nil>=" + dots, "spec.a=x", "<nil>=" + rules},
			[]string{"spec.a=x+<nil>: " + one + "+<nil>: " + dots + "+<nil>: " + rules}},
	}
	for _, tt := range tests {
		var messages []serverMessage
		for _, m := range tt.messages {
			field, text, _ := strings.Cut(m, "=")
			messages = append(messages, serverMessage{Warning: apiserver.Warning{Field: field, Text: text}, cause: &apiserver.Cause{}})
		}
		var got []string
		for _, m := range foldEchoes(messages) {
			got = append(got, strings.Join(append([]string{m.Field + "=" + m.Text}, m.furtherErrors...), "+"))
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
