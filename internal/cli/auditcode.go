package cli

import (
	"context"
	"errors"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/auditreport"
)

// auditCode reads the Go code that --code names, for the report to find clients
// in. What cannot be read of it is counted with what cannot of the logs.
func (a *app) auditCode(ctx context.Context, f *auditFlags, run *auditRun, sum *auditlog.Summary) error {
	if len(f.code) == 0 {
		return nil
	}
	code, err := a.readCode(ctx, f.code)
	if err != nil {
		return err
	}
	for _, x := range code.failed {
		if f.quiet { // no summary will say it
			a.complain("%s: %s", x.name, x.text)
		}
		sum.Failed = append(sum.Failed, auditlog.Failure{Input: x.name, Err: errors.New(x.text)})
	}
	for _, m := range code.modules {
		run.document.CodeModules = append(run.document.CodeModules, auditreport.CodeModule{
			Module: m.Path, Directory: m.Dir, Packages: len(m.Traces), Failed: m.failed,
		})
	}
	run.document.Code = code.index()
	return nil
}
