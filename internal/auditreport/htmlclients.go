package auditreport

import "fmt"

func clientsSheet(d *Document) *sheet {
	s := &sheet{ID: "clients", Title: "Clients that write", Empty: "No client wrote.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "Look at", Kind: "list", Pick: true}, {Title: "Writes that record a manager", Kind: "number"}, {Title: "Without a field manager", Kind: "number"}, {Title: "Managers", Kind: "list"},
			{Title: "Applies", Kind: "number"}, {Title: "Forced", Kind: "number"}, {Title: "Owned by others", Kind: "number"}, {Title: "Object had changed", Kind: "number"}, {Title: "Already exists", Kind: "number", Screen: true},
			{Title: "Changed nothing", Kind: "number"}, {Title: "Could be compared", Kind: "number", Screen: true}, {Title: "After a get", Kind: "number", Screen: true}, {Title: "Full updates", Kind: "number"}, {Title: "Dry runs", Kind: "number"},
			{Title: "Dry runs refused", Kind: "number"}, {Title: "Impersonated", Kind: "number", Screen: true}, {Title: "User agents", Kind: "list", Screen: true}, {Title: "First", Kind: "time", Screen: true}, {Title: "Last", Kind: "time"}}}
	for i := range d.Clients {
		c := &d.Clients[i]
		var named []string
		if len(c.Managers) > 0 {
			named = append(named, visible(managers(c.Managers)))
		}
		if c.Unnamed > 0 && c.DerivedManager != "" {
			named = append(named, "derived: "+visible(c.DerivedManager))
		}
		s.Rows = append(s.Rows, []any{visible(c.User), visible(c.Agent), writeProblems(c), c.Named + c.Unnamed, c.Unnamed, orEmpty(named), c.Applies, c.Forced, c.ManagerConflicts, c.LockConflicts + c.OtherConflicts,
			c.AlreadyExists, c.NoopWrites, c.ComparableWrites, c.WritesAfterGet, c.Puts, c.DryRuns, c.DryRunsFailed, c.ImpersonatedCalls, visibles(c.UserAgents), clock(c.First), clock(c.Last)})
	}
	return s
}

// writeProblems returns texts such as "no field manager" and "changes nothing".
func writeProblems(c *Client) []string {
	out := []string{}
	for _, x := range []struct {
		n    int64
		name string
	}{
		{c.Unnamed, "no field manager"}, {c.Forced, "forces"}, {c.ManagerConflicts, "applies what others own"}, {c.LockConflicts + c.OtherConflicts, "object had changed"},
		{c.AlreadyExists, "creates what exists"}, {c.NoopWrites, "changes nothing"}, {c.DryRunsFailed, "dry runs refused"},
	} {
		if x.n > 0 {
			out = append(out, x.name)
		}
	}
	return out
}

func sharedSheet(d *Document) *sheet {
	s := &sheet{ID: "shared", Title: "Field managers that several users share without naming them", Empty: "None.",
		Columns: []column{{Title: "Manager", Kind: "text"}, {Title: "Writes", Kind: "number"}, {Title: "Users", Kind: "list"}}}
	for _, m := range d.SharedManagers {
		users := visibles(m.Users[:min(len(m.Users), 20)])
		if n := len(m.Users) - len(users); n > 0 {
			users = append(users, fmt.Sprintf("and %d more", n))
		}
		s.Rows = append(s.Rows, []any{visible(m.Manager), m.Writes, users})
	}
	return s
}

func conflictsSheet(d *Document) *sheet {
	s := &sheet{ID: "conflicts", Title: "Fields that another manager owns", Empty: "None.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "API", Kind: "text"}, {Title: "Field", Kind: "text"}, {Title: "Owner", Kind: "text"}, {Title: "Conflicts", Kind: "number"}}}
	for _, c := range d.Conflicts {
		s.Rows = append(s.Rows, []any{visible(c.User), visible(c.Agent), visible(c.API), visible(c.Field), visible(c.Manager), c.Count})
	}
	return s
}

func refusedSheet(d *Document) *sheet {
	s := &sheet{ID: "refused", Title: "Refused parameters and dry runs", Empty: "None.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "Count", Kind: "number"}, {Title: "Answer", Kind: "text"}}}
	for _, r := range d.Refused {
		text := r.Text
		if r.Kind == "dryRun" {
			text = "webhook " + r.Text + " does not support dry run"
		}
		s.Rows = append(s.Rows, []any{visible(r.User), visible(r.Agent), r.Count, visible(text)})
	}
	return s
}

func bodiesSheet(d *Document) *sheet {
	s := &sheet{ID: "bodies", Title: "Findings in the objects that clients send", Empty: "None.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "API", Kind: "text"}, {Title: "Rule", Kind: "text", Pick: true}, {Title: "Path", Kind: "text"}, {Title: "Finding", Kind: "text"}, {Title: "Requests", Kind: "number"}, {Title: "Objects", Kind: "list"}}}
	for _, b := range d.Bodies {
		s.Rows = append(s.Rows, []any{visible(b.User), visible(b.Agent), visible(b.API), visible(b.Rule), visible(b.Path), visible(b.Message), b.Count, visibles(b.Objects)})
	}
	return s
}
