package contention_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// writeField writes a field of a ConfigMap with a method that changes no other
// fields.
func writeField(s *scenario.Server, c scenario.Client, t scenario.Target, how int, key, value string) {
	o := scenario.Object{"data": scenario.Object{key: value}}
	switch how {
	case 0:
		s.Edit(c, t, func(o scenario.Object) {
			d, _ := o["data"].(scenario.Object)
			if d == nil {
				d = scenario.Object{}
				o["data"] = d
			}
			d[key] = value
		})
	case 1:
		s.Merge(c, t, o)
	case 2:
		s.JSONPatch(c, t, value, "data", key)
	case 3:
		s.Apply(c, t, o, true)
	}
}

// TestProperty checks two properties for all methods and values, in logs with
// bodies. Clients that write different fields never fight. Two clients that
// write different values to one field always fight.
func TestProperty(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for round := range 60 {
		s := scenario.NewServer(fmt.Sprint("property-", round))
		target := func(name string) scenario.Target {
			return scenario.Target{Version: "v1", Kind: "ConfigMap", Resource: "configmaps", Namespace: "shop", Name: name}
		}
		client := func(i int) scenario.Client {
			return scenario.Client{User: fmt.Sprint("user-", i), Agent: fmt.Sprintf("agent-%d/v1", i), Manager: fmt.Sprint("manager-", i)}
		}
		peace, war := target("peace"), target("war")
		s.Create(client(9), peace, scenario.Object{"data": scenario.Object{"k": "v"}})
		s.Create(client(9), war, scenario.Object{"data": scenario.Object{"k": "v"}})
		how := [3]int{r.IntN(4), r.IntN(4), r.IntN(4)}
		for range 40 {
			i := r.IntN(3)
			writeField(s, client(i), peace, how[i], fmt.Sprint("field-", i), fmt.Sprint(r.IntN(3)))
			s.Wait(time.Duration(r.IntN(20)) * time.Second)
		}
		rounds := 4 + r.IntN(10)
		for n := range rounds {
			for i := range 2 {
				writeField(s, client(i), war, how[i], "mode", fmt.Sprint("of-", i))
				if r.IntN(3) == 0 { // another client writes another field
					writeField(s, client(2), war, how[2], "other", fmt.Sprint(n))
				}
				s.Wait(time.Duration(r.IntN(600)) * time.Second)
			}
		}
		for _, level := range []string{"RequestResponse", "Request"} {
			log := s.Log()
			if level == "Request" {
				log = atLevel(t, log, level)
			}
			found := false
			for _, f := range collect(t, contention.Config{}, 1, log).Report(contention.Thresholds{}).Fights {
				switch {
				case f.Self:
				case f.Object.Name == "peace":
					t.Errorf("round %d, %s, ways %v: a fight over %v of %v", round, level, how, f.Fields, f.Sides)
				default:
					found = true
					if len(f.Fields) != 1 || f.Fields[0].Path != "data.mode" || len(f.Sides) != 2 {
						t.Errorf("round %d, %s, ways %v: fields %v, sides %v", round, level, how, f.Fields, f.Sides)
					}
					if least := int64(2*rounds - 4); f.Reversals < least || f.Reversals > int64(2*rounds) {
						t.Errorf("round %d, %s, ways %v: %d reversals in %d rounds", round, level, how, f.Reversals, rounds)
					}
				}
			}
			if !found {
				t.Errorf("round %d, %s, ways %v, %d rounds: no fight found", round, level, how, rounds)
			}
		}
	}
}
