package ruletest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules"
)

// pageRule returns a rule whose page begins on line 9. Two single quotes in text become a
// backtick.
func pageRule(text string) rules.Rule {
	return rules.Rule{
		ID: "syntax", Line: 9, Page: strings.ReplaceAll(text, "''", "`"),
		Surfaces: []rules.Surface{rules.SurfaceManifest},
	}
}

const fence = "''''''"

func TestExamples(t *testing.T) {
	r := pageRule("Text.\n\n" +
		fence + "yaml target=1.30..1.31 gates=A=true,B=false runtime-config=api/beta=true embedded require-reason also=removedapi,duplicatekey\n" +
		"a: 1 # want \"x\" /y+/\nb: 2\n# want ''z''\n" + fence + "\n" +
		"\n" + fence + "console\n$ ls\n" + fence + "\n\n" +
		fence + "json file=app.json\n{\"a\":\n# want \"json has no comments\"\n" + fence + "\n\n" +
		fence + "text\napp.json:2: plain text\napp.json:3:14: /reg.*exp/\napp.json: the whole file\n" + fence + "\n\n" +
		fence + "text\nnot output: this follows no example\n" + fence + "\n")
	got, err := Examples(r, rules.SurfaceManifest)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"syntax:11 example.yaml target=1.30..1.31 gates=A=true,B=false runtime-config=api/beta=true embedded=true reason=true also=removedapi+duplicatekey",
		`  1:0 @12 "x"`, `  1:0 @12 /y+/`, `  3:0 @14 "z"`,
		"syntax:21 app.json target= gates= runtime-config= embedded=false reason=false also=",
		`  2:0 @27 "plain text"`, `  3:14 @28 /reg.*exp/`, `  0:0 @29 "the whole file"`,
	}
	if diff := cmp.Diff(want, describe(got)); diff != "" {
		t.Error(diff)
	}
	if got := string(got[0].Source); got != "a: 1 # want \"x\" /y+/\nb: 2\n# want `z`\n" {
		t.Errorf("source %q", got)
	}
	if got, err := Examples(r, rules.SurfaceGo); len(got) != 0 || err != nil {
		t.Errorf("another surface: %v, %v", got, err)
	}
}

func TestExamplesErrors(t *testing.T) {
	yaml := func(line string) string { return fence + "yaml\n" + line + "\n" + fence + "\n" }
	for _, tt := range []struct{ name, text, want string }{
		{"not closed", "\n" + fence + "yaml\na: 1\n", "rules/syntax.md:10: the block is not closed"},
		{"unknown option", fence + "yaml tarket=1.37\n" + fence + "\n", `rules/syntax.md:9: unknown option "tarket=1.37"`},
		{"option without value", fence + "yaml target=\n" + fence + "\n", `rules/syntax.md:9: option "target=" has no value`},
		{"option without =", fence + "yaml target\n" + fence + "\n", `rules/syntax.md:9: option "target" has no value`},
		{"also no rule", fence + "yaml also=nosuchrule\n" + fence + "\n", `"nosuchrule" is not another rule`},
		{"also itself", fence + "yaml also=syntax\n" + fence + "\n", `"syntax" is not another rule`},
		{"want nothing", yaml("a: 1 # want"), "rules/syntax.md:10: want comment: nothing is wanted"},
		{"want unquoted", yaml("a: 1 # want x"), "rules/syntax.md:10: want comment: want a quoted string"},
		{"want unclosed", yaml(`a: 1 # want "x`), "rules/syntax.md:10: want comment: unclosed quote"},
		{"want unclosed regexp", yaml(`a: 1 # want /x`), "rules/syntax.md:10: want comment: unclosed regular"},
		{"want bad regexp", yaml(`a: 1 # want /(/`), "rules/syntax.md:10: want comment: error parsing regexp"},
		{"want empty", yaml(`a: 1 # want ""`), "rules/syntax.md:10: want comment: an empty string"},
		{"output of another file", yaml("a: 1") + fence + "text\nb.yaml:1: x\n" + fence + "\n", "rules/syntax.md:13: want lines like"},
		{"output without text", yaml("a: 1") + fence + "text\nexample.yaml:1\n" + fence + "\n", "rules/syntax.md:13: want lines like"},
		{"unknown validation", fence + "yaml validate=maybe\n" + fence + "\n", "rules/syntax.md:9: validate=maybe: want strict, warn or ignore"},
		{"old without an example", fence + "yaml old\na: 1\n" + fence + "\n", "no example follows the block with option old"},
		{"old twice", fence + "yaml old\na: 1\n" + fence + "\n" + fence + "yaml old\na: 1\n" + fence + "\n", "rules/syntax.md:12: a block with option old"},
		{"old that wants", fence + "yaml old\na: 1 # want \"x\"\n" + fence + "\n", "rules/syntax.md:9: a block with option old has no want comments"},
		{"output bad regexp", yaml("a: 1") + fence + "text\nexample.yaml:1: /(/\n" + fence + "\n", "rules/syntax.md:13: error parsing regexp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Examples(pageRule(tt.text), rules.SurfaceManifest)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, error %v; want an error with %q", describe(got), err, tt.want)
			}
		})
	}
}

// TestExamplesOld checks that a block with the option old belongs to the next example.
func TestExamplesOld(t *testing.T) {
	r := pageRule(fence + "yaml old\na: 1\n" + fence + "\ntext\n" + fence + "yaml validate=strict\na: 2\n" + fence + "\n" + fence + "yaml\na: 3\n" + fence + "\n")
	got, err := Examples(r, rules.SurfaceManifest)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || string(got[0].Old) != "a: 1\n" || string(got[0].Source) != "a: 2\n" || got[0].Validate != "strict" || got[1].Old != nil {
		t.Errorf("%+v", got)
	}
}

// describe returns the examples and their wants as text.
func describe(all []Example) []string {
	var out []string
	for _, ex := range all {
		out = append(out, strings.Join([]string{
			ex.Rule + ":" + strconv.Itoa(ex.Line), ex.File, "target=" + ex.Target, "gates=" + ex.Gates,
			"runtime-config=" + ex.RuntimeConfig, "embedded=" + strconv.FormatBool(ex.Embedded),
			"reason=" + strconv.FormatBool(ex.RequireReason),
			"also=" + strings.Join(ex.Also, "+"),
		}, " "))
		for _, w := range ex.Wants {
			out = append(out, "  "+strconv.Itoa(w.Line)+":"+strconv.Itoa(w.Column)+" @"+strconv.Itoa(w.PageLine)+" "+w.String())
		}
	}
	return out
}

func TestCompare(t *testing.T) {
	all, err := Examples(pageRule(fence+"yaml also=removedapi\n"+
		"a: 1 # want \"one\" /^warning: spec.a: tw.$/\nb: 2\nc: 3 # want \"three (1.16..1.20)\"\n"+fence+"\n"),
		rules.SurfaceManifest)
	if err != nil {
		t.Fatal(err)
	}
	var (
		one   = rules.Finding{Rule: "syntax", Severity: rules.Error, Message: "one", Line: 1}
		two   = rules.Finding{Rule: "syntax", Severity: rules.Warning, Message: "two", Path: "spec.a", Line: 1}
		three = rules.Finding{Rule: "syntax", Message: "three", Minors: "1.16..1.20", Line: 3}
		other = rules.Finding{Rule: "removedapi", Message: "other", Line: 2}
		dup   = rules.Finding{Rule: "duplicatekey", Message: "dup", Line: 2, Column: 4}
	)
	for _, tt := range []struct {
		name string
		in   []rules.Finding
		want []string
	}{
		{"as written", []rules.Finding{one, two, three, other}, nil},
		{"another order", []rules.Finding{three, two, other, one}, nil},
		{"not reported", []rules.Finding{two, three, other}, []string{`rules/syntax.md:10: not reported on line 1: "one"`}},
		{"reported twice", []rules.Finding{one, one, two, three, other}, []string{"rules/syntax.md:10: not wanted at 1:0: error: one"}},
		{"another rule", []rules.Finding{one, two, three, other, dup},
			[]string{"rules/syntax.md:11: another rule reports: preview: dup [duplicatekey] (say also=duplicatekey if that is meant)"}},
		{"also in vain", []rules.Finding{one, two, three},
			[]string{"rules/syntax.md:9: also=removedapi, but that rule reports nothing"}},
		{"another line", []rules.Finding{one, two, {Rule: "syntax", Message: "three", Minors: "1.16..1.20", Line: 2}, other},
			[]string{"rules/syntax.md:11: not wanted at 2:0: preview: three (1.16..1.20)",
				`rules/syntax.md:12: not reported on line 3: "three (1.16..1.20)"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, compare(all[0], tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCompareColumn(t *testing.T) {
	all, err := Examples(pageRule(fence+"yaml\na: 1\n"+fence+"\n"+fence+"text\nexample.yaml:1:4: x\n"+fence+"\n"), rules.SurfaceManifest)
	if err != nil {
		t.Fatal(err)
	}
	at := func(column int) []rules.Finding {
		return []rules.Finding{{Rule: "syntax", Message: "x", Line: 1, Column: column}}
	}
	if got := compare(all[0], at(4)); got != nil {
		t.Errorf("got %q", got)
	}
	if got := compare(all[0], at(5)); len(got) != 2 {
		t.Errorf("got %q, want two differences", got)
	}
}

func TestMismatch(t *testing.T) {
	on := func(id string, s ...rules.Surface) rules.Rule { return rules.Rule{ID: id, Surfaces: s} }
	all := []rules.Rule{on("a", rules.SurfaceManifest), on("b", rules.SurfaceManifest, rules.SurfaceAudit), on("c", rules.SurfaceGo)}
	for _, tt := range []struct {
		name string
		ids  []string
		want string
	}{
		{"match", []string{"b", "a"}, ""},
		{"not implemented", []string{"a"}, "b.md names surface manifest, but nothing there implements the rule"},
		{"twice", []string{"a", "b", "b"}, "rule b is implemented 2 times for surface manifest"},
		{"wrong surface", []string{"a", "b", "c"}, "rule c is implemented for surface manifest, but its page does not name that"},
		{"no page", []string{"a", "b", "d"}, `"d" is implemented for surface manifest and has no page`},
	} {
		if got := strings.Join(mismatch(rules.SurfaceManifest, all, tt.ids), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzExamples(f *testing.F) {
	for _, r := range rules.Catalogue() {
		f.Add(r.Page)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Examples(rules.Rule{ID: "syntax", Line: 9, Page: text}, rules.SurfaceManifest)
		if err != nil {
			return
		}
		lines := strings.Split(text, "\n")
		for _, ex := range all {
			if !strings.HasPrefix(lines[ex.Line-9], "```") {
				t.Errorf("line %d is no fence: %q", ex.Line, lines[ex.Line-9])
			}
			if !slices.IsSortedFunc(ex.Wants, func(a, b Want) int { return a.PageLine - b.PageLine }) {
				t.Errorf("wants are out of order: %v", ex.Wants)
			}
		}
	})
}
