package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inventFacts returns invented facts for every release. It calls change for each
// release in the tables.
func inventFacts(change func(f *facts, minor int)) []*facts {
	all := make([]*facts, len(releases))
	for i, r := range releases {
		all[i] = &facts{Release: r.String()}
		if !r.pathsOnly {
			change(all[i], r.minor)
		}
	}
	return all
}

var (
	appleBeta = gvk{"fruit.example", "v1beta1", "Apple"}
	appleGA   = gvk{"fruit.example", "v1", "Apple"}
)

// apples adds an invented API group to the facts. Its beta version is on by
// default from 1.20 to 1.25, needs a gate since 1.22, is deprecated in favour of
// a stable version since 1.23, and is removed in 1.26.
func apples(f *facts, minor int) {
	// Every curated successor must be in the table.
	known := map[gvk]bool{}
	for from, to := range curatedSuccessors {
		for _, k := range []gvk{from, to} {
			if k != (gvk{}) && !known[k] && !isBygone(k) {
				known[k] = true
				f.Paths = append(f.Paths, servedPath{gvk: k, PathGroup: k.Group, PathVersion: k.Version, Resource: strings.ToLower(k.Kind) + "s"})
			}
		}
	}
	if minor < 20 {
		return
	}
	beta := servedPath{gvk: appleBeta, PathGroup: "fruit.example", PathVersion: "v1beta1", Resource: "apples", Namespaced: true, Create: true}
	lists := listKind{gvk{"fruit.example", "v1beta1", "AppleList"}, appleBeta}
	methods := lifecycleMethods{gvk: appleBeta, Introduced: 19, Deprecated: 23, Removed: 26}
	if minor >= 24 {
		methods.Replacement = appleGA
	}
	f.Methods = append(f.Methods, methods, lifecycleMethods{gvk: lists.gvk, Introduced: 19, Deprecated: 23, Removed: 26})
	f.Lists = append(f.Lists, lists)
	if minor < 26 {
		f.Paths = append(f.Paths, beta)
		f.Defaults.EnabledVersions = append(f.Defaults.EnabledVersions, gvr{"fruit.example", "v1beta1", ""})
	}
	if minor >= 22 {
		f.GatedResources = append(f.GatedResources, gatedResource{gvr{"fruit.example", "v1beta1", "apples"}, []string{"Orchard"}})
		f.Gates = append(f.Gates, gateFact{"Orchard", "Beta", true, false})
	}
	if minor >= 24 {
		ga := beta
		ga.gvk, ga.PathVersion = appleGA, "v1"
		f.Paths = append(f.Paths, ga)
		f.Defaults.EnabledVersions = append(f.Defaults.EnabledVersions, gvr{"fruit.example", "v1", ""})
	}
}

func isBygone(k gvk) bool {
	for _, o := range bygone {
		if o.gvk == k {
			return true
		}
	}
	return false
}

func (t *table) find(k gvk) *api {
	for _, a := range t.apis {
		if a.gvk == k {
			return a
		}
	}
	return nil
}

func TestBuildTable(t *testing.T) {
	tab, err := buildTable(inventFacts(apples))
	if err != nil {
		t.Fatal(err)
	}
	a := tab.find(appleBeta)
	if a == nil {
		t.Fatal("no apples")
	}
	if got := a.servable.String(); got != "20-25" {
		t.Errorf("servable in %s", got)
	}
	if got := a.enabled.String(); got != "20-25" {
		t.Errorf("enabled in %s", got)
	}
	if a.introduced != 20 { // the first release with the API, not the method's value
		t.Errorf("introduced in %d", a.introduced)
	}
	if len(a.gated) != 1 || a.gated[0].gate != "Orchard" || a.gated[0].minors.String() != "22-25" {
		t.Errorf("gated %v", a.gated)
	}
	var warnings []string
	for _, w := range a.warnings {
		warnings = append(warnings, w.minors.String()+" "+w.text)
	}
	if got, want := strings.Join(warnings, "\n"), "23 fruit.example/v1beta1 Apple is deprecated in v1.23+, unavailable in v1.26+\n"+
		"24-25 fruit.example/v1beta1 Apple is deprecated in v1.23+, unavailable in v1.26+; use fruit.example/v1 Apple"; got != want {
		t.Errorf("warnings\n%s\nwant\n%s", got, want)
	}
	if len(a.history) != 2 || a.history[0].from != 20 || a.history[1].from != 24 {
		t.Errorf("history %+v", a.history)
	}
	if a.successor != appleGA {
		t.Errorf("successor %v", a.successor)
	}
	list := tab.find(gvk{"fruit.example", "v1beta1", "AppleList"})
	if list == nil || list.class != "List" || list.item != appleBeta || len(list.warnings) != 0 {
		t.Errorf("list %+v", list)
	}
	if s := tab.find(appleGA).successor; s != (gvk{}) {
		t.Errorf("successor of the GA version: %v", s)
	}
}

func TestWarningText(t *testing.T) {
	k := gvk{"", "v1", "Plum"}
	for _, tt := range []struct {
		m     lifecycleMethods
		minor int
		want  string
	}{
		{lifecycleMethods{gvk: k, Deprecated: -1, Removed: 25}, 24, ""},
		{lifecycleMethods{gvk: k, Deprecated: 24, Removed: -1}, 23, ""},
		{lifecycleMethods{gvk: k, Deprecated: 14, Removed: -1}, 18, ""},
		{lifecycleMethods{gvk: k, Deprecated: 14, Removed: -1}, 19, "v1 Plum is deprecated in v1.14+"},
		{lifecycleMethods{gvk: appleBeta, Deprecated: 24, Removed: 27, Replacement: appleGA}, 24, "fruit.example/v1beta1 Apple is deprecated in v1.24+, unavailable in v1.27+; use fruit.example/v1 Apple"},
	} {
		if got := warning(tt.m, tt.minor); got != tt.want {
			t.Errorf("%+v at 1.%d: %q, want %q", tt.m, tt.minor, got, tt.want)
		}
	}
}

// TestEmitIsDeterministic checks that the output is valid Go and does not depend
// on the iteration order of maps.
func TestEmitIsDeterministic(t *testing.T) {
	var first map[string][]byte
	for range 5 {
		tab, err := buildTable(inventFacts(apples))
		if err != nil {
			t.Fatal(err)
		}
		files, err := emit(tab, []string{"1.36.3", "1.37.1"})
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range files {
			if _, err := parser.ParseFile(token.NewFileSet(), name, data, 0); err != nil {
				t.Error(err)
			}
			if first != nil && !bytes.Equal(first[name], data) {
				t.Errorf("%s differs: %s", name, firstDifference(first[name], data))
			}
		}
		first = files
	}
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"a.go": []byte("one\ntwo\n")}
	if err := write(files, dir, true); err == nil {
		t.Error("a missing file is verified")
	}
	if err := write(files, dir, false); err != nil {
		t.Fatal(err)
	}
	if err := write(files, dir, true); err != nil {
		t.Errorf("what was written does not verify: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\n2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := write(files, dir, true)
	if err == nil || !strings.Contains(err.Error(), "line 2:\n- 2\n+ two") {
		t.Errorf("a changed file gives %v", err)
	}
}

func TestLiteral(t *testing.T) {
	for _, tt := range []struct {
		minors []int
		want   string
	}{
		{[]int{37}, "1<<37"},
		{[]int{16, 17, 18}, "1<<19 - 1<<16"},
		{[]int{4, 7, 8}, "(1<<4) | (1<<9 - 1<<7)"},
	} {
		var s minors
		for _, m := range tt.minors {
			s.add(m)
		}
		if got := s.literal(); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.minors, got, tt.want)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	order := []string{"v2", "v1", "v2beta2", "v2beta1", "v1beta1", "v2alpha1", "v1alpha2", "v1alpha1", "nonsense"}
	for i, a := range order {
		for j, b := range order {
			if got := compareVersions(a, b); (got > 0) != (i < j) || (got < 0) != (i > j) {
				t.Errorf("compareVersions(%s, %s) = %d", a, b, got)
			}
		}
	}
}

func TestReleases(t *testing.T) {
	for i, r := range releases {
		if i > 0 && r.minor != releases[i-1].minor+1 {
			t.Errorf("%s does not follow %s", r, releases[i-1])
		}
		if i > 0 && r.pathsOnly && !releases[i-1].pathsOnly {
			t.Errorf("%s is half read after %s", r, releases[i-1])
		}
	}
	if mods := releases[len(releases)-1].modules(); len(mods) != 8 {
		t.Errorf("the newest release has modules %v", mods)
	}
}

func TestCompare(t *testing.T) {
	tab, err := buildTable(inventFacts(apples))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string]string{
		lifecycleFile: `{"group":"fruit.example","version":"v1beta1","kind":"Apple","class":"resource","resource":["apples"],"namespaced":true,"introduced":"1.20","successor":"fruit.example/v1 Apple",` +
			`"served_if_enabled":[["1.20","1.26"]],"served_by_default":[["1.20","1.25"]],` +
			`"warnings":[{"from":"1.23","to":"1.23","text":"fruit.example/v1beta1 Apple is deprecated in v1.23+, unavailable in v1.26+"},` +
			`{"from":"1.24","to":"1.25","text":"fruit.example/v1beta1 Apple is deprecated in v1.23+, unavailable in v1.26+; use fruit.example/v1 Apple"}],` +
			`"history":[{"from":"1.20","deprecated":"1.23","removed":"1.26"},{"from":"1.24","deprecated":"1.23","removed":"1.26","replacement":"fruit.example/v1 Apple"}]}`,
		gatesDataFile: `{"name":"Orchard","perMinor":{"1.22":{"stage":"Alpha"},"1.23":{"stage":"Beta","default":true}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := compare(&out, tab, dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, "only ours") {
			got = append(got, line)
		}
	}
	want := "fruit.example/v1beta1 Apple: servable: ours 20-25, theirs 20-26\n" +
		"gate Orchard: 22: ours Beta true false, theirs Alpha false false\n"
	if strings.Join(got, "") != want {
		t.Errorf("got\n%swant\n%s", strings.Join(got, ""), want)
	}
}
