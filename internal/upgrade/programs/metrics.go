package programs

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Metrics is a writer that collects feature gates from the metrics of a server. The
// metric kubernetes_feature_enabled (component-base/metrics, since 1.26) has the value of
// every gate.
type Metrics struct {
	// Version is the release of the server, or 0 if the metrics do not have it.
	Version lifecycle.Minor

	gates map[string]bool
	rest  []byte
}

// maxLine is the maximal length of a line in bytes. Longer lines are ignored, because the
// metrics about gates have short lines.
const maxLine = 4096

// Write parses a part of the metrics. Its error is always nil.
func (m *Metrics) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			if len(m.rest) < maxLine {
				m.rest = append(m.rest, p...)
			}
			return n, nil
		}
		m.line(string(append(m.rest, p[:i]...)))
		m.rest, p = m.rest[:0], p[i+1:]
	}
}

// line parses one line of the metrics.
func (m *Metrics) line(line string) {
	switch {
	case len(line) > maxLine:
	case strings.HasPrefix(line, "kubernetes_build_info{"):
		if v, err := lifecycle.ParseMinor(label(line, "git_version")); err == nil {
			m.Version = v
		}
	case strings.HasPrefix(line, "kubernetes_feature_enabled{"):
		name := label(line, "name")
		if lifecycle.GateMinors(name) == 0 {
			return
		}
		if m.gates == nil {
			m.gates = map[string]bool{}
		}
		m.gates[name] = strings.HasSuffix(strings.TrimSpace(line), "} 1")
	}
}

// label returns the value of a label in a line of metrics, or "".
func label(line, name string) string {
	_, rest, ok := strings.Cut(line, name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// Known reports whether the metrics have any gates.
func (m *Metrics) Known() bool { return len(m.gates) > 0 }

// Facts returns facts for the gates whose value differs from the default of the release.
// The caller adds the evidence.
func (m *Metrics) Facts(way upgrade.Upgrade) (facts []upgrade.Fact) {
	for _, name := range slices.Sorted(maps.Keys(m.gates)) {
		g, ok := lifecycle.GateDefault(name, way.From)
		if !ok || g.Default == m.gates[name] || name == "AllAlpha" || name == "AllBeta" ||
			g.Stage == lifecycle.Alpha && m.gates["AllAlpha"] || g.Stage == lifecycle.Beta && m.gates["AllBeta"] {
			continue
		}
		if f, _ := Gate(way, name, m.gates[name]); f.Minors != 0 {
			facts = append(facts, f)
		}
	}
	return facts
}
