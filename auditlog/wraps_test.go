package auditlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// whole returns all parts of an event as text.
func whole(e *Event) string {
	var request, response any
	_ = json.Unmarshal(e.Request(), &request)
	_ = json.Unmarshal(e.Response(), &response)
	notes := m{}
	e.Annotations(func(key, v Text) bool { notes[key.String()] = v.String(); return true })
	return describe(e) + js([]any{e.Level, e.Stamp.Time(), e.Received.Time(), e.Reason.String(), e.Message.String(), e.Lost, request, response, notes, e.Ref.ResourceVersion.String(), e.Ref.UID.String()})
}

// TestWraps reads one log in all formats, and compares the events with the
// events of the plain log.
func TestWraps(t *testing.T) {
	lines := small(t)
	want, sum := readAll(t, Options{}, whole, bytesInput("plain", []byte(strings.Join(lines, "\n"))))
	if len(want) != len(lines) || sum.Damaged != 0 {
		t.Fatalf("%d events of %d lines: %+v", len(want), len(lines), sum)
	}
	for name, wrap := range wraps(t) {
		t.Run(name, func(t *testing.T) {
			got, sum := readAll(t, Options{}, whole, bytesInput("log", []byte(wrap(lines))))
			if sum.Damaged != 0 || len(sum.Failed) != 0 || len(sum.Barren) != 0 {
				t.Errorf("damaged %d %v, failed %v, barren %v %v", sum.Damaged, sum.Damage[:min(3, len(sum.Damage))], sum.Failed, sum.Barren, sum.Looks)
			}
			if sum.Foreign[ForeignOther]+sum.Foreign[ForeignText] > 1 {
				t.Errorf("foreign %v", sum.Foreign)
			}
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("%d events, want %d; event %d: got\n%.1500s\nwant\n%.1500s", len(got), len(want), i, append(got, "nothing", "")[min(i, len(got))], want[i])
				}
			}
			if len(got) > len(want) {
				t.Errorf("%d events, want %d", len(got), len(want))
			}
			// OnlyDeprecated must keep the same deprecated events in all
			// formats.
			line := func(e *Event) string { return fmt.Sprint(e.Deprecated, e.AuditID) }
			some, _ := readAll(t, Options{Skip: OnlyDeprecated}, line, bytesInput("log", []byte(wrap(lines))))
			marked := func(list []string) (n int) {
				for _, s := range list {
					if strings.HasPrefix(s, "true") {
						n++
					}
				}
				return n
			}
			full, _ := readAll(t, Options{}, line, bytesInput("log", []byte(wrap(lines))))
			if marked(some) != marked(full) || marked(full) == 0 {
				t.Errorf("with the filter %d events are marked, without %d", marked(some), marked(full))
			}
		})
	}
}
