// Package skew finds programs that are too old for an API server of the upgrade. It
// follows the policy on version skew
// (https://kubernetes.io/releases/version-skew-policy/).
package skew

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	facts    []upgrade.Fact
	// nodes is the number of nodes. unknown is the number of nodes whose version is
	// unknown.
	nodes, unknown int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{versions: way} }

const (
	reference = "https://kubernetes.io/releases/version-skew-policy/"
	maxFacts  = 100_000
)

// See checks a node, or a workload that runs a program of Kubernetes.
func (c *Check) See(o *seen.Object) {
	if o.Ref.APIVersion == "v1" && o.Ref.Kind == "Node" {
		info := o.Root.At("status", "nodeInfo")
		if info == nil {
			return // not a node of a cluster
		}
		c.nodes++
		c.program(o, "kubelet", info.Get("kubeletVersion"))
		// Since 1.31, a kubelet reports its own version as the version of kube-proxy, or
		// no version. So an equal version proves nothing.
		if proxy := info.Get("kubeProxyVersion"); proxy.StringOr("") != info.Get("kubeletVersion").StringOr("") {
			c.program(o, "kube-proxy", proxy)
		}
		return
	}
	at, ok := apiserver.PodSpecPath(o.Ref.APIVersion, o.Ref.Kind)
	if !ok {
		return
	}
	for _, container := range o.Root.At(append(strings.Split(at, "."), "containers")...).Elements() {
		image := container.Get("image")
		name, tag, _ := strings.Cut(path.Base(image.StringOr("")), ":")
		tag, _, _ = strings.Cut(tag, "@")
		switch name {
		case "kube-proxy", "kube-controller-manager", "kube-scheduler":
			if tag != "" {
				c.program(o, name, &wire.Value{Kind: wire.String, Text: tag, Pos: image.Pos})
			}
		}
	}
}

func (c *Check) program(o *seen.Object, program string, version *wire.Value) {
	if version.StringOr("") == "" {
		return
	}
	m, err := lifecycle.ParseMinor(version.Text)
	if err != nil {
		c.unknown++
		return
	}
	f, ok := Fact(c.versions, program, m)
	if !ok || len(c.facts) >= maxFacts {
		return
	}
	where := o.Fact("skew", f.Subject, version.Pos)
	f.Evidence, f.Ref = where.Evidence, where.Ref
	f.Evidence.Text = version.Text
	c.facts = append(c.facts, f)
}

// allowedSkew returns the number of minors by which a program of minor m may be older
// than the API server.
func allowedSkew(program string, m lifecycle.Minor) lifecycle.Minor {
	switch {
	case program == "kube-controller-manager" || program == "kube-scheduler":
		return 1
	case m < 25:
		return 2
	}
	return 3
}

// Fact returns the fact about a program of minor m. ok is false if all API servers of the
// upgrade support the program.
func Fact(way upgrade.Upgrade, program string, m lifecycle.Minor) (f upgrade.Fact, ok bool) {
	behind := allowedSkew(program, m)
	refused := lifecycle.Range{From: m + behind + 1, To: lifecycle.Newest}.Minors()
	if refused&(lifecycle.Range{From: way.From, To: way.To}).Minors() == 0 {
		return f, false
	}
	first := (refused & lifecycle.Range{From: way.From, To: way.To}.Minors()).Oldest()
	return upgrade.Fact{
		Category: "skew", Subject: fmt.Sprintf("%s %s", program, m), Severity: rules.Error, Minors: refused,
		Text:        fmt.Sprintf("%s %s supports API servers up to %s", program, m, m+behind),
		Replacement: fixText(way, program, first),
		Reference:   reference,
	}, true
}

// fixText returns a sentence with the version that a program must have. first is the
// first release of the API server for which the program is too old.
func fixText(way upgrade.Upgrade, program string, first lifecycle.Minor) string {
	newest := max(first-1, way.From) // a program must not be newer than the API server
	oldest := newest
	for oldest > 1 && oldest-1+allowedSkew(program, oldest-1) >= first {
		oldest--
	}
	text := fmt.Sprintf("Upgrade %s to %s", program, newest)
	if oldest < newest {
		text += fmt.Sprintf(", at least to %s,", oldest)
	}
	if first > way.From {
		text += fmt.Sprintf(" before the API server is upgraded to %s", first)
	}
	text = strings.TrimSuffix(text, ",")
	if program == "kubelet" {
		text += ". This drains the nodes: make the drain changes first"
	}
	return text + "."
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact { return slices.Clip(c.facts) }

// Looked returns a text about what was checked, or "".
func (c *Check) Looked() string {
	if c.nodes == 0 {
		return ""
	}
	return "the versions of " + report.Count(c.nodes, "node")
}

// Gaps returns a note about nodes whose version is unknown.
func (c *Check) Gaps() []string {
	if c.unknown == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of programs not checked: no known release has the number", report.Count(c.unknown, "version"))}
}
