package playground

import (
	"bytes"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// State is what becomes of a text, most important first: a text with an object that
// is rejected is Rejected, whatever becomes of the others.
type State string

// The states of a text.
const (
	// Rejected texts have an object that the server refuses, or one that kubectl
	// cannot read or send.
	Rejected State = "rejected"
	// Unknown texts have an object whose answer kubevet does not know, such as a
	// custom resource without a definition.
	Unknown State = "unknown"
	// Warned texts are accepted with warnings.
	Warned State = "warned"
	// Accepted texts have objects, all of which are accepted without warnings.
	Accepted State = "accepted"
	// Empty texts have no objects.
	Empty State = "empty"
)

// Server is the answer of one release.
type Server struct {
	// Release is such as "1.33".
	Release string `json:"release"`
	State   State  `json:"state"`
	// Text is what kubectl apply --dry-run=server prints.
	Text string `json:"text"`
}

// recorder is kubectl's output together with what becomes of the objects.
type recorder struct {
	report.Applier
	out                               *bytes.Buffer
	warned, refused, unread, accepted int
}

func newRecorder() *recorder {
	out := &bytes.Buffer{}
	return &recorder{Applier: report.NewKubectl(out, report.Options{}), out: out}
}

// Warning implements report.Applier.
func (r *recorder) Warning(text string) error {
	r.warned++
	return r.Applier.Warning(text)
}

// Applied implements report.Applier.
func (r *recorder) Applied(what string) error {
	r.accepted++
	return r.Applier.Applied(what)
}

// Unread implements report.Applier.
func (r *recorder) Unread(text string, list int) {
	r.unread++
	r.Applier.Unread(text, list)
}

// Refused implements report.Applier.
func (r *recorder) Refused(alone, among string) {
	r.refused++
	r.Applier.Refused(alone, among)
}

// server returns the answer of a release. sum is the summary of the run. kubectl cannot
// send objects whose definition the cluster lacks, and does not parse templates. Both
// may be different where the text is really applied.
func (r *recorder) server(m lifecycle.Minor, sum *rules.Summary) *Server {
	s := &Server{Release: m.String(), State: Accepted}
	_ = r.Close(sum) // to memory
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
