package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/rules"
)

func ptr[T any](v T) *T { return &v }

// validConfigs has configurations that both the parser and the schema accept.
var validConfigs = []struct {
	name, text string
	want       Config
}{
	{"empty", "", Config{}},
	{"comments only", "# nothing yet\n", Config{}},
	{"null", "---\nnull\n", Config{}},
	{"everything", `
target: "1.31..1.37"
featureGates: {PodLifecycleSleepActionAllowZero: false, SidecarContainers: true}
runtimeConfig:
  resource.k8s.io/v1beta1: true
  api/alpha: false
rules:
  syntax: off
  duplicatekey: on
  removedapi: warning
  deprecatedapi: {severity: error}
  disabledapi: {enabled: false}
  execsleep: {enabled: true, severity: preview}
  prestopsleep: false
  unusedsuppression: {}
exclude: [vendor/, "**/gen/*.yaml"]
failOn: warning
baseline: ci/baseline.json
embedded: true
requireReason: false
maxDocumentSize: 4Mi
crds: [crds/, "vendor/*/crd.yaml"]
validate: strict
`, Config{
		Target:        "1.31..1.37",
		FeatureGates:  map[string]bool{"PodLifecycleSleepActionAllowZero": false, "SidecarContainers": true},
		RuntimeConfig: map[string]bool{"resource.k8s.io/v1beta1": true, "api/alpha": false},
		Rules: map[string]Rule{
			"syntax":            {Enabled: ptr(false)},
			"duplicatekey":      {Enabled: ptr(true)},
			"removedapi":        {Enabled: ptr(true), Severity: ptr(rules.Warning)},
			"deprecatedapi":     {Severity: ptr(rules.Error)},
			"disabledapi":       {Enabled: ptr(false)},
			"execsleep":         {Enabled: ptr(true), Severity: ptr(rules.Preview)},
			"prestopsleep":      {Enabled: ptr(false)},
			"unusedsuppression": {},
		},
		Exclude:         []string{"vendor/", "**/gen/*.yaml"},
		FailOn:          "warning",
		Baseline:        "ci/baseline.json",
		Embedded:        ptr(true),
		RequireReason:   ptr(false),
		MaxDocumentSize: 4 << 20,
		CRDs:            []string{"crds/", "vendor/*/crd.yaml"},
		Validate:        "strict",
	}},
	{"unquoted minor", "target: 1.30\n", Config{Target: "1.30"}},
	{"unquoted patch", "target: v1.30.2\n", Config{Target: "v1.30.2"}},
	{"runtime config as a list", "runtimeConfig: [api/beta, api/alpha=false, batch/v2alpha1/CronJob=true]\n",
		Config{RuntimeConfig: map[string]bool{"api/beta": true, "api/alpha": false, "batch/v2alpha1/CronJob": true}}},
	{"pattern with many alternatives", "exclude: ['{a,b}{a,b}{a,{b,c}}{a,b}{a,b}{a,b}']\n", Config{Exclude: []string{"{a,b}{a,b}{a,{b,c}}{a,b}{a,b}{a,b}"}}},
	{"size in bytes", "maxDocumentSize: 1000\n", Config{MaxDocumentSize: 1000}},
	{"JSON", `{"failOn": "never", "exclude": []}`, Config{FailOn: "never"}},
	{"byte order mark and CRLF", "\ufefffailOn: never\r\nembedded: true\r\n", Config{FailOn: "never", Embedded: ptr(true)}},
}

// invalidConfigs has configurations that the parser refuses. If form is true, the schema
// accepts the configuration, because only the meaning of a value is wrong.
var invalidConfigs = []struct {
	name, text string
	want       []string
	form       bool
}{
	{"unknown key", "targte: '1.33'\n", []string{`c.yaml:1:1: targte: unknown key (did you mean target?)`}, false},
	{"key in another case", "failon: never\n", []string{`c.yaml:1:1: failon: unknown key (did you mean failOn?)`}, false},
	{"a list", "- a\n", []string{`c.yaml:1:1: want keys and values, not a list`}, false},
	{"a word", "hello\n", []string{`c.yaml:1:1: want keys and values, not "hello"`}, false},
	{"target list", "target: [1.33]\n", []string{`c.yaml:1:9: target: want a Kubernetes minor such as "1.33", or a range such as "1.31..1.37", not a list`}, false},
	{"target with blanks", "target: 1.33 .. 1.37\n", []string{`c.yaml:1:9: target: want a Kubernetes minor such as "1.33", or a range such as "1.31..1.37", not "1.33 .. 1.37"`}, false},
	{"target without a value", "target:\n", []string{`c.yaml:1:8: target: want a Kubernetes minor such as "1.33", or a range such as "1.31..1.37", not nothing`}, false},
	{"unknown rule", "rules:\n  syntax: off\n  removdapi: off\n", []string{`c.yaml:3:3: rules.removdapi: unknown rule (did you mean removedapi?)`}, false},
	{"bad severity", "rules:\n  removedapi: {severity: fatal}\n", []string{`c.yaml:2:26: rules.removedapi.severity: want error, warning, info or preview, not "fatal"`}, false},
	{"bad short form", "rules:\n  removedapi: disabled\n", []string{`c.yaml:2:15: rules.removedapi: want off, on, error, warning, info or preview, not "disabled"`}, false},
	{"rule number", "rules:\n  removedapi: 2\n", []string{`c.yaml:2:15: rules.removedapi: want off, on, error, warning, info or preview, not 2`}, false},
	{"rule list", "rules: [removedapi]\n", []string{`c.yaml:1:8: rules: want a mapping of rule IDs to settings, not a list`}, false},
	{"unknown key of a rule", "rules:\n  removedapi:\n    sevrity: error\n", []string{`c.yaml:3:5: rules.removedapi.sevrity: unknown key (did you mean severity?)`}, false},
	{"enabled as a word", "rules: {removedapi: {enabled: yes}}\n", []string{`c.yaml:1:31: rules.removedapi.enabled: want true or false, not "yes"`}, false},
	{"gate as a word", "featureGates:\n  A: 'true'\n", []string{`c.yaml:2:6: featureGates.A: want true or false, not "true"`}, false},
	{"gate with a bad name", "featureGates:\n  A=true: true\n", []string{`c.yaml:2:3: featureGates: want a mapping of feature gates to true or false; "A=true" cannot be a name`}, false},
	{"gates as a list", "featureGates: [A=true]\n", []string{`c.yaml:1:15: featureGates: want a mapping of feature gates to true or false, not a list`}, false},
	{"runtime config as a word", "runtimeConfig: api/all=true\n", []string{`c.yaml:1:16: runtimeConfig: want a mapping of APIs to true or false, or a list of API=true, not "api/all=true"`}, false},
	{"runtime config value", "runtimeConfig: [api/all=yes]\n", []string{`c.yaml:1:17: runtimeConfig: want API=true or API=false, not "api/all=yes"`}, false},
	{"exclude as a word", "exclude: vendor\n", []string{`c.yaml:1:10: exclude: want a list of patterns, not "vendor"`}, false},
	{"empty pattern", "exclude:\n- a\n- ''\n", []string{`c.yaml:3:3: exclude: want a pattern, not ""`}, false},
	{"pattern with too many alternatives", "exclude: ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}']\n",
		[]string{"c.yaml:1:11: exclude: the braces of \"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\" have more than 256 alternatives"}, true},
	{"failOn none", "failOn: none\n", []string{`c.yaml:1:9: failOn: want error, warning, info or never, not "none"`}, false},
	{"failOn typo", "failOn: warnin\n", []string{`c.yaml:1:9: failOn: want error, warning, info or never, not "warnin" (did you mean warning?)`}, false},
	{"baseline true", "baseline: true\n", []string{`c.yaml:1:11: baseline: want the name of a file, not true`}, false},
	{"embedded as a word", "embedded: sometimes\n", []string{`c.yaml:1:11: embedded: want true or false, not "sometimes"`}, false},
	{"CRDs as a word", "crds: crds/\n", []string{`c.yaml:1:7: crds: want a list of paths, not "crds/"`}, false},
	{"CRDs with an empty path", "crds: ['']\n", []string{`c.yaml:1:8: crds: want a path, not ""`}, false},
	{"unknown validation", "validate: warning\n", []string{`c.yaml:1:11: validate: want strict, warn or ignore, not "warning"`}, false},
	{"size zero", "maxDocumentSize: 0\n", []string{`c.yaml:1:18: maxDocumentSize: want a size between 1 and 1Gi, not 0`}, false},
	{"size with another unit", "maxDocumentSize: 5MB\n", []string{`c.yaml:1:18: maxDocumentSize: want a size such as 500k, 32Mi or 1Gi, not "5MB"`}, false},
	{"size too large", "maxDocumentSize: 2Gi\n", []string{`c.yaml:1:18: maxDocumentSize: want a size between 1 and 1Gi, not 2Gi`}, true},
	{"size float", "maxDocumentSize: 1.5\n", []string{`c.yaml:1:18: maxDocumentSize: want a size such as 32Mi, not 1.5`}, false},
	{"several mistakes", "exclude: 1\nfailOn: 2\n", []string{
		`c.yaml:1:10: exclude: want a list of patterns, not 1`,
		`c.yaml:2:9: failOn: want error, warning, info or never, not 2`,
	}, false},
	{"not YAML", "rules: {\n", []string{`c.yaml:1:1: not YAML: did not find expected node content`}, false},
	{"key twice", "failOn: never\nfailOn: error\n", []string{`c.yaml:2:1: failOn: set before, on line 1`}, true},
	{"rule twice", "rules:\n  syntax: off\n  syntax: on\n", []string{`c.yaml:3:3: rules.syntax: set before, on line 2`}, true},
	{"two documents", "failOn: never\n---\nfailOn: error\n", []string{`c.yaml:2:1: a second document; a configuration has only one`}, true},
	{"alias", "exclude: &x [a]\nbaseline: *x\n", []string{`c.yaml:2:11: baseline: want the name of a file, not an alias (write the value out)`}, false},
	{"merge key", "rules:\n  <<: {syntax: off}\n", []string{`c.yaml:2:3: rules: a key must be a word, not a merge key (write the keys out)`}, true},
	{"key that is a list", "[a]: 1\n", []string{`c.yaml:1:1: a key must be a word, not a list`}, true},
	{"Latin-1", "exclude: [caf\xe9]\n", []string{`c.yaml:1:1: the file is not UTF-8 text`}, true},
	{"column in code points", "{exclude: [日本, 1]}\n", []string{`c.yaml:1:16: exclude: want a pattern, not 1`}, false},
	{"too large", "#" + strings.Repeat("x", MaxSize), []string{`c.yaml:1:1: the configuration has more than 1048576 bytes`}, true},
}

func TestParseGood(t *testing.T) {
	for _, tt := range validConfigs {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse("c.yaml", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.File = "c.yaml"
			if diff := cmp.Diff(&tt.want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseBad(t *testing.T) {
	for _, tt := range invalidConfigs {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Parse("c.yaml", []byte(tt.text))
			if err == nil {
				t.Fatalf("accepted as %+v", c)
			}
			if diff := cmp.Diff(tt.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorf(t *testing.T) {
	c, err := Parse("c.yaml", []byte("failOn: never\nfeatureGates:\n  Foo: true\nruntimeConfig:\n- a/b=true\nrules:\n  syntax: off\n"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"failOn":            "c.yaml:1:9: failOn: no",
		"featureGates.Foo":  "c.yaml:3:3: featureGates.Foo: no",
		"runtimeConfig.a/b": "c.yaml:5:3: runtimeConfig.a/b: no",
		"rules.syntax":      "c.yaml:7:3: rules.syntax: no",
		"target":            "c.yaml:1:1: target: no",
	} {
		if got := c.Errorf(key, "no").Error(); got != want {
			t.Errorf("Errorf(%s) = %q, want %q", key, got, want)
		}
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "10k": 10_000, "10Ki": 10_240, "2M": 2_000_000, "32Mi": 32 << 20, "1G": 1e9, "1Gi": 1 << 30} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "-1", "+1", "1.5Mi", "1KB", "Mi", "1 Mi", "99999999999", "9999999999Gi", "1073741825"} {
		if got, err := ParseSize(s); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", s, got)
		}
	}
}

// FuzzParse checks that no input makes the parser panic. The position of each mistake
// must be in the file.
func FuzzParse(f *testing.F) {
	for _, tt := range validConfigs {
		f.Add([]byte(tt.text))
	}
	for _, tt := range invalidConfigs {
		if len(tt.text) < 1000 {
			f.Add([]byte(tt.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := Parse("c.yaml", data)
		if err == nil {
			return
		}
		lines := strings.FieldsFunc(string(data)+" ", func(r rune) bool { return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029' })
		limit := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + len(lines) + 1
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			t.Fatalf("not a joined error: %v", err)
		}
		for _, e := range joined.Unwrap() {
			at, ok := e.(*Error)
			if !ok || at.Line < 1 || at.Line > limit || at.Column < 1 {
				t.Errorf("%v lies outside of %q", e, data)
			}
		}
	})
}
