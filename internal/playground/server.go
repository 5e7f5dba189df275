package playground

import (
	"bytes"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// State is the answer of a server to a text. For objects with different states, it is the
// state that is first in the following list.
type State string

const (
	// Rejected means that the server refuses an object, or that kubectl cannot read or
	// send one.
	Rejected State = "rejected"
	// Unknown means that kubevet does not know the answer for an object, such as a custom
	// resource without a definition.
	Unknown State = "unknown"
	// Warned means that all objects are accepted, some with warnings.
	Warned State = "warned"
	// Accepted means that all objects are accepted without warnings.
	Accepted State = "accepted"
	// Empty means that the text has no objects.
	Empty State = "empty"
)

// Server is the answer of one release.
type Server struct {
	// Release is the release of the server, such as "1.33".
	Release string `json:"release"`
	State   State  `json:"state"`
	// Text is the output of kubectl apply --dry-run=server.
	Text string `json:"text"`
}

// recorder records the output of kubectl and counts the results for objects.
type recorder struct {
	report.Applier
	out                               *bytes.Buffer
	warned, refused, unread, accepted int
}

func newRecorder() *recorder {
	out := &bytes.Buffer{}
	return &recorder{Applier: report.NewKubectl(out, report.Options{}), out: out}
}

func (r *recorder) Warning(text string) error {
	r.warned++
	return r.Applier.Warning(text)
}

func (r *recorder) Applied(what string) error {
	r.accepted++
	return r.Applier.Applied(what)
}

func (r *recorder) Unread(text string, list int) {
	r.unread++
	r.Applier.Unread(text, list)
}

func (r *recorder) Refused(alone, among string) {
	r.refused++
	r.Applier.Refused(alone, among)
}

// server returns the answer of a release. sum is the summary of the run. The state is
// Unknown for objects without a definition in the text, which a real cluster may have,
// and for templates, which are really rendered first.
func (r *recorder) server(m lifecycle.Minor, sum *rules.Summary) *Server {
	s := &Server{Release: m.String(), State: Accepted}
	_ = r.Close(sum) // no error is possible, because the output is in memory
	s.Text = r.out.String()
	unknown := sum.Unchecked.Objects + sum.Skipped[rules.SkipTemplated]
	switch {
	case r.refused > 0 || r.unread > unknown:
		s.State = Rejected
	case unknown > 0 || sum.Undecided.Objects > 0:
		s.State = Unknown
	case r.warned > 0:
		s.State = Warned
	case r.accepted == 0:
		s.State = Empty
	}
	return s
}
