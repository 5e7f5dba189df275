package scenario

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// noise returns a source of random numbers. Equal seeds have equal numbers.
func noise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// about returns a random duration that differs from d by at most a tenth.
func about(r *rand.Rand, d time.Duration) time.Duration {
	return d + time.Duration((r.Float64()-0.5)*0.2*float64(d))
}

// upToTwice returns a random duration from zero to twice d.
func upToTwice(r *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(r.Float64() * 2 * float64(d))
}

// intervals are the times after which the slower writer in a fight writes
// again.
var intervals = []time.Duration{
	200 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second,
	3 * time.Minute, 10 * time.Minute, 30 * time.Minute,
}

// rounds returns the number of writes of the slower writer: as many as fit into
// eight hours, but at least 8 and at most 30.
func rounds(every time.Duration) int {
	return int(max(8, min(30, 8*time.Hour/every)))
}

// Rhythms returns fights at all intervals, and similar scenarios without a
// fight.
func Rhythms() (out []Scenario) {
	for i, every := range intervals {
		n, seed := rounds(every), uint64(i+1)
		name := func(what string) string { return what + "-" + every.String() }
		add := func(sc Scenario) { out = append(out, sc) }
		quick := 300 * time.Millisecond

		// A GitOps tool patches at its interval, and an operator responds with
		// an update.
		add(Scenario{name("patching tool and operator"), deployment(name("gitops")), fight, fight, fight, "spec.replicas", "full-update", 2, func(s *Server, t Target) {
			s.Step = 50 * time.Millisecond
			r := noise(seed)
			s.Create(argo, t, web(3, "nginx:1"))
			times(n, func(int) {
				s.Wait(about(r, quick))
				s.Edit(one, t, func(o Object) { o["spec"].(Object)["replicas"] = 5.0 })
				s.Wait(about(r, every))
				s.Merge(argo, t, Object{"spec": Object{"replicas": 3.0}})
			})
		}})
		// Two tools apply with force.
		add(Scenario{name("forced applies"), deployment(name("forced")), fight, fight, fight, "spec.template.spec.containers[name=c].image", "forced-apply", 2, func(s *Server, t Target) {
			s.Step = 50 * time.Millisecond
			r := noise(seed)
			times(n, func(int) {
				s.Wait(about(r, every))
				s.Apply(flux, t, web(-1, "nginx:1"), true)
				s.Wait(about(r, quick))
				s.Apply(two, t, web(-1, "nginx:2"), true)
			})
		}})
		// An autoscaler responds at its next check, within 15 s.
		add(Scenario{name("autoscaler"), deployment(name("autoscaled")), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			r := noise(seed)
			times(n, func(int) {
				s.Wait(about(r, every))
				s.Apply(flux, t, web(3, "nginx:1"), true)
				s.Wait(upToTwice(r, 7*time.Second))
				s.Scale(hpa, t, 5)
			})
		}})
		// One tool deletes an object at its interval, and another tool creates
		// it again.
		add(Scenario{name("pruned"), config(name("pruned")), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			r := noise(seed)
			times(n, func(int) {
				s.Create(one, t, data("k", "v"))
				s.Wait(about(r, every))
				s.Delete(argo, t)
				s.Wait(about(r, quick))
			})
		}})
		// A tool writes a new value each time, and another program copies it.
		add(Scenario{Name: name("follower"), Target: widget(name("followed")), Run: func(s *Server, t Target) {
			s.Step = 50 * time.Millisecond
			r := noise(seed)
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(n, func(i int) {
				s.Wait(about(r, every))
				s.Merge(one, t, Object{"spec": Object{"size": float64(i)}})
				s.Wait(about(r, quick))
				s.Merge(two, t, annotations("example.com/observed", fmt.Sprint(i)))
			})
		}})
		// Two controllers patch different fields at different times.
		add(Scenario{Name: name("own times"), Target: deployment(name("independent")), Run: func(s *Server, t Target) {
			r := noise(seed)
			s.Create(dev, t, web(1, "nginx:1"))
			for i := range n {
				s.Wait(upToTwice(r, every))
				c := []Client{one, two}[r.IntN(2)]
				s.Merge(c, t, annotations("example.com/"+c.User, fmt.Sprint(i)))
			}
		}})
		// A tool applies an object without replicas, and an autoscaler follows
		// the load.
		add(Scenario{Name: name("replicas left out"), Target: deployment(name("load")), Run: func(s *Server, t Target) {
			r := noise(seed)
			s.Apply(flux, t, web(-1, "nginx:1"), true)
			for i := range n {
				s.Wait(upToTwice(r, every))
				if r.IntN(3) == 0 {
					s.Apply(flux, t, web(-1, fmt.Sprint("nginx:", i)), true)
				} else {
					s.Scale(hpa, t, 3+r.IntN(8))
				}
			}
		}})
		// Two tools apply different fields, which never change.
		add(Scenario{Name: name("resyncs"), Target: deployment(name("resynced")), Run: func(s *Server, t Target) {
			r := noise(seed)
			s.Apply(flux, t, web(-1, "nginx:1"), true)
			s.Apply(two, t, annotations("example.com/a", "b"), true)
			for range n {
				s.Wait(upToTwice(r, every))
				if r.IntN(2) == 0 {
					s.Apply(flux, t, web(-1, "nginx:1"), true)
				} else {
					s.Apply(two, t, annotations("example.com/a", "b"), true)
				}
			}
		}})
	}
	return out
}
