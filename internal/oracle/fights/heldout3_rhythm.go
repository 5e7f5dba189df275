package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// beat is an action that a program repeats at intervals, whatever other
// programs do.
type beat struct {
	every time.Duration
	act   func(i int)
}

// together runs several programs at the same time for a total duration. Each
// program repeats its action at its own intervals, and starts at a random time
// within the first interval.
func (p *play) together(total time.Duration, beats ...beat) {
	now := p.clock.time()
	end := now.Add(total)
	next, count := make([]time.Time, len(beats)), make([]int, len(beats))
	for k, b := range beats {
		next[k] = now.Add(time.Duration(p.rand.Float64() * float64(b.every)))
	}
	for {
		first := 0
		for k := range next {
			if next[k].Before(next[first]) {
				first = k
			}
		}
		if next[first].After(end) {
			return
		}
		p.clock.sleep(max(0, next[first].Sub(p.clock.time())))
		beats[first].act(count[first])
		count[first]++
		next[first] = next[first].Add(time.Duration((0.95 + 0.1*p.rand.Float64()) * float64(beats[first].every)))
	}
}

// differs reads an object and reports whether the value at path is not want.
func (a *actor) differs(t *thing, want any, path ...string) bool {
	return unlike(a.get(t), want, path)
}

// notices does the same as differs for a program with a cache, so that the log
// has no read by a.
func (a *actor) notices(t *thing, want any, path ...string) bool {
	_, data, err := a.play.stage.ask(http.MethodGet, t.path(), "")
	if err != nil {
		a.play.fail("%v", err)
	}
	return unlike(answer{body: data}.object(), want, path)
}

func unlike(o object, want any, path []string) bool {
	left, err := json.Marshal(o.value(path...))
	right, err2 := json.Marshal(want)
	return err != nil || err2 != nil || !bytes.Equal(left, right)
}

// dryApply sends a forced apply as a dry run and returns the result. Flux and
// other programs find changes of other clients in this way.
func (a *actor) dryApply(t *thing, o object) object {
	return a.must(a.send(http.MethodPatch, t.path(), applyPatch, o, "force", "true", "dryRun", "All")).object()
}

// observe writes the status of a workload with these replicas, as the
// workload's controller does after a change.
func (a *actor) observe(t *thing, replicas int) {
	a.updateStatus(t, func(o object) {
		o.set(o.value("metadata", "generation"), "status", "observedGeneration").set(replicas, "status", "replicas").set(replicas, "status", "readyReplicas").set(replicas, "status", "availableReplicas").set(replicas, "status", "updatedReplicas")
	})
}

// tagged returns the n-th image of an application.
func tagged(app string, n int) string { return fmt.Sprintf("registry.example.com/%s:2.%d.0", app, n) }

// heldout3Scenes returns 26 scenes with a fight, 29 that only look like a
// fight, and one in which a writer reverts its own value. They are a blind set:
// they were written without knowledge of the detector, and recorded before it
// was run on them.
func heldout3Scenes() []scene {
	var all []scene
	for _, f := range []func() []scene{fightsOfPlatforms3, fightsOfOperators3, fightsOfDelivery3, calmWorkloads3, calmPlatforms3, calmDelivery3} {
		all = append(all, f()...)
	}
	for i := range all {
		all[i].family = all[i].id
	}
	return all
}
