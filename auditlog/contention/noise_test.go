package contention_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
	"github.com/kubevet/kubevet/internal/corpustest"
)

// changed returns the events of a log after a function has changed them. It
// removes an event if the function returns nil.
func changed(t testing.TB, log []byte, change func(n int, ev map[string]any) map[string]any) (lines [][]byte) {
	t.Helper()
	n := 0
	for line := range bytes.Lines(log) {
		var ev map[string]any
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatal(err)
		}
		if ev = change(n, ev); ev != nil {
			text, err := json.Marshal(ev)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, append(text, '\n'))
		}
		n++
	}
	return lines
}

// skewed changes the times of an event.
func skewed(t testing.TB, ev map[string]any, by time.Duration) {
	for _, key := range []string{"requestReceivedTimestamp", "stageTimestamp"} {
		at, err := time.Parse(time.RFC3339Nano, ev[key].(string))
		if err != nil {
			t.Fatal(err)
		}
		ev[key] = at.Add(by).Format("2006-01-02T15:04:05.000000Z")
	}
}

// cutOff removes the bodies, like a storage that truncates events.
func cutOff(ev map[string]any) {
	delete(ev, "requestObject")
	delete(ev, "responseObject")
	notes, _ := ev["annotations"].(map[string]any)
	notes["audit.k8s.io/truncated"] = "true"
}

// TestLedgersInDisorder checks that recorded logs in any order and with copies
// of events have the same result.
func TestLedgersInDisorder(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, name := range []string{"1.36-RequestResponse", "1.24-Metadata"} {
		log := gunzip(t, corpustest.Path(t, "audit", "real", name+".log.gz"))
		want := collect(t, contention.Config{}, 1, log).Report(contention.Thresholds{})
		lines := bytes.SplitAfter(log, []byte("\n"))
		lines = slices.DeleteFunc(lines, func(l []byte) bool { return len(l) == 0 })
		lines = append(lines, lines[:len(lines)/4]...)
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		got := collect(t, contention.Config{}, 3, bytes.Join(lines[:len(lines)/2], nil), bytes.Join(lines[len(lines)/2:], nil)).Report(contention.Thresholds{})
		for _, fights := range [...][]contention.Fight{want.Fights, got.Fights} {
			for i := range fights {
				fights[i].At = contention.Place{} // positions differ in these logs
				for j := range fights[i].Turns {
					fights[i].Turns[j].Place = contention.Place{}
				}
			}
		}
		if len(want.Fights) < 7 || !reflect.DeepEqual(got.Fights, want.Fights) {
			t.Errorf("%s: %d fights, want %d alike", name, len(got.Fights), len(want.Fights))
		}
	}
}

// TestNoise checks that exactly the fights are found in realistic logs. Their
// events are out of order, repeated or missing, clocks differ, and bodies are
// truncated.
func TestNoise(t *testing.T) {
	all := scenario.All()
	log := scenario.Log(all)
	for _, c := range []struct {
		name string
		// lost is the number of fights that need not be found, for each level.
		lost   map[string]int
		change func(r *rand.Rand) func(n int, ev map[string]any) map[string]any
		twice  bool
	}{
		{"in any order, with copies", nil, func(*rand.Rand) func(int, map[string]any) map[string]any {
			return func(_ int, ev map[string]any) map[string]any { return ev }
		}, true},
		{"three servers whose clocks differ", map[string]int{"Request": 2, "Metadata": 6}, func(r *rand.Rand) func(int, map[string]any) map[string]any {
			return func(_ int, ev map[string]any) map[string]any {
				skewed(t, ev, time.Duration(r.IntN(3)-1)*900*time.Millisecond)
				return ev
			}
		}, false},
		{"bodies cut off", map[string]int{"RequestResponse": 3, "Request": 5}, func(r *rand.Rand) func(int, map[string]any) map[string]any {
			return func(_ int, ev map[string]any) map[string]any {
				if r.IntN(4) == 0 {
					cutOff(ev)
				}
				return ev
			}
		}, false},
		{"events missing", map[string]int{"RequestResponse": 2, "Request": 3, "Metadata": 6}, func(r *rand.Rand) func(int, map[string]any) map[string]any {
			return func(_ int, ev map[string]any) map[string]any {
				if r.IntN(7) == 0 {
					return nil
				}
				return ev
			}
		}, false},
	} {
		for _, level := range []string{"RequestResponse", "Request", "Metadata"} {
			t.Run(c.name+", "+level, func(t *testing.T) {
				r := rand.New(rand.NewPCG(11, 12))
				data := log
				if level != "RequestResponse" {
					data = atLevel(t, log, level)
				}
				lines := changed(t, data, c.change(r))
				if c.twice {
					lines = append(lines, lines[:len(lines)/3]...)
					r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
				}
				report := collect(t, contention.Config{}, 2, bytes.Join(lines, nil)).Report(contention.Thresholds{})
				found := map[string]string{}
				for _, f := range report.Fights {
					found[f.Object.Group+" "+f.Object.Resource+" "+f.Object.Name] = f.Rule()
				}
				lost := 0
				for _, sc := range all {
					want := map[string]string{"RequestResponse": sc.Exact, "Request": sc.Partial, "Metadata": sc.Probable}[level]
					switch got := found[sc.Target.Group+" "+sc.Target.Resource+" "+sc.Target.Name]; {
					case got == want:
					case got == "":
						lost++
						t.Logf("%s: no %s found", sc.Name, want)
					default:
						t.Errorf("%s: found %s, want %q", sc.Name, got, want)
					}
				}
				if lost > c.lost[level] {
					t.Errorf("%d fights are not found", lost)
				}
			})
		}
	}
}
