package cluster

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Metrics about deprecated APIs and stored objects (apiserver,
// pkg/endpoints/metrics and pkg/storage/etcd3/metrics).
const (
	requestedMetric = "apiserver_requested_deprecated_apis{"
	storedMetric    = "apiserver_storage_objects{"
	resourceMetric  = "apiserver_resource_objects{" // name of storedMetric since 1.34
)

// metrics reads two metrics of the server: the deprecated APIs that were
// requested since it started, and the number of stored objects of each
// resource.
func (s *scan) metrics(ctx context.Context) error {
	body, err := s.stream(ctx, request{path: "/metrics", accept: "text/plain"})
	if err != nil {
		return s.recordFailure(ctx, "read /metrics", err)
	}
	defer body.Close()
	requested, stored, err := readMetrics(body)
	if err != nil {
		return s.recordFailure(ctx, "read /metrics", err)
	}
	for _, row := range requested {
		s.addRequested(row)
	}
	for _, r := range s.unlisted {
		if n := stored[r.String()]; n > 0 {
			s.found.Objects += n
			s.addLost(r, n)
		}
	}
	return nil
}

// readMetrics returns the rows of both metrics.
func readMetrics(r io.Reader) (requested []tally.MetricRow, stored map[string]int, err error) {
	var rows bytes.Buffer
	stored = map[string]int{}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), 1<<20)
	for in.Scan() {
		line := in.Text()
		switch {
		case strings.HasPrefix(line, requestedMetric):
			rows.WriteString(line + "\n")
		case strings.HasPrefix(line, storedMetric), strings.HasPrefix(line, resourceMetric):
			if name, n, ok := storedRow(line); ok {
				stored[name] = n
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, nil, err
	}
	requested, err = tally.ReadMetrics(&rows)
	return requested, stored, err
}

// storedRow parses a row such as
// `apiserver_storage_objects{resource="leases.coordination.k8s.io"} 3`. In
// apiserver_resource_objects, the group is a separate label.
func storedRow(line string) (name string, n int, ok bool) {
	_, labels, _ := strings.Cut(line, "{")
	labels, value, ok := strings.Cut(labels, "} ")
	if !ok {
		return "", 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || f < 0 || f > 1e12 {
		return "", 0, false
	}
	group := ""
	for pair := range strings.SplitSeq(labels, ",") {
		key, text, _ := strings.Cut(pair, "=")
		switch text = strings.Trim(text, `"`); key {
		case "resource":
			name = text
		case "group":
			group = text
		}
	}
	if group != "" && name != "" && !strings.Contains(name, ".") {
		name += "." + group
	}
	return name, int(f), name != ""
}

// addRequested adds a finding for a deprecated API that was requested.
func (s *scan) addRequested(row tally.MetricRow) {
	requested := resource{group: row.Group, version: row.Version, plural: row.Resource}
	api, known := lookup(s.resources, requested)
	f := rules.Finding{
		Rule: "deprecatedapi", Severity: rules.Warning, File: s.Name,
		Path: "/metrics",
	}
	resourceName := requested.plural
	if row.Subresource != "" {
		resourceName += "/" + row.Subresource
	}
	text := fmt.Sprintf("somebody has asked for %s %s since the API server started", requested.apiVersion(), resourceName)
	switch {
	case known && api.RemovedMinors(s.target) != 0:
		removedIn := api.RemovedMinors(s.target)
		f.Rule, f.Minors = "removedapi", removedIn.String()
		text += fmt.Sprintf(", which %s", removalText(api))
		f.Replacement = replacementName(api, removedIn.Newest(), s.target)
	case known:
		var affected lifecycle.Minors
		for m := range api.ServedMinors(s.target).All() {
			if api.IsDeprecated(m) {
				affected = affected.With(m)
			}
		}
		if affected == 0 {
			return
		}
		f.Minors = affected.String()
		text += ", which is deprecated"
		if row.Removed != "" {
			text += " and gone in " + row.Removed
		}
		f.Replacement = replacementName(api, affected.Newest(), s.target)
	default:
		text += ", which is deprecated"
		if row.Removed != "" {
			text += " and gone in " + row.Removed
		}
	}
	if f.Replacement != "" {
		text += "; use " + f.Replacement
	}
	f.Message = text + "; an audit log tells who"
	s.found.Findings = append(s.found.Findings, f)
}

// lookup returns the API of a resource. The kind comes from discovery, or from
// the tables if the server does not list the resource.
func lookup(all []resource, r resource) (lifecycle.API, bool) {
	i := slices.IndexFunc(all, func(o resource) bool {
		return o.group == r.group && o.version == r.version && o.plural == r.plural
	})
	if i >= 0 {
		return lifecycle.LookupGV(r.apiVersion(), all[i].kind)
	}
	for api := range lifecycle.All() {
		if api.GroupVersion() == r.apiVersion() && api.Resource() == r.plural && api.Class() == lifecycle.Resource {
			return api, true
		}
	}
	return lifecycle.API{}, false
}

// replacementName returns the name of the API that replaces another API; "" for
// none.
func replacementName(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) string {
	if r, ok := api.ReplacementAt(m, t); ok {
		return r.String()
	}
	if r, ok := api.Successor(); ok {
		return r.String()
	}
	return ""
}

// removalText returns the text for the release in which an API is removed.
func removalText(api lifecycle.API) string {
	since := api.Servable().Newest() + 1
	if planned := api.LifecycleAt(lifecycle.Newest).Removed; planned != 0 {
		since = min(since, planned)
	}
	return fmt.Sprintf("is gone in %s", since)
}

// lostText returns the message for n objects of a kind that a target no longer
// serves.
func lostText(r resource, api lifecycle.API, n int, minors lifecycle.Minors) string {
	objects := "objects"
	if n == 1 {
		objects = "object"
	}
	return fmt.Sprintf("the cluster has %d %s of kind %s (%s), which %s without a successor: they are unreachable there", n, objects, r.kind, r, removalText(api))
}
