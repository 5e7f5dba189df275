package checks

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/podspec"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// execSleep reports preStop commands that sleep at least as long as the pod's
// grace period. The kubelet kills the container before the command ends.
func execSleep() manifestlint.Check {
	return manifestlint.Check{
		Rule:  "execsleep",
		Words: func(lifecycle.Target) [][]string { return [][]string{{"preStop"}, {"exec"}} },
		Run: func(p *manifestlint.Pass) {
			if !mayHavePods(p.Object) || p.Object.Dumped() && p.Object.Controlled() {
				return // the finding is in the manifest of the owner
			}
			for _, spec := range podspec.Of(p.Object.APIVersion, p.Object.Kind, p.Object.Root) {
				grace, _, ok := spec.GracePeriod()
				if !ok || grace < 0 {
					continue
				}
				for c := range spec.Containers() {
					hook := c.Value.At("lifecycle", "preStop", "exec")
					command := hook.Field("command")
					if command == nil {
						continue
					}
					slept := commandSleep(words(command.Value))
					if slept < time.Duration(grace)*time.Second || slept == 0 {
						continue
					}
					severity := rules.Error // the severity of the rule
					if !spec.BuiltIn {
						severity = rules.Preview
					}
					p.ReportAs(severity, sleepSpan(command), rules.Finding{
						Path: c.Path + ".lifecycle.preStop.exec.command",
						Message: fmt.Sprintf("preStop sleeps for %s, and the container is killed after terminationGracePeriodSeconds (%d)",
							seconds(slept), grace),
					})
				}
			}
		},
	}
}

// words returns the words of a command; nil if v is not a list of strings.
func words(v *wire.Value) []string {
	if v.Kind != wire.List {
		return nil
	}
	list := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != wire.String {
			return nil
		}
		list = append(list, item.Text)
	}
	return list
}

// sleepSpan returns the position of the command's last word that contains
// "sleep", or of the whole command if there is no such word.
func sleepSpan(command *wire.Field) manifestlint.Span {
	for i := len(command.Value.Items) - 1; i >= 0; i-- {
		if item := command.Value.Items[i]; strings.Contains(item.Text, "sleep") {
			return manifestlint.SpanOf(item)
		}
	}
	return manifestlint.SpanOfField(command)
}

// seconds formats a duration in seconds without trailing zeros, such as 1.5s.
func seconds(d time.Duration) string {
	s := fmt.Sprintf("%.3f", d.Seconds())
	return strings.TrimRight(strings.TrimRight(s, "0"), ".") + "s"
}
