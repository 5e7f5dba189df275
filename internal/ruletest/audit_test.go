package ruletest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestAuditExamples(t *testing.T) { Run(t, rules.SurfaceAudit, auditExample) }

func TestAuditImplemented(t *testing.T) {
	Implemented(t, rules.SurfaceAudit, auditreport.Rules())
}

func auditExample(ex Example) ([]rules.Finding, error) {
	versions := ex.Target
	if versions == "" {
		versions = lifecycle.Newest.String()
	}
	target, err := lifecycle.NewTarget(versions, flag(ex.Gates), flag(ex.RuntimeConfig))
	if err != nil {
		return nil, fmt.Errorf("reading the target: %w", err)
	}
	text, err := readLog(ex)
	if err != nil {
		return nil, err
	}
	log := []auditlog.Input{{Name: ex.File, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}}
	counted := tally.New(tally.Config{Target: target, Judge: auditreport.BodyJudge(target)})
	sum, err := auditlog.Read(context.Background(), slices.Values(log), auditlog.Options{}, counted.Worker, counted.Add)
	if err != nil {
		return nil, err
	}
	if sum.Damaged > 0 || sum.Events == 0 {
		return nil, fmt.Errorf("not all of it was read: %+v", sum.Damage)
	}
	fights := contention.New(contention.Config{})
	if _, err := auditlog.Read(context.Background(), slices.Values(log), auditlog.Options{}, fights.Worker, fights.Add); err != nil {
		return nil, err
	}
	found := fights.Report(contention.Thresholds{})
	return auditreport.New(counted.Report(), &sum, auditreport.Options{Contention: &found}).Findings, nil
}
