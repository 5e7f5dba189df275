package apiuse

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestMarkerFields(t *testing.T) {
	for text, want := range map[string]map[string]string{
		`groups=apps,resources=deployments,verbs=get;list`:     {"groups": "apps", "resources": "deployments", "verbs": "get;list"},
		`groups="apps",resources={pods,"secrets"},verbs={get}`: {"groups": `"apps"`, "resources": `{pods,"secrets"}`, "verbs": "{get}"},
		`groups="a,b=c",x = y `:                                {"groups": `"a,b=c"`, "x": "y"},
		`groups=policy,verbs=get,list`:                         {"groups": "policy", "verbs": "get"},
		`groups="apps,resources=pods`:                          {"groups": `"apps,resources=pods`},
		`}groups=apps,{resources=pods`:                         {"}groups": "apps", "{resources": "pods"},
		``:                                                     {},
		`,,=`:                                                  {"": ""},
	} {
		if got := markerFields(text); !maps.Equal(got, want) {
			t.Errorf("markerFields(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMarkerList(t *testing.T) {
	for text, want := range map[string][]string{
		"apps;extensions":     {"apps", "extensions"},
		`"apps";"batch"`:      {"apps", "batch"},
		`{ "apps", 'batch' }`: {"apps", "'batch'"},
		`""`:                  {""},
		"":                    {},
	} {
		if got := markerList(text); !slices.Equal(got, want) {
			t.Errorf("markerList(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzMarkerFields(f *testing.F) {
	f.Add(`groups="apps",resources={pods},verbs=get;list`)
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for name, value := range markerFields(text) {
			if !strings.Contains(text, name) || !strings.Contains(text, value) {
				t.Errorf("%q=%q is not in %q", name, value, text)
			}
			markerList(value)
			n++
		}
		if n > strings.Count(text, "=") {
			t.Errorf("%d fields in %q", n, text)
		}
	})
}
