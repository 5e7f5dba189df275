package auditreport

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint/auditlog/contention"
	"github.com/kubevet/kubevet/manifestlint/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
)

// code finds the Go code behind deprecated calls and fights, and adds its places
// to their findings, which stand in the order of the groups and the fights.
func (d *Document) code(r *tally.Report, o Options) {
	if o.Code == nil {
		return
	}
	d.Code = &Code{Modules: o.CodeModules, Origins: []CodeOrigin{}, Unknown: []CodeClient{}}
	if d.Code.Modules == nil {
		d.Code.Modules = []CodeModule{}
	}
	type key struct{ api, user, agent string }
	by := map[key][]*tally.Group{}
	var order []key
	for _, g := range r.Groups {
		k := key{g.API.String(), g.Client.Who(), g.Client.Program}
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], g)
	}
	next := 0
	finding := func(ids ...string) *rules.Finding {
		for ; next < len(d.Findings); next++ {
			if slices.Contains(ids, d.Findings[next].Rule) {
				next++
				return &d.Findings[next-1]
			}
		}
		return &rules.Finding{}
	}
	for _, k := range order {
		f := finding("deprecatedapi", "removedapi")
		api := by[k][0].API
		client := codetrace.Client{Agent: k.agent}
		for _, g := range by[k] {
			client = with(client, g.Client)
		}
		d.origins(o.Code, client, CodeOrigin{Rule: f.Rule, Subject: k.api, User: k.user, Agent: k.agent}, f, func(m *codetrace.Match) ([]codetrace.Place, int) {
			return m.Uses(api.Group, api.Version, api.Resource)
		})
	}
	if o.Contention == nil {
		return
	}
	clients := map[CodeClient]codetrace.Client{}
	for _, c := range r.Clients {
		k := CodeClient{User: c.Who(), Agent: c.Program}
		known, ok := clients[k]
		if !ok {
			known.Agent = c.Agent
		}
		clients[k] = with(known, c)
	}
	for i := range o.Contention.Fights {
		fight := &o.Contention.Fights[i]
		f := finding("fieldfight", "selfflap")
		for _, s := range fight.Sides {
			if s.Webhook {
				continue
			}
			d.origins(o.Code, sideClient(s, clients), CodeOrigin{Rule: fight.Rule(), Subject: fight.Object.String(), User: s.User, Agent: s.Agent, Manager: s.Manager}, f, func(m *codetrace.Match) ([]codetrace.Place, int) {
				return m.Writes(fight.Object.Group, fight.Object.Resource, []string{s.Manager})
			})
		}
	}
}

// with adds what a client is called. Names that differ in their order only are
// found alike.
func with(c codetrace.Client, more *tally.Client) codetrace.Client {
	if c.Agent == "" || c.Agent == more.Program {
		c.Agent = more.Agent // the whole of it has what the program appends
	}
	for _, m := range append(slices.Sorted(maps.Keys(more.Managers)), more.Derived) {
		if m != "" && !slices.Contains(c.Managers, m) {
			c.Managers = append(c.Managers, m)
		}
	}
	return c
}

// sideClient is the client of one who fights, by the manager that it fights as.
// Its other managers say nothing about this object.
func sideClient(s contention.Side, clients map[CodeClient]codetrace.Client) codetrace.Client {
	c := codetrace.Client{Agent: s.Agent}
	if known, ok := clients[CodeClient{User: s.User, Agent: s.Agent}]; ok {
		c.Agent = known.Agent
	}
	if s.Manager != "" {
		c.Managers = []string{s.Manager}
	}
	return c
}

// origins notes the code of a client and adds it to a finding.
func (d *Document) origins(x *codetrace.Index, c codetrace.Client, o CodeOrigin, f *rules.Finding, find func(*codetrace.Match) ([]codetrace.Place, int)) {
	matches := x.Locate(c)
	if len(matches) == 0 {
		if who := (CodeClient{o.User, o.Agent, o.Manager}); !slices.Contains(d.Code.Unknown, who) {
			d.Code.Unknown = append(d.Code.Unknown, who)
		}
		return
	}
	for i := range matches {
		m := &matches[i]
		places, left := find(m)
		one := o
		one.Confidence, one.Name, one.Module, one.Package = m.Basis.String(), m.Name, m.Module, m.Package
		one.Places, one.Left = []CodePlace{}, left
		if m.At.Filename != "" {
			at := codePlace(m.At, named(m))
			one.Named = &at
		}
		for _, p := range places {
			at := codePlace(p.At, p.Does)
			one.Places = append(one.Places, at)
			tell(f, at, fmt.Sprintf("%s in %s, which %s", p.Does, orDirectory(m), named(m)))
		}
		if len(places) == 0 && one.Named != nil {
			tell(f, *one.Named, fmt.Sprintf("%s %s, but does not name the API", orDirectory(m), named(m)))
		}
		d.Code.Origins = append(d.Code.Origins, one)
	}
}

// named says what a match rests on.
func named(m *codetrace.Match) string {
	switch m.Basis {
	case codetrace.ByConstant:
		return fmt.Sprintf("signs as %q", m.Name)
	case codetrace.ByProgram:
		return fmt.Sprintf("has a program %q", m.Name)
	}
	return fmt.Sprintf("is called %q", m.Name)
}

func orDirectory(m *codetrace.Match) string {
	switch {
	case m.Package != "":
		return m.Package
	case m.Module != "":
		return m.Module
	}
	return m.Dir
}

func codePlace(at token.Position, does string) CodePlace {
	return CodePlace{File: at.Filename, Line: at.Line, Column: at.Column, Does: does}
}

// tell adds a place to a finding, once however many clients share it.
func tell(f *rules.Finding, p CodePlace, message string) {
	r := rules.Related{File: p.File, Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column + 1, Message: message}
	if !slices.Contains(f.Related, r) {
		f.Related = append(f.Related, r)
	}
}

// whereCode is the table of the places.
func (d *Document) whereCode() section {
	s := section{title: "Where the code is", header: []string{"WHAT", "USER", "AGENT", "NAME", "BY", "PLACE", "THERE"}}
	for _, o := range d.Code.Origins {
		row := []string{o.Subject, o.User, o.Agent, o.Name, o.Confidence}
		for i, p := range o.Places {
			does := p.Does
			if i == len(o.Places)-1 && o.Left > 0 {
				does += fmt.Sprintf(", and %d more places", o.Left)
			}
			s.rows = append(s.rows, append(slices.Clone(row), fmt.Sprintf("%s:%d", p.File, p.Line), does))
			row = []string{"", "", "", "", ""}
		}
		if len(o.Places) > 0 {
			continue
		}
		place := o.Module
		if o.Named != nil {
			place = fmt.Sprintf("%s:%d", o.Named.File, o.Named.Line)
		}
		s.rows = append(s.rows, append(row, place, "has the name, but does not name the API"))
	}
	var unknown []string
	for _, c := range d.Code.Unknown {
		unknown = append(unknown, fmt.Sprintf("%s (%s)", c.User, orNone(c.Agent)))
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	const few = 5
	if len(unknown) > 0 {
		s.note = "no code has the name of " + strings.Join(unknown[:min(few, len(unknown))], ", ")
		if len(unknown) > few {
			s.note += fmt.Sprintf(" and %d more", len(unknown)-few)
		}
	} else if len(s.rows) == 0 {
		s.note = "nobody uses old APIs or fights"
	}
	s.note = report.Sanitize(s.note)
	return s
}
