package nearest

import "testing"

func TestOf(t *testing.T) {
	rules := []string{"deprecatedapi", "disabledapi", "duplicatekey", "execsleep", "prestopsleep", "removedapi", "syntax"}
	tests := []struct {
		word string
		from []string
		want string
	}{
		{"removedapis", rules, "removedapi"},
		{"removed-api", rules, "removedapi"},
		{"RemovedAPI", rules, "removedapi"},
		{"preStopSleep", rules, "prestopsleep"},
		{"syntxa", rules, "syntax"},
		{"depr", rules, "deprecatedapi"},
		{"prestop", rules, "prestopsleep"},
		{"zzz", rules, ""},
		{"", rules, ""},
		{"di", rules, ""},
		{"none", []string{"error", "warning", "never"}, ""},
		{"jsn", []string{"json", "jsonl"}, "json"},
		{"jsoml", []string{"json", "jsonl"}, "jsonl"},
		{"éxecsleep", rules, "execsleep"},
		{string(make([]byte, 100000)), rules, ""},
	}
	for _, tt := range tests {
		if got := Of(tt.word, tt.from); got != tt.want {
			t.Errorf("Of(%.20q) = %q, want %q", tt.word, got, tt.want)
		}
	}
	if got, want := Question("syntx", rules), " (did you mean syntax?)"; got != want {
		t.Errorf("Question = %q, want %q", got, want)
	}
	if got := Question("zzz", rules); got != "" {
		t.Errorf("Question = %q, want none", got)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
