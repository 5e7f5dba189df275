// Package lintrun lints manifests with the settings of a command line: it finds
// the inputs, renders kustomizations and charts, and runs the linter.
package lintrun

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/kubectlapply"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Gather makes the inputs of a run: what the arguments mean and a cluster has,
// the definitions that are given besides, and what is rendered of all that. own
// are files that are never judged. The caller closes the inputs.
func Gather(ctx context.Context, r *reporting.Run, args []string, s *settings.Settings, own []string, live *cluster.Connection) (*Inputs, error) {
	in, err := Expand(ctx, r.App, args, s, own)
	if err != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, in.notes...)
	if live != nil {
		if in.Live, err = live.Scan(ctx, s.Target); err != nil {
			in.Close()
			return nil, err
		}
		s.Enable(in.Live.Enabled)
	}
	if r.Given, err = gatherCRDs(ctx, r.App, s); err != nil {
		in.Close()
		return nil, err
	}
	in.given = r.Given
	Render(ctx, r.App, in, s, r.Dir, "")
	s.Notes = append(s.Notes, in.Rendered.Notes...)
	return in, nil
}

// Judge runs the linter and reports what it finds.
func Judge(ctx context.Context, r *reporting.Run, in *Inputs) (*rules.Summary, error) {
	enabled := func(rule string) bool { return r.Enabled[rule] }
	set, err := collectContext(ctx, r, in, enabled)
	if err != nil {
		return rules.NewSummary(), err
	}
	options := manifestlint.Options{
		Target:         r.Target,
		Checks:         allChecks(r, set),
		Enabled:        enabled,
		Severity:       r.Severity,
		Embedded:       r.Embedded,
		ReleaseHistory: r.ReleaseHistory,
		NoScripts:      !r.Scripts,
		Kubectl:        r.Kubectl,
		RequireReason:  r.RequireReason,
		MaxDocument:    int(r.MaxDocument),
		NewReader:      in.NewReader,
		Validation:     r.Validation,
		Old:            storedObjects(r),
		FixEdits:       r.FixEdits || r.Writes(reporting.CarriesFixes),
	}
	// The summary counts the fixes.
	options.Fixes = options.FixEdits || !r.Flags.Quiet || r.Teller != nil || r.Writes(reporting.ShowsFixes)
	if appliers := r.Outs.Appliers(); len(appliers) > 0 {
		apply := &kubectlapply.Apply{Run: r, Set: set, Reports: appliers}
		if !apply.Missing(in.unreadable) {
			options.Each = apply.Each
		}
	}
	linter := manifestlint.New(options)
	if r.Known != nil {
		for _, i := range in.List {
			r.Judged[r.Known.Name(r.Dir, i.Name)] = true
		}
	}
	held := &folded{}
	sum, err := linter.Run(ctx, in.Seq(), func(f rules.Finding) error {
		if held.add(f) {
			return nil
		}
		return r.Tell(f)
	})
	if err == nil && in.Rendered != nil && len(in.Rendered.Sketches) > 0 && options.Each == nil {
		err = tellSketches(ctx, r, linter, in, held, sum)
	}
	if err == nil {
		err = tellRendered(r, in, held, sum)
	}
	if err == nil {
		err = tellLive(r, in.Live, sum)
	}
	r.Discount(sum)
	for _, p := range in.unreadable {
		sum.Fail(p.Name, errors.New(p.Text))
	}
	return sum, err
}

// collectContext collects the objects that others are checked by.
func collectContext(ctx context.Context, r *reporting.Run, in *Inputs, enabled func(string) bool) (*checks.Set, error) {
	kinds := checks.NeededKinds(enabled)
	if len(r.Outs.Appliers()) > 0 { // they print the whole answer
		kinds = checks.ContextKinds()
	}
	if len(kinds) == 0 {
		return checks.NewSet(r.Given), nil
	}
	collected, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{
		Kinds: kinds, MaxDocument: int(r.MaxDocument), NewReader: in.NewReader, Old: storedObjects(r),
		Left: func(n int) {
			r.Remarks = append(r.Remarks, fmt.Sprintf("note: %d custom resource definitions, namespaces or webhook configurations exceed %d MiB: other objects are not checked by them", n, objectcontext.MaxCollected>>20))
		},
	})
	return checks.NewSet(slices.Concat(r.Given, collected)), err
}

// allChecks are those of the catalogue and the user's own list.
func allChecks(r *reporting.Run, set *checks.Set) []manifestlint.Check {
	all := checks.All(set)
	if r.Additional != nil {
		all = append(all, checks.Additional(r.Additional))
	}
	return all
}

// storedObjects finds the stored objects; nil if all objects are new.
func storedObjects(r *reporting.Run) func(string, *manifestlint.Object) *wire.Value {
	if r.Stored == nil {
		return nil
	}
	return r.Stored.Of
}
