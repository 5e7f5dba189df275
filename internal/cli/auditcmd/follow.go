package auditcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditfollow"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
	"github.com/kubevet/kubevet/internal/quote"
)

// onlyAtOnce has the flags that --follow does not allow, because they need the whole log.
var onlyAtOnce = []string{
	"group-by", "top", "sort", "release", "since", "until", "no-contention", "deprecated-only", "admission", "metrics",
	"save", "load", "code", "output-file", "verbose", "fail-on", "warnings-as-errors", "workers",
}

// follow reads logs while they grow, and reports continuously.
func follow(ctx context.Context, a *app.App, f *flags, r *run, args []string) error {
	for _, name := range onlyAtOnce {
		if f.set(name) {
			return app.Usagef("--follow excludes --%s: it prints each finding when it becomes certain", name)
		}
	}
	o := auditfollow.Options{
		Analysis: auditlive.Config{
			Tally:  r.tally,
			Fights: contention.Config{Redact: f.fights.redact, Status: f.fights.status},
			Report: auditreport.Options{Sort: auditreport.SortRelease, Thresholds: r.document.Thresholds},
		},
		Announce: func(news []auditreport.News) error { return auditlive.Print(a.Stdout, news, f.output == "json") },
		Complain: a.Complain,
		Quiet:    f.quiet,
	}
	o.Analysis.Tally.Judge = auditreport.BodyJudge(r.tally.Target)
	if f.state != "" {
		o.State = a.Path(f.state)
	}
	if slices.Contains(args, "-") {
		o.Stdin = app.NewStoppable(ctx, a.Stdin)
	}
	var err error
	if o.Logs, err = followed(a, args); err != nil {
		return err
	}
	a.Ending.SetGrace(stopTime)
	err = auditfollow.Run(ctx, o)
	if errors.Is(err, auditfollow.ErrIncomplete) {
		a.Status = app.StatusIncomplete
		return nil
	}
	return err
}

// followed returns the log files that the arguments name. The files may not exist yet.
func followed(a *app.App, args []string) (logs []auditfollow.Log, err error) {
	seen := map[string]bool{}
	for _, name := range args {
		path := filepath.Clean(a.Path(name))
		if name == "-" || seen[path] {
			continue
		}
		seen[path] = true
		switch info, err := os.Stat(path); {
		case err == nil && info.IsDir():
			return nil, app.Usagef("%s: --follow reads files: this is a directory", quote.Name(name))
		case err == nil && !info.Mode().IsRegular():
			return nil, app.Usagef("%s: --follow reads regular files: pipe this into standard input, and name it -", quote.Name(name))
		case err != nil && strings.ContainsAny(name, "*?["):
			return nil, app.Usagef("%s: --follow takes no patterns: name the file that the server writes; its rotated files are found", quote.Name(name))
		}
		logs = append(logs, auditfollow.Log{Name: filepath.ToSlash(name), Path: path})
	}
	return logs, nil
}
