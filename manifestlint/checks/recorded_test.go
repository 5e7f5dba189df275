package checks

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/corpustest"
	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type recordedAnswer struct {
	File, ID, Op, Path string
	Code               int
	Warnings           []string
	Message            string
	Causes             []struct{ Field, Reason, Message string }
}

// ownCases is the name of the file with all cases that are in this repository.
const ownCases = "cases.jsonl.gz"

// collections returns the directories with recorded cases and answers: one in
// this repository, and the one below KUBEVET_CORPUS, if it is set.
func collections(t *testing.T) []string {
	dirs := []string{filepath.Join("..", "..", "rules", "apiserver", "answer", "testdata", "oracle")}
	if dir := corpustest.Dir(t); dir != "" {
		dirs = append(dirs, filepath.Join(dir, "oracle"))
	}
	return dirs
}

// gatesOf has the feature gates with which a server was started, by the suffix
// of the server's name.
var gatesOf = map[string][]string{
	"":         nil,
	"zeroon":   {"PodLifecycleSleepActionAllowZero=true"},
	"gateoff":  {"PodLifecycleSleepActionAllowZero=false"},
	"sleepon":  {"PodLifecycleSleepAction=true"},
	"sleepoff": {"PodLifecycleSleepAction=false", "PodLifecycleSleepActionAllowZero=false"},
}

// tally counts the cases of one server for which the linter and the server
// agree.
type tally struct{ cases, warnings, refused, causes int }

// TestRecordedAnswers compares findings with the recorded answers of real
// servers: the warnings and their order, the errors, and whether the server
// refused the object.
func TestRecordedAnswers(t *testing.T) {
	dirs := collections(t)
	if len(dirs) == 0 {
		t.Fatal("no recorded answers")
	}
	table := map[string]map[string]*tally{} // by family and server
	for _, dir := range dirs {
		cases := map[[2]string][]recordedCase{} // several cases may have the same ID
		files, _ := filepath.Glob(filepath.Join(dir, "cases", "*.jsonl.gz"))
		files = append(files, filepath.Join(dir, ownCases))
		for _, name := range files {
			if _, err := os.Stat(name); err != nil {
				continue
			}
			family := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
			for _, c := range recorded.Lines[recordedCase](t, name) {
				key := [2]string{cmp.Or(c.File, family), c.ID}
				cases[key] = append(cases[key], c)
			}
		}
		answers, _ := filepath.Glob(filepath.Join(dir, "answers", "*.jsonl.gz"))
		own, _ := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
		for _, name := range append(answers, own...) {
			if filepath.Base(name) == ownCases {
				continue
			}
			server := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
			t.Run(server, func(t *testing.T) {
				replay(t, server, cases, recorded.Lines[recordedAnswer](t, name), table)
			})
		}
	}
	t.Log(render(table))
}

func render(table map[string]map[string]*tally) string {
	servers := map[string]bool{}
	for _, row := range table {
		for s := range row {
			servers[s] = true
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "cases: warnings/refused or not/errors equal\t%s\n", strings.Join(slices.Sorted(maps.Keys(servers)), "\t"))
	for _, family := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprint(w, family)
		for _, s := range slices.Sorted(maps.Keys(servers)) {
			c := table[family][s]
			if c == nil {
				c = &tally{}
			}
			fmt.Fprintf(w, "\t%d: %d/%d/%d", c.cases, c.warnings, c.refused, c.causes)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return "\n" + b.String()
}

func replay(t *testing.T, server string, cases map[[2]string][]recordedCase, answers []recordedAnswer, table map[string]map[string]*tally) {
	version, suffix, _ := strings.Cut(server, "-")
	gates, ok := gatesOf[suffix]
	if !ok {
		t.Skipf("server %s has gates that this test does not know", server)
	}
	target, err := lifecycle.NewTarget(version, gates, []string{"api/all=true"})
	if err != nil {
		t.Fatal(err)
	}
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	set := recordedSet(t, cases, answers)
	printed := 0
	nth := map[[2]string]int{}
	for _, a := range answers {
		family := strings.TrimSuffix(a.File, ".jsonl")
		key := [2]string{family, a.ID}
		if nth[key]++; nth[key] > len(cases[key]) {
			continue
		}
		c := cases[key][nth[key]-1]
		if slices.Contains(coveredElsewhere, family) || knownDifferences[a.ID] != "" || !c.comparable(a) {
			continue
		}
		body, old := c.body(t)
		opts := manifestlint.Options{Target: target, Checks: All(set), Severity: severity}
		c.options(&opts, old)
		findings, _ := manifestlint.New(opts).Bytes(c.ID+".json", body)
		got := predictedMessages(findings)
		row := table[family]
		if row == nil {
			row = map[string]*tally{}
			table[family] = row
		}
		n := row[server]
		if n == nil {
			n = &tally{}
			row[server] = n
		}
		n.cases++
		want := a.messages()
		unordered(want.warnings)
		unordered(got.warnings)
		want.errors, got.errors = distinct(want.errors), distinct(got.errors)
		if family == "crd" || family == "server/crds" || family == "server/customresource" {
			// The server validates the fields of a custom resource in random order.
			slices.Sort(want.errors)
			slices.Sort(got.errors)
		}
		warnings := slices.Equal(want.warnings, got.warnings)
		refused := (len(got.errors) > 0) == (a.Code >= 400)
		causes := slices.EqualFunc(want.errors, got.errors, matchesText)
		if warnings {
			n.warnings++
		}
		if refused {
			n.refused++
		}
		if causes {
			n.causes++
		}
		if (!warnings || !refused || !causes) && printed < 400 {
			printed++
			t.Errorf("%s %s: code %d\nwarnings:\n%serrors:\n%s", family, a.ID, a.Code,
				gocmp.Diff(want.warnings, got.warnings), gocmp.Diff(want.errors, got.errors))
		}
	}
}

// coveredElsewhere are families of requests whose answers depend on webhooks or
// on other objects. Tests of the packages webhook and podsecurity cover them.
var coveredElsewhere = []string{"webhook-2call", "server/webhook", "server/admission"}

// knownDifferences has the cases in which the linter and the server differ,
// with the reason.
var knownDifferences = map[string]string{
	"server/podsecurityprepare/name/generated":       "the server makes the name",
	"server/policy/asked/warns":                      "CEL is not evaluated",
	"server/policy/asked/denies":                     "CEL is not evaluated",
	"server/policy/asked/errs":                       "CEL is not evaluated",
	"server/policy/kind/bad-expression":              "CEL is not compiled",
	"kind/network/servicecidr/v1beta1":               "ServiceCIDR is not validated",
	"gvk/resource.k8s.io/v1beta2 DeviceTaintRule":    "a server in a test has no version, and so knows what 1.39 will deprecate",
	"decode/syntax/not-json":                         "no object, so no path to send it to",
	"decode/syntax/trailing":                         "the same",
	"decode/meta/bad-labels":                         "the server goes through a map",
	"kind/crd/schema/cel-bad":                        "CEL is not compiled",
	"kind/other/owners/duplicate-merge":              "a patch is told otherwise than a replacement",
	"kind/service/update/to-headless":                "the old object lacks the address that the server allocated",
	"kind/storage/pv/annotations":                    "which volume plugins take mount options is not re-stated",
	"pod/containers/overhead/fractional/Pod":         "admission compares it with a RuntimeClass",
	"pod/containers/everything-in-order/Pod":         "the same",
	"pod/security/apparmor/with-other-pod-field/Pod": "the server takes the annotation for the field first",
	"update/workload/pod-immutable/Pod":              "of a pod's update only hooks and containers are compared",
}

// messageTexts are the messages of a server, or those that the linter predicts.
type messageTexts struct{ warnings, errors []string }

// messages returns the warnings and errors in a recorded answer.
func (a *recordedAnswer) messages() messageTexts {
	var s messageTexts
	for _, w := range a.Warnings {
		text := strings.TrimPrefix(w, "299 - ")
		if q, err := strconv.Unquote(text); err == nil {
			text = q
		} else {
			text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`))
		}
		s.warnings = append(s.warnings, text)
	}
	if a.Code >= 400 {
		for _, c := range a.Causes {
			s.errors = append(s.errors, c.Field+": "+c.Message)
		}
		if len(a.Causes) == 0 {
			s.errors = []string{a.Message}
		}
	}
	return s
}

// predictedMessages returns the warnings and errors that the linter predicts.
// It leaves out hidden messages, which the server does not send.
func predictedMessages(findings []rules.Finding) messageTexts {
	var s messageTexts
	for _, f := range findings {
		if f.Server != nil && !f.Hidden {
			s.errors = append(s.errors, f.Server.Also...)
		}
		switch {
		case f.Server == nil, f.Hidden:
		case f.Server.Kind == "warning":
			s.warnings = append(s.warnings, f.Server.Text)
		case f.Path != "":
			s.errors = append(s.errors, f.Path+": "+f.Server.Text)
		default:
			s.errors = append(s.errors, f.Server.Text)
		}
	}
	return s
}

// distinct removes repeated errors. The server validates some templates twice.
func distinct(errors []string) []string {
	var once []string
	for _, e := range errors {
		if e = address.ReplaceAllString(e, "(0x0)"); !slices.Contains(once, e) {
			once = append(once, e)
		}
	}
	return once
}

// address matches a pointer in a server's message.
var address = regexp.MustCompile(`\(0x[0-9a-f]+\)`)

// matchesText reports whether the linter's error is equal to the server's
// error. The linter writes … for a value that only the server can print.
func matchesText(want, got string) bool {
	if before, after, found := strings.Cut(got, "…"); found {
		return len(want) >= len(before)+len(after) && strings.HasPrefix(want, before) && strings.HasSuffix(want, after)
	}
	return want == got
}

// unordered sorts the warnings about the keys of a nodeSelector, because
// servers send them in random order.
func unordered(warnings []string) {
	for i := 0; i < len(warnings); i++ {
		n := i
		for n < len(warnings) && strings.Contains(warnings[n], "odeSelector[") {
			n++
		}
		slices.Sort(warnings[i:n])
		i = max(i, n-1)
	}
}

// recordedSet returns a set of the context objects that the recorded requests
// created.
func recordedSet(t *testing.T, cases map[[2]string][]recordedCase, answers []recordedAnswer) *Set {
	var context []objectcontext.Object
	for _, a := range answers {
		same := cases[[2]string{strings.TrimSuffix(a.File, ".jsonl"), a.ID}]
		if len(same) != 1 {
			continue
		}
		c := same[0]
		if a.Code != 201 || c.Obj == nil || strings.Contains(a.Path, "dryRun=All") {
			continue
		}
		root, err := wire.JSON(bytes.Clone(c.Obj))
		if err != nil {
			t.Fatal(err)
		}
		o := &manifestlint.Object{
			APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
			Name: root.At("metadata", "name").StringOr(""), Root: root,
		}
		if slices.Contains(ContextKinds(), o.Kind) {
			context = append(context, objectcontext.New(c.ID, o))
		}
	}
	return NewSet(context)
}
