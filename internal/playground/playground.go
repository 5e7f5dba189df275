// Package playground answers the questions of the documentation's playground: the
// findings in a text, the answers of servers of each release, and the text after fixes.
// Its caller is a page in a browser, through WebAssembly. So it reads no files and starts
// no processes.
package playground

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kubevet/kubevet/internal/kubectlapply"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// inputName is the name of the text in findings. kubevet uses this name for standard
// input.
const inputName = "-"

// MaxText is the maximal size of a text in bytes, 256 KiB.
const MaxText = 256 << 10

// Question is a text with a description of the servers.
type Question struct {
	// Text is YAML or JSON, at most MaxText bytes.
	Text string `json:"text"`
	// Target is a release or a range, such as "1.33" or "1.16..1.37". Empty means the
	// newest known release.
	Target string `json:"target"`
	// Gates has feature gates in the form "A=true,B=false".
	Gates string `json:"gates"`
}

// Result is the result of checking a text.
type Result struct {
	// Report is the output of `kubevet lint -o json` for the text.
	Report json.RawMessage `json:"report"`
	// Places has the place of each finding in the report.
	Places []Place `json:"places"`
	// Server is the answer of the newest release of the target.
	Server *Server `json:"server"`
}

// Lint checks a text.
func Lint(ctx context.Context, q Question) (*Result, error) {
	p, err := newPass(ctx, q)
	if err != nil {
		return nil, err
	}
	apply, recorded := p.apply(p.target.At(p.target.To))
	answer := &Result{Places: []Place{}}
	places := newPlaces(q.Text)
	var out bytes.Buffer
	written := report.NewJSON(&out)
	sum, err := p.run(ctx, apply, true, func(f rules.Finding) error {
		answer.Places = append(answer.Places, places.placeOf(&f))
		return written.Finding(f)
	})
	if err != nil {
		return nil, err
	}
	if err := written.Close(sum); err != nil {
		return nil, err
	}
	answer.Report = out.Bytes()
	answer.Server = recorded.server(p.target.To, sum)
	return answer, nil
}

// Answer returns the answer of the newest release of the target to a text. If no release
// has the feature gates, the state is Unknown.
func Answer(ctx context.Context, q Question) (*Server, error) {
	p, err := newPass(ctx, q)
	if refused := (*GatesError)(nil); errors.As(err, &refused) {
		return &Server{Release: q.Target, State: Unknown, Text: refused.Text}, nil
	}
	if err != nil {
		return nil, err
	}
	apply, recorded := p.apply(p.target.At(p.target.To))
	sum, err := p.run(ctx, apply, false, func(rules.Finding) error { return nil })
	if err != nil {
		return nil, err
	}
	return recorded.server(p.target.To, sum), nil
}

// pass checks a text like `kubevet lint` checks standard input.
type pass struct {
	text   []byte
	target lifecycle.Target
	// set has the objects and schemas that the enabled rules need. whole has all objects
	// and schemas in the text, for the answer of the server.
	set, whole *checks.Set
}

func newPass(ctx context.Context, q Question) (*pass, error) {
	if len(q.Text) > MaxText {
		return nil, fmt.Errorf("the text has %d bytes: the playground checks at most %d KiB. The command has no such limit", len(q.Text), MaxText>>10)
	}
	target, err := q.target()
	if err != nil {
		return nil, err
	}
	p := &pass{text: []byte(q.Text), target: target}
	if p.set, err = p.collect(ctx, checks.NeededKinds(enabled)); err != nil {
		return nil, err
	}
	if p.whole, err = p.collect(ctx, checks.ContextKinds()); err != nil {
		return nil, err
	}
	return p, nil
}

// collect returns the objects in the text that other objects are checked against.
func (p *pass) collect(ctx context.Context, kinds []string) (*checks.Set, error) {
	objects, err := objectcontext.Collect(ctx, p.inputs, objectcontext.Options{Kinds: kinds, Further: checks.FurtherKinds, Workers: 1})
	return checks.NewSet(objects), err
}

// inputs yields the text as the only input.
func (p *pass) inputs(yield func(manifestlint.Input) bool) {
	yield(manifestlint.Input{Name: inputName, Manifests: true, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(p.text)), nil
	}})
}

// run lints the text and calls found for each finding. If apply is not nil, it receives
// the objects. If fixes is true, fixes are computed.
func (p *pass) run(ctx context.Context, apply *kubectlapply.Apply, fixes bool, found func(rules.Finding) error) (*rules.Summary, error) {
	options := manifestlint.Options{
		Target: p.target, Checks: checks.All(p.set), Enabled: enabled, Severity: severities(), Workers: 1,
		Validation: apiserver.Warn, Described: p.set.Describes, Fixes: fixes, FixEdits: fixes,
	}
	if apply != nil {
		options.Each = apply.Each
	}
	return manifestlint.New(options).Run(ctx, p.inputs, found)
}

// apply returns a simulated server, which receives the objects, and a recorder of its
// output.
func (p *pass) apply(server lifecycle.Target) (*kubectlapply.Apply, *recorder) {
	r := newRecorder()
	return &kubectlapply.Apply{Target: server, Validation: apiserver.Strict, Set: p.whole, Reports: []report.Applier{r}}, r
}

// enabled reports whether a rule about manifests is on by default.
func enabled(rule string) bool {
	r, ok := rules.Lookup(rule)
	return ok && r.Default && r.On(rules.SurfaceManifest)
}

func severities() map[string]rules.Severity {
	all := map[string]rules.Severity{}
	for _, r := range manifestRules() {
		all[r.ID] = r.Severity
	}
	return all
}

// manifestRules returns the rules that the playground applies, sorted by ID.
func manifestRules() []rules.Rule {
	all := slices.DeleteFunc(rules.Catalogue(), func(r rules.Rule) bool { return !r.Default || !r.On(rules.SurfaceManifest) })
	slices.SortFunc(all, func(a, b rules.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
