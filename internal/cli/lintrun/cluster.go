package lintrun

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
)

// Connect connects to the cluster if --cluster is set, and returns nil otherwise. The
// cluster's version becomes the target, unless the user chose a target.
func Connect(ctx context.Context, a *app.App, f *Flags, s *Settings) (*cluster.Connection, error) {
	if !f.Cluster {
		for _, flag := range []string{"context", "kube-context", "kubeconfig", "request-timeout"} {
			if f.Set(flag) && (flag != "context" || len(f.Context) == 0) {
				return nil, app.Usagef("--%s is for --cluster", flag)
			}
		}
		return nil, nil
	}
	if settings.LikeKubectl(f.Outputs) {
		return nil, app.Usagef("--output kubectl and --cluster exclude each other: kubectl answers manifests")
	}
	if f.RequestTimeout <= 0 {
		return nil, app.Usagef("--request-timeout must be positive")
	}
	name := f.KubeContext
	if f.namesKubeContext() {
		if len(f.Context) > 1 {
			return nil, app.Usagef("with --cluster, --context is the context of the kubeconfig, and there can be only one: name files with --crd, or the context of the kubeconfig with --kube-context")
		}
		name = strings.Join(f.Context, "")
	}
	o := cluster.Options{Context: name, Timeout: f.RequestTimeout, ReleaseHistory: s.releaseHistory}
	if f.Kubeconfig != "" {
		o.Kubeconfig = a.Path(f.Kubeconfig)
	}
	c, err := cluster.Connect(ctx, o)
	var mistake *cluster.ConfigError
	switch {
	case errors.As(err, &mistake):
		return nil, app.Usagef("--cluster: %w", err)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("--cluster: %w", err)
	}
	switch {
	case s.useServerVersion == nil:
	case c.Version == 0:
		s.Notes = append(s.Notes, fmt.Sprintf("%s: its version %q is not known: %s is used as the target", c.Name, c.GitVersion, s.Target))
	default:
		if err := s.useServerVersion(c.Version.String()); err != nil {
			return nil, app.Usage(err)
		}
	}
	return c, nil
}

// reportLive reports the findings of a cluster that belong to no object, and counts the
// parts of the cluster that could not be read. live may be nil.
func (r *Run) reportLive(live *cluster.Found, sum *rules.Summary, emit func(rules.Finding) error) error {
	if live == nil {
		return nil
	}
	for _, f := range live.Findings {
		if !r.Enabled[f.Rule] {
			continue
		}
		f.Severity = min(f.Severity, r.Severity[f.Rule])
		sum.Findings[f.Rule]++
		if err := emit(f); err != nil {
			return err
		}
	}
	refused := 0
	for _, u := range live.Unread {
		if u.Forbidden {
			refused++
		}
		sum.Fail(live.Name, u)
	}
	if live.ReplacedReleases > 0 {
		sum.Skipped[rules.SkipReleaseHistory] += live.ReplacedReleases
	}
	remark := fmt.Sprintf("%s: %d objects of %d resources, in %d requests", live.Name, live.Objects, live.Resources, live.Requests)
	if refused > 0 {
		remark += fmt.Sprintf("; %d not permitted", refused)
	}
	r.Remarks = append(r.Remarks, remark)
	for _, note := range live.Notes {
		r.Remarks = append(r.Remarks, "note: "+live.Name+": "+note)
	}
	return nil
}
