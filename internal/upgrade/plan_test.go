package upgrade

import "testing"

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "it was removed": "It was removed.", "minAvailable 1 of 1": "minAvailable 1 of 1.", "kube-proxy runs 1.24": "kube-proxy runs 1.24.", "Done.": "Done.", "why?": "Why?", "é": "é.",
	} {
		if got := sentence(in); got != want {
			t.Errorf("sentence(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	full := []Source{{Kind: "manifests", Given: true}}
	for _, c := range []struct {
		name   string
		report Report
		tone   string
		text   string
	}{
		{"all is well", Report{To: "1.26", Sources: full}, "go", "Ready for 1.26: nothing that was examined breaks."},
		{"a gap", Report{To: "1.26", Sources: []Source{{Kind: "audit", Given: true, Gaps: []string{"5 minutes"}}}}, "care", "No blocker found on the way to 1.26."},
		{"no log", Report{To: "1.26", Sources: []Source{{Kind: "audit"}}}, "care", "No blocker found on the way to 1.26."},
		{"unreadable", Report{To: "1.26", Sources: full, Summary: Summary{Incomplete: true}}, "care", "No blocker found on the way to 1.26, but not everything could be read."},
		{"one change", Report{To: "1.26", MustAct: []Owner{{}}, Summary: Summary{MustAct: 1}}, "stop", "Not ready for 1.26: 1 change is required, by 1 owner."},
	} {
		if v := c.report.verdict(c.report.plan()); v.Tone != c.tone || v.Text != c.text {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestNames checks that the line of a task with few places names their objects.
func TestNames(t *testing.T) {
	at := func(names ...string) (all []Evidence) {
		for _, n := range names {
			all = append(all, Evidence{Object: n})
		}
		return all
	}
	for _, c := range []struct {
		task task
		want string
	}{
		{task{Places: at("Node gpu-1", "Node gpu-2", "Node gpu-1")}, "Node gpu-1, Node gpu-2"},
		{task{Places: at("", "")}, ""},
		{task{Places: at("a", "b", "c", "d", "e")}, ""},
		{task{Places: at("a"), Left: 1}, ""},
	} {
		if got := c.task.Names(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.task, got, c.want)
		}
	}
}
