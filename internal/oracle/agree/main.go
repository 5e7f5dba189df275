// Command agree sends the manifests of whole directories to a released kube-apiserver,
// and compares the server's answers with kubevet's.
//
//	go run ./agree DIR...                       each directory is one application
//	go run ./agree -unit 'REGEXP' DIR           each match of the expression's first group is one application
//	go run ./agree -release 1.32.13 -show 20 DIR
//
// Manifests are .yaml, .yml and .json files with objects, and the output of
// kustomizations and Helm charts. Each object is sent like kubectl apply
// --dry-run=server. The cluster has the objects that the application's objects need: see
// cluster.ask. No part of the manifests is stored.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/manifests"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "agree:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("agree", flag.ContinueOnError)
	version := flags.String("release", release.Versions()[0], "release to ask")
	binaries := flags.String("binaries", "", "directory of the kube-apiservers (default: kubevet-oracle below the user's cache directory)")
	expression := flags.String("unit", "^", "regular expression for paths below the directory; what it or its first group matches tells applications apart")
	show := flags.Int("show", 50, "how many differences to print")
	validate := flags.String("validate", "warn", "what becomes of unknown fields: warn, strict or ignore")
	plainOnly := flags.Bool("plain", false, "render no kustomizations and charts")
	dump := flags.String("answers", "", "file for the answers, as JSON lines")
	if err := flags.Parse(args); err != nil {
		return err
	}
	unit, err := regexp.Compile(*expression)
	if err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no directory given")
	}
	if *binaries == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		*binaries = filepath.Join(cache, "kubevet-oracle")
	}
	target, err := lifecycle.NewTarget(release.Minor(*version), nil, []string{"api/all=true"})
	if err != nil {
		return err
	}

	var applications []*manifests.Application
	validation, ok := map[string]fieldValidation{
		"warn": {"Warn", apiserver.Warn}, "strict": {"Strict", apiserver.Strict}, "ignore": {"Ignore", apiserver.Ignore},
	}[*validate]
	if !ok {
		return fmt.Errorf("-validate is warn, strict or ignore, not %q", *validate)
	}
	minor := release.Minor(*version)
	if *plainOnly {
		minor = ""
	}
	for _, dir := range flags.Args() {
		found, err := manifests.Collect(dir, unit, minor)
		if err != nil {
			return err
		}
		applications = append(applications, found...)
	}

	binary, err := release.Build(ctx, *version, *binaries)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	at, stop, err := server.Start(ctx, server.Options{Name: release.Minor(*version), Dir: dir, Run: release.Run(binary, filepath.Join(dir, "log"))})
	if err != nil {
		return err
	}
	defer stop()

	began := time.Now()
	var r result
	c := &cluster{Server: at, validation: validation}
	for _, a := range applications {
		if err := askBoth(ctx, a, c, target, &r); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	r.print(out, *show)
	fmt.Fprintf(out, "\n%d applications, kube-apiserver %s, %s\n", len(applications), *version, time.Since(began).Round(time.Second))
	if *dump != "" {
		return writeAnswers(*dump, r.objects)
	}
	return nil
}

// fieldValidation is the handling of unknown fields, as a query parameter and as
// kubevet's option.
type fieldValidation struct {
	query   string
	kubevet apiserver.FieldValidation
}

// askBoth gets the answers of the server and of kubevet to all objects of an
// application.
func askBoth(ctx context.Context, a *manifests.Application, c *cluster, target lifecycle.Target, r *result) error {
	var all []*object
	for _, s := range a.Streams {
		objects, unread, err := s.Objects()
		if err != nil {
			return err
		}
		r.unread += unread
		for _, o := range objects {
			all = append(all, &object{Object: o})
		}
	}
	if len(all) == 0 {
		return nil
	}
	given, err := c.ask(ctx, all)
	if err != nil {
		return errors.Join(err, c.clean(ctx))
	}
	stored := map[*manifests.Stream]map[manifests.Key]json.RawMessage{}
	for _, o := range all {
		if o.live == nil {
			continue
		}
		if stored[o.Stream] == nil {
			stored[o.Stream] = map[manifests.Key]json.RawMessage{}
		}
		k := o.Key()
		k.Nth = 0
		stored[o.Stream][k] = o.live
	}
	said, err := vet(ctx, target, c.validation.kubevet, a.Streams, given, func(s *manifests.Stream, k manifests.Key) json.RawMessage { return stored[s][k] })
	if err != nil {
		return errors.Join(err, c.clean(ctx))
	}
	for _, o := range all {
		v, ok := said[o.Stream][o.Key()]
		r.add(o, v, ok)
	}
	return c.clean(ctx)
}

func writeAnswers(name string, all []*object) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := json.NewEncoder(f)
	lines.SetEscapeHTML(false)
	for _, o := range all {
		if err := lines.Encode(map[string]any{"stream": o.Stream.Name, "object": o.Body, "update": o.live != nil, "answer": o.answer, "unlike": o.difference.String()}); err != nil {
			return err
		}
	}
	return f.Close()
}
