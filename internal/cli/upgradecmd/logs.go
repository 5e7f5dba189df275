package upgradecmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditinput"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// readAudit reads the audit logs of --audit and adds facts for their requests and fights.
func (r *run) readAudit(ctx context.Context, _ []string) error {
	if len(r.flags.audits) == 0 {
		return nil
	}
	logs, err := auditinput.Find(ctx, r.App, r.flags.audits)
	if err != nil {
		return err
	}
	names := logs.States(nil)
	states, err := auditinput.ReadStates(r.App, names)
	if err != nil {
		return app.Usage(err)
	}
	config := logtally.Config{Target: r.target, Keep: len(states) > 0, Judge: auditreport.BodyJudge(r.target)}
	t := logtally.New(config)
	fights := contention.New(contention.Config{})
	bar := app.NewProgress(app.NewStatusLine(r.Stderr, !r.flags.quiet && r.ShowsStatus()), logs.Size)
	workers, add := auditinput.Together(t, fights)
	sum, err := auditlog.Read(ctx, logs.Seq(), auditlog.Options{Progress: bar.Add}, workers, add)
	bar.Done()
	if err != nil {
		return app.ErrInterrupted
	}
	for i, s := range states {
		if err := r.addState(t, fights, names[i], s); err != nil {
			return app.Usagef("%s: %w", quote.Name(names[i]), err)
		}
		saved := s.Logs.Summary()
		sum.Damaged += saved.Damaged
		sum.Failed = append(sum.Failed, saved.Failed...)
		sum.Events += saved.Events
		for i := range saved.Levels {
			sum.Levels[i] += saved.Levels[i]
		}
		for i := range saved.Lost {
			sum.Lost[i] += saved.Lost[i]
		}
	}
	mistakes, others := logs.Barren(&sum, sum.Events)
	if !r.flags.quiet {
		r.notes = append(r.notes, others...)
	}
	for _, f := range slices.Concat(sum.Failed, logs.Failed, mistakes) {
		r.addUnreadable(f.Input, f.Err.Error())
	}
	if sum.Damaged > 0 {
		text := report.Count(int(sum.Damaged), "record") + " could not be read"
		where := "audit log"
		if len(sum.Damage) > 0 {
			d := sum.Damage[0]
			where = fmt.Sprintf("%s:%d:%d", d.Input, d.Line, d.Column)
			text += ", first: " + d.Text
		}
		r.addUnreadable(where, text)
	}
	counted, contested := t.Report(), fights.Report(contention.Thresholds{})
	r.auditFacts(counted, &contested)
	r.nodeFacts(counted)
	text := report.Count(int(counted.Requests), "request")
	if counted.First != 0 {
		text += fmt.Sprintf(" from %s to %s", moments(counted.First), moments(counted.Last))
	}
	text += " in " + someNames(slices.Concat(logNames(logs), names))
	r.sources["audit"] = upgrade.Source{Kind: "audit", Given: true, Text: text, Gaps: append(r.gaps, auditGaps(counted, &sum, r.versions.From)...)}
	return nil
}

// addState adds the counts in a file of `kubevet audit --save`. The file may have been
// saved for any target.
func (r *run) addState(t *logtally.Tally, fights *contention.Collector, name string, s *history.State) error {
	shared := t.Shared(s.Tally)
	left, err := t.MergeOther(s.Tally, name)
	if err != nil {
		return err
	}
	if left {
		r.gaps = append(r.gaps, fmt.Sprintf("%s was counted with --target %s, so the objects that clients sent are not checked for %s: run audit --save with --target %s", quote.Name(name), s.Tally.Config.Target, r.target.Range, r.target.Range))
	}
	if s.Tally.Config.Filter != "" {
		r.gaps = append(r.gaps, fmt.Sprintf("%s was counted with filters (%s): other requests are not in it", quote.Name(name), s.Tally.Config.Filter))
	}
	if s.DeprecatedOnly {
		r.gaps = append(r.gaps, name+" holds only what the server marked as deprecated")
	}
	if shared > 0 {
		r.notes = append(r.notes, fmt.Sprintf("about %.0f %% of the requests in %s are in another log or state as well, and counted twice", 100*shared, quote.Name(name)))
	}
	if !s.HasContention {
		r.gaps = append(r.gaps, "fights were not looked for in "+name)
		return nil
	}
	other, err := contention.Decode(s.Contention, contention.Limits{})
	if err != nil {
		return err
	}
	fights.Merge(other)
	return nil
}

func moments(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05Z")
}

// auditFacts adds facts for requests and for bodies. Requests are grouped by client and
// API, bodies by client and field.
func (r *run) auditFacts(t *logtally.Report, fights *contention.Report) {
	type key struct{ api, user, program string }
	by := map[key][]*logtally.Group{}
	var order []key
	for _, g := range t.Groups {
		k := key{g.API.String(), g.Client.Who(), g.Client.Program}
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], g)
	}
	var index *codetrace.Index
	var clients map[auditreport.CodeClient]codetrace.Client
	if r.code != nil {
		index, clients = r.code.Index(), auditreport.CodeClients(t)
	}
	for _, k := range order {
		groups := by[k]
		g := slices.MinFunc(groups, func(a, b *logtally.Group) int { return cmp.Compare(a.First, b.First) })
		f := upgrade.Fact{
			OwnerKind: "audit", OwnerName: auditOwner(k.user, k.program), API: g.API.Known, Subject: k.api,
			Rule: "deprecatedapi", Severity: rules.Warning, Minors: g.DeprecatedAt, Planned: g.Removed, Replacement: t.Replacement(g.API),
			Always: g.API.Known.IsZero(),
		}
		if g.RemovedAt != 0 {
			f.Rule, f.Severity, f.Minors = "removedapi", rules.Error, g.RemovedAt
		}
		wild := true
		var verbs []string
		var last int64
		for _, one := range groups {
			wild = wild && t.Wildcard[one.Client]
			f.Evidence.Count += one.Count
			if one.Last > last {
				last = one.Last
			}
			if verb := one.Verb.String(); !slices.Contains(verbs, verb) {
				verbs = append(verbs, verb)
			}
		}
		if wild || controlPlane(k.user, k.program) {
			f.Severity = rules.Info
		}
		f.Evidence.Source, f.Evidence.File, f.Evidence.Line, f.Evidence.LastSeen = "audit", g.At.Input, g.At.Line, moments(last)
		f.Evidence.Text = "asks for " + k.api
		if len(g.AuditIDs) > 0 {
			f.Evidence.AuditID = g.AuditIDs[0]
		}
		if g.At.Line > 0 {
			f.Evidence.Column = 1
		}
		if index != nil {
			api := codetrace.API{Group: g.API.Group, Version: g.API.Version, Resource: g.API.Resource}
			f.Evidence.Code = r.codePlaces(index, clients[auditreport.CodeClient{User: k.user, Agent: k.program}], func(m *codetrace.Match) ([]codetrace.Place, int) {
				return m.Uses(api, verbs...)
			})
		}
		r.facts = append(r.facts, f)
	}
	r.fightFacts(fights, t.Last, index, clients)
	for _, b := range t.Bodies {
		f := r.findingFact(b.Finding)
		f.OwnerKind, f.OwnerName = "audit", auditOwner(b.Client.Who(), b.Client.Program)
		f.Evidence = upgrade.Evidence{Source: "audit", File: b.At.Input, Line: b.At.Line, Column: min(b.At.Line, 1), Text: "sends this", Count: b.Count}
		if len(b.Objects) > 0 {
			f.Evidence.Object = b.API.Resource + " " + b.Objects[0]
		}
		r.facts = append(r.facts, f)
	}
}

func auditOwner(user, program string) string {
	if program == "" {
		program = "no user agent"
	}
	return fmt.Sprintf("%s (%s)", user, program)
}

// controlPlane reports whether a client is a component of the control plane, which the
// upgrade replaces.
func controlPlane(user, program string) bool {
	switch user {
	case "system:apiserver", "system:kube-controller-manager", "system:kube-scheduler":
		return true
	}
	name, _, _ := strings.Cut(program, "/")
	return name == "kube-controller-manager" && strings.HasPrefix(user, "system:serviceaccount:kube-system:")
}

// codePlaces returns the places in Go code that probably send the requests of a client.
func (r *run) codePlaces(x *codetrace.Index, c codetrace.Client, find func(*codetrace.Match) ([]codetrace.Place, int)) []upgrade.Place {
	all := []upgrade.Place{}
	for _, m := range x.Locate(c) {
		places, left := find(&m)
		why := fmt.Sprintf("by the same %s, %q", basisWords[m.Basis], m.Name)
		if len(places) == 0 && m.At.Filename != "" {
			all = append(all, upgrade.Place{File: m.At.Filename, Line: m.At.Line, Column: m.At.Column, Text: "does not name the API (" + why + ")"})
		}
		for i, p := range places {
			text := fmt.Sprintf("%s (%s)", p.Does, why)
			if i == len(places)-1 && left > 0 {
				text += fmt.Sprintf(", and %s", report.Count(left, "more place"))
			}
			if team := r.owners.Of(r.Path(p.At.Filename)); team != "" {
				text += ", of " + team
			}
			all = append(all, upgrade.Place{File: p.At.Filename, Line: p.At.Line, Column: p.At.Column, Text: text})
		}
	}
	return all
}

// basisWords has the name that a client and its code have in common, for each basis.
var basisWords = map[codetrace.Basis]string{
	codetrace.ByConstant: "constant", codetrace.ByProgram: "name of a program", codetrace.ByModule: "name of a module",
}

// apiFact completes a fact about an API:
//
//   - If some minor from --from to --to (both included) does not serve the API, the rule
//     is removedapi, and Minors has these minors.
//   - Otherwise, the rule is deprecatedapi, and Minors has the minors in which the API is
//     deprecated.
//   - A fact without an API gets only the rule deprecatedapi.
func (r *run) apiFact(f *upgrade.Fact) {
	f.Rule, f.Severity = "deprecatedapi", rules.Warning
	if f.API.IsZero() {
		return
	}
	if f.Minors = f.API.RemovedMinors(r.target); f.Minors != 0 {
		f.Rule, f.Severity = "removedapi", rules.Error
	} else {
		for m := range f.API.ServedMinors(r.target).All() {
			if f.API.IsDeprecated(m) {
				f.Minors = f.Minors.With(m)
			}
		}
	}
	if planned := f.API.LifecycleAt(r.versions.To).Removed; planned != 0 && f.Planned == "" {
		f.Planned = planned.String()
	}
	if next, ok := f.API.ReplacementAt(r.versions.To, r.target); ok {
		f.Replacement = next.String()
	} else if next, ok := f.API.Successor(); ok {
		f.Replacement = next.String()
	}
}

// apiOfResource returns the API of a resource, or the zero value if it is unknown.
func apiOfResource(group, version, resource string) lifecycle.API {
	gv := version
	if group != "" {
		gv = group + "/" + version
	}
	for api := range lifecycle.All() {
		if api.GroupVersion() == gv && api.Resource() == resource && api.Class() == lifecycle.Resource {
			return api
		}
	}
	return lifecycle.API{}
}

func logNames(logs *auditinput.Logs) (names []string) {
	for _, l := range logs.List {
		names = append(names, l.Name)
	}
	return names
}

// someNames returns a text with at most three names, and the number of the others.
func someNames(names []string) string {
	const few = 3
	if len(names) > few {
		return fmt.Sprintf("%s: %s and %d more", report.Count(len(names), "log"), strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}
