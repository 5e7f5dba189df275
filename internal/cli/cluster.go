package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
)

// connect connects to the cluster that is to be judged, if one is. Its version
// is what is judged against, unless the user has named another.
func (a *app) connect(ctx context.Context, f *lintFlags, s *settings) (*cluster.Connection, error) {
	if !f.cluster {
		for _, flag := range []string{"context", "kubeconfig", "request-timeout"} {
			if f.set(flag) {
				return nil, usagef("--%s is for --cluster", flag)
			}
		}
		return nil, nil
	}
	if likeKubectl(f.outputs) {
		return nil, usagef("--output kubectl is the answer to manifests: it does not go with --cluster")
	}
	if f.requestTimeout <= 0 {
		return nil, usagef("--request-timeout must be longer than nothing")
	}
	o := cluster.Options{Context: f.context, Timeout: f.requestTimeout, ReleaseHistory: s.releaseHistory}
	if f.kubeconfig != "" {
		o.Kubeconfig = a.path(f.kubeconfig)
	}
	c, err := cluster.Connect(ctx, o)
	var mistake *cluster.ConfigError
	switch {
	case errors.As(err, &mistake):
		return nil, usagef("--cluster: %w", err)
	case err != nil:
		return nil, fmt.Errorf("--cluster: %w", err)
	}
	switch {
	case s.retarget == nil:
	case c.Version == 0:
		s.notes = append(s.notes, fmt.Sprintf("%s: its version %q is not known: judging against %s", c.Name, c.GitVersion, s.target))
	default:
		if err := s.retarget(c.Version.String()); err != nil {
			return nil, usage(err)
		}
	}
	return c, nil
}

// tellLive reports what was found in a cluster beside its objects, and what
// could not be read of it.
func (r *run) tellLive(live *cluster.Found, sum *rules.Summary) error {
	if live == nil {
		return nil
	}
	for _, f := range live.Findings {
		if !r.enabled[f.Rule] {
			continue
		}
		f.Severity = min(f.Severity, r.severity[f.Rule])
		sum.Findings[f.Rule]++
		if err := r.tell(f); err != nil {
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
	r.remarks = append(r.remarks, remark)
	for _, note := range live.Notes {
		r.remarks = append(r.remarks, "note: "+live.Name+": "+note)
	}
	return nil
}
