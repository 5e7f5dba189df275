package writeoptions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
)

// The expected texts are recorded from the functions of apimachinery 0.37.2.

func TestDryRun(t *testing.T) {
	for _, tt := range []struct {
		elements []string
		want     string
	}{
		{nil, ""},
		{[]string{"All"}, ""},
		{[]string{"All", "All"}, ""},
		{[]string{"true"}, `dryRun: Unsupported value: ["true"]: supported values: "All"`},
		{[]string{"All", "all"}, `dryRun: Unsupported value: ["All","all"]: supported values: "All"`},
		{[]string{""}, `dryRun: Unsupported value: [""]: supported values: "All"`},
	} {
		if got := writeoptions.DryRun(tt.elements); got != tt.want {
			t.Errorf("DryRun(%q)\n got %s\nwant %s", tt.elements, got, tt.want)
		}
	}
}

func TestFieldManager(t *testing.T) {
	const long = "fieldManager: Too long: may not be more than 128 bytes"
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"", nil},
		{"kubectl-client-side-apply", nil},
		{"my operator", nil},
		{"opérateur", nil},
		{strings.Repeat("x", 128), nil},
		{strings.Repeat("x", 129), []string{long}},
		{strings.Repeat("é", 65), []string{long}},
		{"a\tb\n", []string{
			`fieldManager: Invalid value: "a\tb\n": invalid character U+0009 (at position 1)`,
			`fieldManager: Invalid value: "a\tb\n": invalid character U+000A (at position 3)`,
		}},
		// A byte that is not UTF-8 is read as U+FFFD, which is printable.
		{"a\xff\u00a0b", []string{`fieldManager: Invalid value: "a\xff\u00a0b": invalid character U+00A0 (at position 2)`}},
	} {
		if got := writeoptions.FieldManager(tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("FieldManager(%q)\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestFieldValidation(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "Ignore": "", "Warn": "", "Strict": "",
		"strict": `fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"`,
	} {
		if got := writeoptions.FieldValidation(value); got != want {
			t.Errorf("FieldValidation(%q)\n got %s\nwant %s", value, got, want)
		}
	}
	for value, want := range map[string]string{"strict": "Strict", "IGNORE": "Ignore", "Warn": "Warn", "": "", "true": ""} {
		if got := writeoptions.Validation(value); got != want {
			t.Errorf("Validation(%q) = %q, want %q", value, got, want)
		}
	}
}
