package auditreport

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// code sets Document.Code and adds its places to the findings. Findings about APIs have
// the order of r.Groups. Findings about fights have the order of the fights.
func (d *Document) code(r *tally.Report, o Options) {
	if o.Code == nil {
		return
	}
	d.Code = &Code{Modules: o.CodeModules, Origins: []CodeOrigin{}, Unknown: []CodeClient{}}
	if d.Code.Modules == nil {
		d.Code.Modules = []CodeModule{}
	}
	clients := CodeClients(r)
	type key struct{ api, user, agent string }
	by := map[key][]string{}
	apis := map[key]*tally.API{}
	var order []key
	for _, g := range r.Groups {
		k := key{g.API.String(), g.Client.Who(), g.Client.Program}
		if apis[k] == nil {
			apis[k] = g.API
			order = append(order, k)
		}
		if verb := g.Verb.String(); !slices.Contains(by[k], verb) {
			by[k] = append(by[k], verb)
		}
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
		api := codetrace.API{Group: apis[k].Group, Version: apis[k].Version, Resource: apis[k].Resource}
		client := clients[CodeClient{User: k.user, Agent: k.agent}]
		d.origins(o.Code, client, CodeOrigin{Rule: f.Rule, Subject: k.api, User: k.user, Agent: k.agent}, f, func(m *codetrace.Match) ([]codetrace.Place, int) {
			return m.Uses(api, by[k]...)
		})
	}
	if o.Contention == nil {
		return
	}
	for i := range o.Contention.Fights {
		fight := &o.Contention.Fights[i]
		f := finding("fieldfight", "selfflap")
		for _, s := range fight.Sides {
			if s.Webhook {
				continue
			}
			client := clients[CodeClient{User: s.User, Agent: s.Agent}]
			client.User, client.Managers = s.User, nil
			if client.Agent == "" {
				client.Agent = s.Agent
			}
			// The client may use other field managers for other objects. The search is
			// only for the field manager in this fight.
			if s.Manager != "" {
				client.Managers = []string{s.Manager}
			}
			d.origins(o.Code, client, CodeOrigin{Rule: fight.Rule(), Subject: fight.Object.String(), User: s.User, Agent: s.Agent, Manager: s.Manager}, f, func(m *codetrace.Match) ([]codetrace.Place, int) {
				return m.Writes(fight.Object.Group, fight.Object.Resource, []string{s.Manager})
			})
		}
	}
}

// CodeClients returns the clients of a report, by user and program. Package codetrace can
// search for their Go code.
func CodeClients(r *tally.Report) map[CodeClient]codetrace.Client {
	by := map[CodeClient][]*tally.Client{}
	for _, c := range r.Clients {
		k := CodeClient{User: c.Who(), Agent: c.Program}
		by[k] = append(by[k], c)
	}
	clients := map[CodeClient]codetrace.Client{}
	for k, list := range by {
		c := codetrace.Client{User: k.User}
		for _, one := range list {
			if c.Agent == "" || c.Agent == k.Agent {
				c.Agent = one.Agent // a full user agent, preferably one that has more than the name of the program
			}
			for _, m := range append(slices.Sorted(maps.Keys(one.Managers)), one.Derived) {
				if m != "" && !slices.Contains(c.Managers, m) {
					c.Managers = append(c.Managers, m)
				}
			}
		}
		for _, a := range r.APIsOf(list...) {
			c.APIs = append(c.APIs, codetrace.API{Group: a.Group, Version: a.Version, Resource: a.Resource})
		}
		clients[k] = c
	}
	return clients
}

// origins adds the code of a client to the document and to the finding f. find returns the
// places in a match, and the number of further places.
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
			at := codePlace(m.At, basisText(m))
			one.Named = &at
		}
		for _, p := range places {
			at := codePlace(p.At, p.Does)
			one.Places = append(one.Places, at)
			addPlace(f, at, fmt.Sprintf("%s in %s, which %s", p.Does, orDirectory(m), basisText(m)))
		}
		if len(places) == 0 && one.Named != nil {
			addPlace(f, *one.Named, fmt.Sprintf("%s %s, but does not name the API", orDirectory(m), basisText(m)))
		}
		d.Code.Origins = append(d.Code.Origins, one)
	}
}

// basisText returns a text such as `signs as "manager"`.
func basisText(m *codetrace.Match) string {
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

// addPlace adds a place to a finding, unless the finding already has it. Several clients
// may share a place.
func addPlace(f *rules.Finding, p CodePlace, message string) {
	r := rules.Related{File: p.File, Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column + 1, Message: message}
	if !slices.Contains(f.Related, r) {
		f.Related = append(f.Related, r)
	}
}

func (d *Document) codeSection() section {
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
		unknown = append(unknown, fmt.Sprintf("%s (%s)", quote.Name(c.User), quote.Name(orNone(c.Agent))))
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	const few = 5
	if len(unknown) > 0 {
		s.note = "no code was found of " + strings.Join(unknown[:min(few, len(unknown))], ", ")
		if len(unknown) > few {
			s.note += fmt.Sprintf(" and %d more", len(unknown)-few)
		}
	} else if len(s.rows) == 0 {
		s.note = "nobody uses old APIs or fights"
	}
	return s
}
