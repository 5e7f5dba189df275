// Package ledger describes the scenes in a recorded audit log. Reports about
// the log are compared with this description.
package ledger

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// These are the kinds of entries.
const (
	// Fight means that two or more parties undo each other's writes repeatedly.
	Fight = "fight"
	// Lookalike means that several writes look like a fight but are not a
	// fight.
	Lookalike = "lookalike"
	// Flap means that one party, which can have several replicas, undoes its
	// own writes.
	Flap = "flap"
)

// Entry is the description of one scene.
type Entry struct {
	// Scene is the name of the scene. Family is the name of the group of its
	// variants.
	Scene  string `json:"scene"`
	Family string `json:"family"`
	// Kind is Fight, Lookalike or Flap.
	Kind string `json:"kind"`
	// Debatable is set if experts can disagree with Kind.
	Debatable bool `json:"debatable,omitempty"`
	// Toggles is set in a Lookalike if one writer changes its own value back
	// and forth without a reason. A report of a flap is then correct.
	Toggles bool `json:"toggles,omitempty"`
	// Objects are the objects that the scene writes. In a fight, the parties
	// fight over them.
	Objects []Object `json:"objects"`
	// Fields are the fields that the parties fight over. They are empty in a
	// lookalike, and if the fight is about whole objects.
	Fields []string `json:"fields,omitempty"`
	// Follows are fields that the server changes together with Fields. A report
	// may name them, but need not.
	Follows []string `json:"follows,omitempty"`
	// Writers are the parties. Other writers, which write other fields, are
	// left out.
	Writers []Writer `json:"writers"`
	// Mechanism says how one write undoes another.
	Mechanism string `json:"mechanism,omitempty"`
	// Winner is the user whose value the object has at the end; empty for none.
	Winner string `json:"winner,omitempty"`
	// Turns is the number of successful writes of the parties to the objects.
	// Interval is the median time between two of these writes.
	Turns    int       `json:"turns"`
	Interval string    `json:"interval"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	// Real says which programs are real and which are emulated.
	Real string `json:"real"`
	// Why is the reason for Kind in one sentence.
	Why string `json:"why"`
}

// Object is an object in the form of audit events.
type Object struct {
	Group     string `json:"group"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Writer is a party of a fight.
type Writer struct {
	User string `json:"user"`
	// Agent is the User-Agent header up to its first slash; "" for a webhook.
	Agent string `json:"agent,omitempty"`
	// Manager is the field manager in the program's requests; "" for none.
	Manager string `json:"manager,omitempty"`
	// Webhook is set if User is the name of a mutating webhook.
	Webhook bool `json:"webhook,omitempty"`
}

// Read reads JSON lines.
func Read(r io.Reader) ([]Entry, error) {
	var all []Entry
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}

// Write writes JSON lines.
func Write(w io.Writer, all []Entry) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, e := range all {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}
