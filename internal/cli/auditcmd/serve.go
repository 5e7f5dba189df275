package auditcmd

import (
	"context"
	"errors"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
	"github.com/kubevet/kubevet/internal/cli/auditserve"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of `kubevet audit serve`.
type serveFlags struct {
	target                      string
	featureGates, runtimeConfig []string

	output  string
	options auditserve.Options
	fights  fightFlags
}

const auditServeHelp = `Receive audit events from API servers, and report on them while they arrive.

An API server posts batches to the path /audit if its flag --audit-webhook-config-file
names a kubeconfig with the address of --listen. Each new finding is printed once. The
same address serves:
  /          the report as a page
  /metrics   metrics for Prometheus
  /healthz   whether the program runs
  /readyz    whether the program can store what it receives

Each event counts once, even if it is sent again. With --state, a batch is confirmed
after it is on the disk, in a journal beside the state. So a crash loses nothing.
The state is saved every minute and at the end; 'kubevet audit --load' reads it, too.
The report says when the program did not run, because an API server drops a batch after
some attempts.

On addresses that other machines reach, TLS and client certificates are required.
The files of certificates are read again every minute.

Exit status:
  0  stopped by SIGTERM or SIGINT, and the state is saved
  2  mistake in flags
  3  the state could not be read or saved`

func serveCommand(a *app.App) *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Receive audit events from API servers and report on them",
		Long:  auditServeHelp,
		Example: `  kubevet audit serve --listen 127.0.0.1:8443 --state audit.kvs
  kubevet audit serve --listen :8443 --tls-cert tls.crt --tls-key tls.key --client-ca ca.crt --metrics-listen :8080 --state /state/audit.kvs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return auditServe(cmd.Context(), a, f, cmd.Flags().Changed("target"))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	settings.TargetFlags(cmd, &f.target, &f.featureGates, &f.runtimeConfig)
	o := &f.options
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:8443", "`address` that serves all paths")
	flags.StringVar(&o.Metrics, "metrics-listen", "", "another `address`, without TLS, that serves all paths except /audit")
	flags.StringVar(&o.Certificates.Cert, "tls-cert", "", "`file` with the server's certificate")
	flags.StringVar(&o.Certificates.Key, "tls-key", "", "`file` with the key of --tls-cert")
	flags.StringVar(&o.Certificates.ClientCA, "client-ca", "", "`file` with the authorities of client certificates, which --listen then requires")
	flags.StringSliceVar(&o.Names, "client-name", nil, "only client certificates with this common `name` may post; may be repeated")
	flags.BoolVar(&o.Insecure, "insecure", false, "listen without TLS or client certificates on an address that other machines reach")
	flags.StringVar(&o.State, "state", "", "`file` in which the counts are kept")
	flags.Int64Var(&o.MaxBody, "max-body", 32<<20, "maximal size of a batch in `bytes`")
	flags.Int64Var(&o.MaxQueue, "max-queue", 64<<20, "maximal size of all waiting batches in `bytes`; beyond it, API servers must try again")
	f.fights.add(cmd)
	flags.StringVarP(&f.output, "output", "o", "text", "output `format` of new findings: text or json")
	for _, name := range []string{"tls-cert", "tls-key", "client-ca", "state"} {
		app.Complete(cmd, name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		})
	}
	for _, name := range []string{"listen", "metrics-listen", "client-name", "max-body", "max-queue"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
	app.CompleteWords(cmd, "output", liveFormats())
	return cmd
}

// liveFormats returns the formats in which findings can be printed one by one.
func liveFormats() []string { return []string{"text", "json"} }

// stopTime is the time that a live run has to save its state after it is asked to stop.
// The kubelet kills a container after 30 seconds.
const stopTime = 25 * time.Second

func auditServe(ctx context.Context, a *app.App, f *serveFlags, targetSet bool) error {
	if err := app.OneFormat(f.output, liveFormats()...); err != nil {
		return err
	}
	target, err := settings.MakeTarget(f.target, f.featureGates, f.runtimeConfig, targetSet, &config.Config{})
	if err != nil {
		return app.Usage(err)
	}
	thresholds, err := f.fights.thresholds()
	if err != nil {
		return err
	}
	o := f.options
	o.Analysis = auditlive.Config{
		Tally:  logtally.Config{Target: target, Judge: auditreport.BodyJudge(target)},
		Fights: contention.Config{Redact: f.fights.redact, Status: f.fights.status},
		Report: auditreport.Options{Sort: auditreport.SortRelease, Thresholds: thresholds},
	}
	for _, name := range []*string{&o.State, &o.Certificates.Cert, &o.Certificates.Key, &o.Certificates.ClientCA} {
		if *name != "" {
			*name = a.Path(*name)
		}
	}
	o.Look = auditreport.Look{Version: app.ProgramVersion().Version}
	o.Announce = func(news []auditreport.News) error { return auditlive.Print(a.Stdout, news, f.output == "json") }
	o.Complain = a.Complain
	a.Ending.SetGrace(stopTime)
	err = auditserve.Run(ctx, o)
	var usage auditserve.ErrUsage
	if errors.As(err, &usage) {
		return app.Usage(err)
	}
	return err
}
