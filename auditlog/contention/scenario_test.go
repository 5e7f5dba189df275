package contention_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// TestScenarios checks at all levels that all kinds of fights are found, and
// that similar scenarios without a fight are not reported.
func TestScenarios(t *testing.T) {
	all := slices.Concat(scenario.All(), scenario.Rhythms(), scenario.Turns())
	log := scenario.Log(all)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCENARIO\tLEVEL\tFOUND\tREVERSALS\tEVIDENCE\tFIELD\tMECHANISM\t")
	for _, level := range []string{"RequestResponse", "Request", "Metadata"} {
		data := log
		if level != "RequestResponse" {
			data = atLevel(t, log, level)
		}
		r := collect(t, contention.Config{}, 0, data).Report(contention.Thresholds{})
		found := map[string]contention.Fight{}
		for _, f := range r.Fights {
			key := f.Object.Group + " " + f.Object.Resource + " " + f.Object.Name
			if _, twice := found[key]; twice {
				t.Errorf("%s twice", key)
			}
			found[key] = f
		}
		var measured rates
		for _, sc := range all {
			want := map[string]string{"RequestResponse": sc.Exact, "Request": sc.Partial, "Metadata": sc.Probable}[level]
			f, ok := found[sc.Target.Group+" "+sc.Target.Resource+" "+sc.Target.Name]
			got, path := "", ""
			if ok {
				got = f.Rule()
				if len(f.Fields) > 0 {
					path = f.Fields[0].Path
				}
			}
			measured.add(sc.Exact != "", ok)
			if got != want {
				t.Errorf("%s at level %s: %q, want %q (%+v)", sc.Name, level, got, want, f.Sides)
			}
			if !ok {
				fmt.Fprintf(w, "%s\t%s\t-\t\t\t\t\t\n", sc.Name, level)
				continue
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t\n", sc.Name, level, got, f.Reversals, f.Evidence, path, f.Cause.Mechanism)
			if level != "Metadata" && (sc.Path != "" || sc.Exact == "") && (path != sc.Path || len(f.Fields) != 1) {
				t.Errorf("%s at level %s: fields %v, want %s", sc.Name, level, f.Fields, sc.Path)
			}
			if level == "RequestResponse" && string(f.Cause.Mechanism) != sc.Mechanism {
				t.Errorf("%s: mechanism %s, want %s", sc.Name, f.Cause.Mechanism, sc.Mechanism)
			}
			if len(f.Sides) != sc.Sides {
				t.Errorf("%s at level %s: %d sides, want %d: %+v", sc.Name, level, len(f.Sides), sc.Sides, f.Sides)
			}
		}
		t.Logf("%s: %s", level, measured)
	}
	w.Flush()
	t.Log("\n" + table.String())
}

// rates counts scenarios: fights have a fight, others have none. found and
// wrong of them were reported.
type rates struct{ fights, found, others, wrong int }

func (r *rates) add(isFight, found bool) {
	switch {
	case isFight && found:
		r.fights++
		r.found++
	case isFight:
		r.fights++
	case found:
		r.others++
		r.wrong++
	default:
		r.others++
	}
}

func (r rates) String() string {
	return fmt.Sprintf("%d of %d fights found (recall %.0f %%), %d of %d look-alikes reported (precision %.0f %%)",
		r.found, r.fights, 100*float64(r.found)/float64(max(r.fights, 1)), r.wrong, r.others, 100*float64(r.found)/float64(max(r.found+r.wrong, 1)))
}
