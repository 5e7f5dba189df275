package upgradecmd

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/programs"
)

// readGauge reads the metrics of a server from the file of --metrics.
func (r *run) readGauge(context.Context, []string) error {
	if r.flags.metrics == "" {
		return nil
	}
	name := r.flags.metrics
	in := r.Stdin
	if name != "-" {
		file, err := os.Open(r.Path(name))
		if err != nil {
			return app.Usage(fmt.Errorf("reading %w", app.Bare(err, name)))
		}
		defer file.Close()
		in = file
	}
	gates := &programs.Metrics{}
	rows, err := tally.ReadMetrics(io.TeeReader(in, gates))
	if err != nil {
		return app.Usage(fmt.Errorf("reading metrics from %s: %w", quote.Name(name), err))
	}
	r.gateFacts(gates, name)
	for _, row := range rows {
		api := apiOfResource(row.Group, row.Version, row.Resource)
		f := upgrade.Fact{
			OwnerKind: "unknown", OwnerName: "somebody, by the server's metrics", API: api, Attach: true, Always: api.IsZero(),
			Subject: row.String(), Planned: row.Removed,
		}
		r.apiFact(&f)
		f.Evidence = upgrade.Evidence{Source: "metrics", File: name, Text: "requested since the API server started"}
		r.facts = append(r.facts, f)
	}
	text := report.Count(len(rows), "deprecated API") + " requested, in " + name
	if gates.Known() {
		text += ", and the feature gates of kube-apiserver"
	}
	r.sources["metrics"] = upgrade.Source{Kind: "metrics", Given: true, Text: text}
	return nil
}

// gateFacts adds facts for the feature gates in the metrics of a server.
func (r *run) gateFacts(m *programs.Metrics, name string) {
	if !m.Known() {
		return
	}
	if m.Version != 0 && m.Version != r.versions.From {
		r.notes = append(r.notes, fmt.Sprintf("%s is of a server of %s, not %s: its feature gates are not checked", quote.Name(name), m.Version, r.versions.From))
		return
	}
	for _, f := range m.Facts(r.versions) {
		f.OwnerKind, f.OwnerName = "cluster", "kube-apiserver, by its metrics"
		f.Evidence = upgrade.Evidence{Source: "metrics", File: name, Text: "not the default of " + r.versions.From.String()}
		r.facts = append(r.facts, f)
	}
}
