package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
)

// scene is a sequence of actions on a server.
type scene struct {
	id, family string
	// hours is the largest simulated duration. The start is chosen so that the
	// scene ends on the same day.
	hours float64
	play  func(p *play)
}

// play is a scene that is being played.
type play struct {
	scene
	ctx   context.Context
	stage *stage
	clock *clock
	rand  *rand.Rand
	// ns is the namespace of the scene's objects.
	ns     string
	actors []*actor
	loops  []*loop
	truths []truth
	// atEnd are functions that stop the programs of the scene.
	atEnd []func()
	// wall has the real times at which the scene began and ended. lastRequest
	// is the real time of its last request, in nanoseconds.
	wall        [2]time.Time
	lastRequest atomic.Int64
}

// failure is the value of the panic that ends a scene with an error.
type failure struct{ error }

func (p *play) fail(format string, args ...any) {
	panic(failure{fmt.Errorf("%s: %s", p.id, fmt.Sprintf(format, args...))})
}

// day is the first simulated day.
var day = time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)

// perform plays a scene.
func (s *stage) perform(ctx context.Context, sc scene) (p *play, err error) {
	h := fnv.New64a()
	h.Write([]byte(sc.id))
	random := rand.New(rand.NewPCG(h.Sum64(), 37))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	start := day.Add(time.Duration(random.Float64() * max(0.1, 24-sc.hours) * float64(time.Hour))).Truncate(time.Microsecond)
	p = &play{scene: sc, ctx: ctx, stage: s, rand: random, ns: sc.id}
	p.clock = &clock{rand: rand.New(rand.NewPCG(h.Sum64(), 41)), now: start}
	p.wall[0] = time.Now()
	defer func() {
		for _, end := range p.atEnd {
			end()
		}
		p.wall[1] = time.Now()
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = f.error
		}
	}()
	sc.play(p)
	p.stopLoops()
	return p, nil
}

func (p *play) namespace(name string) { p.stage.namespace(name) }

// in sets the namespace of the scene's objects. Each scene needs a different
// one.
func (p *play) in(ns string) { p.ns = ns }

// service returns a program that runs in a pod with a service account, given as
// ns/name.
func (p *play) service(account, agent, manager string) *actor {
	ns, name, _ := strings.Cut(account, "/")
	h := fnv.New32a()
	h.Write([]byte(account + agent))
	return p.pod(account, fmt.Sprintf("%s-%x-x7k2p", name, h.Sum32()), agent, manager, ns, name)
}

// replica returns one of several pods of a program.
func (p *play) replica(account, pod, agent, manager string) *actor {
	ns, name, _ := strings.Cut(account, "/")
	return p.pod(account, pod, agent, manager, ns, name)
}

func (p *play) pod(account, pod, agent, manager, ns, name string) *actor {
	token, err := p.stage.token(ns, name, pod)
	if err != nil {
		p.fail("%s: %v", account, err)
	}
	return p.actor("system:serviceaccount:"+ns+":"+name, token, agent, manager)
}

// person returns a person, or a program that has the credentials of a person.
func (p *play) person(user, agent, manager string) *actor {
	p.stage.mu.Lock()
	token := p.stage.tokens[user]
	p.stage.mu.Unlock()
	if token == "" {
		p.fail("no user %s", user)
	}
	return p.actor(user, token, agent, manager)
}

func (p *play) actor(user, token, agent, manager string) *actor {
	a := &actor{play: p, user: user, agent: agent, manager: manager, token: token, fast: 50 * time.Millisecond, slow: 800 * time.Millisecond}
	a.http = &http.Client{Transport: a}
	p.actors = append(p.actors, a)
	return a
}

// sleep advances the time by about d. It adds or subtracts up to a tenth.
func (p *play) sleep(d time.Duration) { p.sleepBetween(d-d/10, d+d/10) }

func (p *play) sleepBetween(low, high time.Duration) {
	p.clock.sleep(low + time.Duration(p.rand.Int64N(int64(high-low)+1)))
}

// now returns the simulated time in the format of objects.
func (p *play) now() string { return p.clock.time().UTC().Format(time.RFC3339) }

// micro returns the simulated time in the format of leases.
func (p *play) micro() string { return p.clock.time().UTC().Format("2006-01-02T15:04:05.000000Z") }

// truth is the ledger's entry for a play before its writes are counted.
type truth struct {
	ledger.Entry
	things  []*thing
	writers []*actor
	winner  *actor
}

// what describes a part of a scene for the ledger: what its programs really do.
type what struct {
	// id is the name of a part of a scene; "" if the scene has one part.
	id        string
	things    []*thing
	fields    []string
	follows   []string
	writers   []*actor
	webhook   string
	winner    *actor
	mechanism string
	why       string
	real      string
	debatable bool
	toggles   bool
}

func (p *play) fight(w what)     { p.record(ledger.Fight, w) }
func (p *play) lookalike(w what) { p.record(ledger.Lookalike, w) }
func (p *play) flap(w what)      { p.record(ledger.Flap, w) }

func (p *play) record(kind string, w what) {
	if w.real == "" {
		w.real = "requests as the programs send them, with their user agents and field managers"
	}
	t := truth{things: w.things, writers: w.writers, winner: w.winner, Entry: ledger.Entry{
		Scene: p.id, Family: p.family, Kind: kind, Fields: w.fields, Follows: w.follows, Mechanism: w.mechanism, Why: w.why, Real: w.real, Debatable: w.debatable, Toggles: w.toggles,
	}}
	if w.id != "" {
		t.Scene = w.id
	}
	if w.webhook != "" {
		t.Writers = append(t.Writers, ledger.Writer{User: w.webhook, Webhook: true})
	}
	p.truths = append(p.truths, t)
}

// entries returns the ledger's entries, with the writes counted.
func (p *play) entries(lines []line) []ledger.Entry {
	var all []ledger.Entry
	for _, t := range p.truths {
		e := t.Entry
		for _, thing := range t.things {
			e.Objects = append(e.Objects, ledger.Object{Group: thing.group, Resource: thing.resource, Namespace: thing.ns, Name: thing.id})
		}
		var users []string
		for _, a := range t.writers {
			e.Writers = append(e.Writers, ledger.Writer{User: a.effectiveUser(), Agent: a.name(), Manager: a.manager})
			users = append(users, a.effectiveUser())
		}
		if t.winner != nil {
			e.Winner = t.winner.effectiveUser()
		}
		var times []time.Time
		for _, l := range lines {
			if l.play == p && slices.ContainsFunc(e.Objects, func(o ledger.Object) bool { return l.wrote(users, o) }) {
				times = append(times, l.at)
			}
		}
		var gaps []time.Duration
		for i := 1; i < len(times); i++ {
			gaps = append(gaps, times[i].Sub(times[i-1]))
		}
		if e.Turns = len(times); e.Turns > 0 {
			e.From, e.To = times[0], times[len(times)-1]
		}
		if slices.Sort(gaps); len(gaps) > 0 {
			e.Interval = gaps[len(gaps)/2].Round(time.Millisecond).String()
		}
		all = append(all, e)
	}
	return all
}
