package auditreport

// fightDrawing is one fight in the graph.
type fightDrawing struct {
	// Sheet and Row identify the row of this fight in the tables.
	Sheet  string `json:"sheet"`
	Row    int    `json:"row"`
	Object string `json:"object"`
	// First and Last are the times of the first and the last reversal. Step is the length
	// of an interval in seconds.
	First     string           `json:"first"`
	Last      string           `json:"last"`
	Step      float64          `json:"step"`
	Reversals int64            `json:"reversals"`
	Ongoing   bool             `json:"ongoing"`
	Evidence  string           `json:"evidence"`
	Cause     string           `json:"cause"`
	Cure      string           `json:"cure"`
	Page      string           `json:"page"`
	AtLeast   bool             `json:"atLeast"`
	Versions  []string         `json:"versions"`
	Fields    []fieldDrawing   `json:"fields"`
	Left      int              `json:"left"`
	Writers   []fighterDrawing `json:"writers"`
	Turns     []turnDrawing    `json:"turns"`
}

// turnDrawing is one write in a fight. Place is a cell of the kind "place".
type turnDrawing struct {
	Text  string   `json:"text"`
	Place []string `json:"place"`
}

type fieldDrawing struct {
	Path   string `json:"path"`
	Values string `json:"values"`
	N      int64  `json:"n"`
}

type fighterDrawing struct {
	// ID identifies the writer. A writer has the same ID in all fights.
	ID        int      `json:"id"`
	Name      string   `json:"name"`
	User      string   `json:"user"`
	Agent     string   `json:"agent"`
	Manager   string   `json:"manager"`
	Webhook   bool     `json:"webhook"`
	How       []string `json:"how"`
	Writes    int64    `json:"writes"`
	Reversals int64    `json:"reversals"`
	Wins      bool     `json:"wins"`
	// Steps is the number of reversals in each interval of the fight.
	Steps []int64 `json:"steps"`
}

func fightData(d *Document, l Look) []fightDrawing {
	out := []fightDrawing{}
	type key struct{ user, agent, manager, kind string }
	ids := map[key]int{}
	rows := map[string]int{}
	for i := range d.Fights {
		f := &d.Fights[i]
		sheet := "fighting"
		if f.Rule == "selfflap" {
			sheet = "flapping"
		}
		x := fightDrawing{
			Sheet: sheet, Row: rows[sheet], Object: objectName(f.Object), First: clock(f.First), Last: clock(f.Last), Step: f.Step, Reversals: f.Reversals,
			Ongoing: f.Ongoing, Evidence: visible(f.Evidence), Cause: visibleAdvice(f.Cause), Cure: visibleAdvice(f.Cure), Page: f.Page, AtLeast: f.AtLeast,
			Versions: visibles(f.APIVersions), Fields: []fieldDrawing{}, Left: f.FieldsLeft, Writers: []fighterDrawing{}, Turns: []turnDrawing{},
		}
		rows[sheet]++
		for _, p := range f.Fields {
			x.Fields = append(x.Fields, fieldDrawing{visible(p.Path), visible(versus(p.Values)), p.Reversals})
		}
		names := shortNames(f.Writers)
		for _, t := range f.Turns {
			x.Turns = append(x.Turns, turnDrawing{turnText(&t, names), logPlaceCell(l, t.File, t.Line, t.AuditID)})
		}
		for j, w := range f.Writers {
			k := key{w.User, w.Agent, w.Manager, w.Kind}
			id, ok := ids[k]
			if !ok {
				id = len(ids)
				ids[k] = id
			}
			y := fighterDrawing{ID: id, Name: visible(names[j]), User: visible(w.User), Agent: visible(w.Agent), Manager: visible(w.Manager), Webhook: w.Kind == "webhook",
				How: orEmpty(w.How), Writes: w.Writes, Reversals: w.Reversals, Wins: int(f.Winner) == j && len(f.Writers) > 1, Steps: []int64{}}
			for _, step := range f.Timeline {
				var n int64
				if j < len(step.Reversals) {
					n = step.Reversals[j]
				}
				y.Steps = append(y.Steps, n)
			}
			x.Writers = append(x.Writers, y)
		}
		out = append(out, x)
	}
	return out
}
