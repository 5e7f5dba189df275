package manifestlint

import (
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// What a template renders to is named as the template: the one is not given what
// was kept of the other.
func TestMemoryOfTemplate(t *testing.T) {
	m := NewMemory(1000)
	template := inMemory("templates/a.yaml", "kind: {{ .Values.kind }}\n")
	if _, err := m.Keep(func() Reader { return countingBy{new(int)} })().Read(template, 1000); err != nil {
		t.Fatal(err)
	}
	unit := inMemory("templates/a.yaml", "kind: Pod\n")
	unit.Trace = func(*rules.Finding) bool { return true }
	reads := 0
	give := m.Give(func() Reader { return countingBy{&reads} })()
	for _, c := range []struct {
		in    Input
		want  string
		reads int
	}{{unit, "kind: Pod\n", 1}, {template, "kind: {{ .Values.kind }}\n", 1}} {
		if data, err := give.Read(c.in, 1000); err != nil || string(data) != c.want || reads != c.reads {
			t.Errorf("got %q, %v, after %d reads, want %q after %d", data, err, reads, c.want, c.reads)
		}
	}
}
