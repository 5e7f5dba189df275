package auditreport

import "fmt"

func codePart(c *Code) part {
	found := &sheet{ID: "origins", Title: "Places that probably make the calls", Empty: "None of the code has the name of a client.",
		Columns: []column{{Title: "Rule", Kind: "text", Pick: true}, {Title: "API or object", Kind: "text"}, {Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"},
			{Title: "Why", Kind: "state", Pick: true}, {Title: "Name", Kind: "text"}, {Title: "Module", Kind: "text", Pick: true}, {Title: "Places", Kind: "list"}}}
	for _, o := range c.Origins {
		places := []string{}
		for _, p := range o.Places {
			places = append(places, visible(fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Column, p.Does)))
		}
		switch {
		case o.Left > 0:
			places = append(places, fmt.Sprintf("and %d more", o.Left))
		case len(places) == 0 && o.Named != nil:
			places = append(places, visible(fmt.Sprintf("%s:%d:%d names the client, but the API is not named", o.Named.File, o.Named.Line, o.Named.Column)))
		case len(places) == 0:
			places = append(places, "the API is not named")
		}
		found.Rows = append(found.Rows, []any{visible(o.Rule), visible(o.Subject), visible(o.User), visible(o.Agent), visible(o.Confidence), visible(o.Name), visible(o.Module), places})
	}
	unknown := &sheet{ID: "unknown", Title: "Clients whose code was not found", Empty: "None.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "Manager", Kind: "text"}}}
	for _, x := range c.Unknown {
		unknown.Rows = append(unknown.Rows, []any{visible(x.User), visible(x.Agent), visible(x.Manager)})
	}
	modules := &sheet{ID: "modules", Title: "Modules that were examined", Empty: "None.",
		Columns: []column{{Title: "Module", Kind: "text"}, {Title: "Directory", Kind: "text"}, {Title: "Packages", Kind: "number"}, {Title: "Not read in full", Kind: "number"}}}
	for _, m := range c.Modules {
		modules.Rows = append(modules.Rows, []any{visible(m.Module), visible(m.Directory), int64(m.Packages), int64(m.Failed)})
	}
	return part{ID: "code", Title: "The code behind clients", Tables: []*sheet{found, unknown, modules},
		Lead: "Go code that has the name of a client which uses old APIs or fights: by a constant, by the name of a program, or only by that of its module. A name that many programs have, such as manager, is not enough."}
}
