package upgradecmd

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/skew"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// nodeFacts adds facts for kubelets that are too old. Their versions are in the user
// agents of their requests. A node counts with the last version in the logs.
func (r *run) nodeFacts(t *tally.Report) {
	last := map[string]*tally.Client{}
	for _, c := range t.Clients {
		node, ok := strings.CutPrefix(c.User, "system:node:")
		if !ok || !strings.HasPrefix(c.Agent, "kubelet/v") {
			continue
		}
		if old := last[node]; old == nil || old.Last < c.Last {
			last[node] = c
		}
	}
	where := "audit logs"
	if len(r.flags.audits) == 1 {
		where = r.flags.audits[0]
	}
	for _, node := range slices.Sorted(maps.Keys(last)) {
		c := last[node]
		version, _, _ := strings.Cut(strings.TrimPrefix(c.Agent, "kubelet/"), " ")
		m, err := lifecycle.ParseMinor(version)
		if err != nil {
			continue
		}
		f, ok := skew.Fact(r.versions, "kubelet", m)
		if !ok {
			continue
		}
		f.OwnerKind, f.OwnerName = "cluster", "nodes, by the audit logs"
		f.Ref = rules.ObjectRef{APIVersion: "v1", Kind: "Node", Name: node}
		f.Evidence = upgrade.Evidence{Source: "audit", File: where, Object: f.Ref.String(), Count: c.Requests, LastSeen: moments(c.Last), Text: version}
		r.facts = append(r.facts, f)
	}
}
