// Package ledger describes what was played in a recorded audit log: the truth that
// reports about the log are compared with.
package ledger

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Kinds of entries.
const (
	// Fight: two or more parties undo each other's writes, again and again.
	Fight = "fight"
	// Lookalike: several writes that look like a fight but are not one.
	Lookalike = "lookalike"
	// Flap: one party, perhaps as several replicas, undoes its own writes.
	Flap = "flap"
)

// Entry is the truth about one scene.
type Entry struct {
	// Scene names the scene, Family the group of its variants.
	Scene  string `json:"scene"`
	Family string `json:"family"`
	// Kind is Fight, Lookalike or Flap.
	Kind string `json:"kind"`
	// Debatable is set if experts may disagree with Kind.
	Debatable bool `json:"debatable,omitempty"`
	// Toggles is set in a Lookalike if one writer does change its own value back and
	// forth without a reason, so that the report of a flap is not wrong.
	Toggles bool `json:"toggles,omitempty"`
	// Objects are written by the scene. In a fight they are fought over.
	Objects []Object `json:"objects"`
	// Fields are fought over; empty if whole objects are, or in a lookalike.
	Fields []string `json:"fields,omitempty"`
	// Follows are what the server changes with Fields: reports may name it or not.
	Follows []string `json:"follows,omitempty"`
	// Writers are the parties. Bystanders that write other fields are left out.
	Writers []Writer `json:"writers"`
	// Mechanism says how one write undoes another.
	Mechanism string `json:"mechanism,omitempty"`
	// Winner is the user whose value is in the object at the end; empty if none is.
	Winner string `json:"winner,omitempty"`
	// Turns are the successful writes of the parties to the objects. Interval is
	// the median time between two of them.
	Turns    int       `json:"turns"`
	Interval string    `json:"interval"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	// Real says which programs are real and which are emulated.
	Real string `json:"real"`
	// Why is the reason for Kind in one sentence.
	Why string `json:"why"`
}

// Object names an object as audit events do.
type Object struct {
	Group     string `json:"group"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Writer is a party.
type Writer struct {
	User string `json:"user"`
	// Agent is the User-Agent header up to its first slash; "" for a webhook.
	Agent string `json:"agent,omitempty"`
	// Manager is the field manager that the program names; "" if it names none.
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
