package columns

import "testing"

func TestMarkdown(t *testing.T) {
	got := Markdown([]string{"A", "B"}, [][]string{{"x|y", "1\n2"}}, Escape)
	if want := "| A | B |\n| --- | --- |\n| x\\|y | 1 2 |\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
