package auditinput

import (
	"fmt"
	"os"

	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
)

// ReadMetrics reads a dump of /metrics from a file, or from standard input if name is
// "-". Without an error, the result is not nil.
func ReadMetrics(a *app.App, name string) ([]logtally.MetricRow, error) {
	in := a.Stdin
	if name != "-" {
		file, err := os.Open(a.Path(name))
		if err != nil {
			return nil, fmt.Errorf("reading %w", app.Bare(err, name))
		}
		defer file.Close()
		in = file
	}
	rows, err := logtally.ReadMetrics(in)
	if err != nil {
		return nil, fmt.Errorf("reading metrics from %s: %w", quote.Name(name), err)
	}
	if rows == nil {
		rows = []logtally.MetricRow{}
	}
	return rows, nil
}
