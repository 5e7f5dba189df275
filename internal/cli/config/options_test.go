package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptions(t *testing.T) {
	c, err := Parse("x.yaml", []byte("rules:\n  fieldmanager:\n    severity: warning\n    options: {calls: True, mode: cli, count: 3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"calls": "true", "mode": "cli", "count": "3"}, c.Rules["fieldmanager"].Options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{
		"rules: {fieldmanager: {options: on}}":              "rules.fieldmanager.options: want a mapping of the rule's options to values",
		"rules: {fieldmanager: {options: {calls: [true]}}}": "rules.fieldmanager.options.calls: want a word, a number, true or false",
		"rules: {fieldmanager: {options: {calls: }}}":       "rules.fieldmanager.options.calls: want a word",
		"rules: {fieldmanager: {option: {calls: true}}}":    "did you mean options?",
	} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
