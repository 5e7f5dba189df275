package auditcmd

import (
	"context"
	"errors"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/quote"
)

// auditCode reads the Go code of --code and adds it to the run, so that the report can
// name the code of each client. It adds errors to sum.
func auditCode(ctx context.Context, a *app.App, f *flags, run *run, sum *auditlog.Summary) error {
	if len(f.code) == 0 {
		return nil
	}
	code, err := gocode.Read(ctx, a, f.code, f.allowDownload)
	if err != nil {
		return err
	}
	for _, x := range code.Failed {
		if f.quiet { // sum is not printed
			a.Complain("%s: %s", quote.Name(x.Name), quote.Within(x.Text, x.Name))
		}
		sum.Failed = append(sum.Failed, auditlog.Failure{Input: x.Name, Err: errors.New(x.Text)})
	}
	for _, m := range code.Modules {
		run.document.CodeModules = append(run.document.CodeModules, auditreport.CodeModule{
			Module: m.Path, Directory: m.Dir, Packages: len(m.Traces), Failed: m.Failed,
		})
	}
	run.document.Code = code.Index()
	return nil
}
