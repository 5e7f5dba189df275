// Package playground answers what the playground of the documentation asks: what
// kubevet finds in one text, what servers of each release answer to it, and what
// fixes make of it. Its caller is a page in a browser, through WebAssembly, so that
// it reads no files and starts no processes.
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

// inputName is the name of the text in findings: that of standard input.
const inputName = "-"

// MaxText is the size in bytes of the largest text that is checked.
const MaxText = 256 << 10

// Question is a text, and the servers that it is for.
type Question struct {
	// Text is YAML or JSON, at most MaxText bytes.
	Text string `json:"text"`
	// Target is a release or a range, such as "1.33" or "1.16..1.37"; the newest
	// known one if it is empty.
	Target string `json:"target"`
	// Gates are feature gates as "A=true,B=false".
	Gates string `json:"gates"`
}

// Result is what kubevet says about a text.
type Result struct {
	// Report is what `kubevet lint -o json` prints for the text.
	Report json.RawMessage `json:"report"`
	// Places has the place of each finding of the report.
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
		answer.Places = append(answer.Places, places.of(&f))
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

// Answer returns what the newest release of the target answers to a text. If no release
// has such feature gates, the state is Unknown.
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

// pass checks one text, as `kubevet lint` checks standard input.
type pass struct {
	text   []byte
	target lifecycle.Target
	// set is what the enabled rules need to know about the cluster, whole is all
	// that the text says about it.
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

// collect returns the objects of the text that others are checked against.
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

// run lints the text. apply, if not nil, observes the objects; fixes computes fixes.
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

// apply returns what observes objects on the way to a server, and what it records.
func (p *pass) apply(server lifecycle.Target) (*kubectlapply.Apply, *recorder) {
	r := newRecorder()
	return &kubectlapply.Apply{Target: server, Validation: apiserver.Strict, Set: p.whole, Reports: []report.Applier{r}}, r
}

// enabled reports whether a rule about manifests is on by default.
func enabled(rule string) bool {
	r, ok := rules.Lookup(rule)
	return ok && r.Default && r.On(rules.SurfaceManifest)
}

// severities returns the severities of the rules about manifests.
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
