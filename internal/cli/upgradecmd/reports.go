package upgradecmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/upgrade"
)

// failLevels are the values of --fail-on.
var failLevels = []string{"must", "should", "never"}

// fails reports whether the exit status is app.StatusFindings.
func (f *flags) fails(s *upgrade.Summary) bool {
	switch f.failOn {
	case "never":
		return false
	case "should":
		return s.MustAct+s.ShouldAct > 0
	}
	return s.MustAct > 0
}

// readEarlier reads the reports of --baseline and --since.
func (r *run) readEarlier() error {
	for _, x := range []struct {
		flag, name string
		to         **upgrade.Report
	}{{"--baseline", r.flags.baseline, &r.baseline}, {"--since", r.flags.since, &r.since}} {
		if x.name == "" {
			continue
		}
		file, err := os.Open(r.Path(x.name))
		if err != nil {
			return app.Usage(fmt.Errorf("%s: %w", x.flag, app.Bare(err, x.name)))
		}
		earlier, err := upgrade.Read(file)
		file.Close()
		if err != nil {
			return app.Usagef("%s: %s: %w", x.flag, quote.Name(x.name), err)
		}
		*x.to = earlier
	}
	return nil
}

// compare marks the items that are new since --since, and writes the report of --save. It
// removes the items that the baseline has.
func (r *run) compare(report *upgrade.Report) error {
	if r.since != nil {
		report.Compare(r.since, r.flags.since)
	}
	if r.flags.save != "" {
		if err := r.writeFile(r.flags.save, func(w io.Writer) error { return report.Write("json", w, upgrade.Look{}) }); err != nil {
			return err
		}
	}
	if r.baseline != nil {
		report.Accept(r.baseline)
	}
	return nil
}

func (r *run) write(report *upgrade.Report, look upgrade.Look) error {
	f := r.flags
	if f.outputFile == "" || f.outputFile == "-" {
		if err := report.Write(f.output, r.Stdout, look); err != nil && !app.IsClosedPipe(err) {
			return fmt.Errorf("writing to standard output: %w", app.Cause(err))
		}
		return nil
	}
	look.Color, look.Width = false, 0
	return r.writeFile(f.outputFile, func(w io.Writer) error { return report.Write(f.output, w, look) })
}

// writeFile replaces a file atomically: it has either the old or the new content.
func (r *run) writeFile(name string, write func(io.Writer) error) error {
	file, err := atomicfile.Create(r.Path(name))
	if err != nil {
		return app.Usage(fmt.Errorf("writing %w", app.Bare(err, name)))
	}
	if err := write(file); err != nil {
		file.Abort()
		return fmt.Errorf("writing %w", app.Bare(err, name))
	}
	return errors.Join(file.Commit())
}
