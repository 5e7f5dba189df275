// Command record records the answers of released kube-apiservers to all cases, for the
// tests of the main module.
//
//	go run ./record                       all releases, all cases
//	go run ./record -releases 1.37.1      one of them
//	go run ./record -only 'service/'      cases whose ID matches, printed only
//	go run ./record -objects FILE -releases 1.37.1 >answers.jsonl
//	go run ./record -objects FILE -releases 1.37.1 -bodies >objects.jsonl
//
// FILE has objects as JSON lines. Each line is an object, or a case with an object in its
// field obj. The command first creates the namespaces and custom resource definitions
// that the objects need. It then creates each object as a dry run.
package main

import (
	"bufio"
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
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "record:", err)
		}
		os.Exit(1)
	}
}

type settings struct {
	releases, cases, answers, binaries, only, objects, gates, suffix string
	bodies                                                           bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	flags.StringVar(&s.releases, "releases", strings.Join(release.Versions(), ","), "releases to ask")
	flags.StringVar(&s.cases, "cases", "cases", "directory of the cases")
	flags.StringVar(&s.answers, "answers", filepath.Join("..", "..", "rules", "apiserver", "answer", "testdata", "oracle"), "directory for cases and answers")
	flags.StringVar(&s.binaries, "binaries", "", "directory of the kube-apiservers (default: kubevet-oracle below the user's cache directory)")
	flags.StringVar(&s.only, "only", "", "ask only cases whose ID matches this regular expression, and print the answers")
	flags.StringVar(&s.objects, "objects", "", "ask about the objects of this file instead, and print the answers")
	flags.StringVar(&s.gates, "gates", "", "feature gates of the servers")
	flags.StringVar(&s.suffix, "suffix", "", "what tells servers with such gates apart, as in 1.32-zeroon")
	flags.BoolVar(&s.bodies, "bodies", false, "write the objects that the servers return as well")
	build := flags.Bool("build", false, "only build the kube-apiservers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.binaries == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		s.binaries = filepath.Join(cache, "kubevet-oracle")
	}
	if *build {
		for version := range strings.SplitSeq(s.releases, ",") {
			if _, err := release.Build(ctx, version, s.binaries); err != nil {
				return err
			}
		}
		return nil
	}
	print := s.only != "" || s.objects != ""
	var cases []oracle.Case
	var err error
	if s.objects != "" {
		cases, err = readObjects(s.objects)
	} else {
		cases, err = s.selected()
	}
	if err != nil {
		return err
	}
	if !print {
		if err := os.MkdirAll(s.answers, 0o755); err != nil {
			return err
		}
		if err := oracle.WriteLines(filepath.Join(s.answers, "cases.jsonl.gz"), cases); err != nil {
			return err
		}
	}
	for version := range strings.SplitSeq(s.releases, ",") {
		began := time.Now()
		answers, err := s.ask(ctx, version, cases)
		if err != nil {
			return err
		}
		if print {
			err = printLines(out, answers)
		} else {
			err = oracle.WriteLines(filepath.Join(s.answers, s.name(version)+".jsonl.gz"), answers)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d answers in %s\n", s.name(version), len(answers), time.Since(began).Round(time.Second))
	}
	return nil
}

func (s *settings) name(version string) string {
	name := release.Minor(version)
	if s.suffix != "" {
		name += "-" + s.suffix
	}
	return name
}

func (s *settings) selected() ([]oracle.Case, error) {
	all, err := oracle.ReadCases(s.cases)
	if err != nil || s.only == "" {
		return all, err
	}
	wanted, err := regexp.Compile(s.only)
	if err != nil {
		return nil, err
	}
	// A case can create objects that later cases need.
	files := map[string]bool{}
	for i := range all {
		if wanted.MatchString(all[i].ID) {
			files[all[i].File] = true
		}
	}
	var cases []oracle.Case
	for i := range all {
		if c := &all[i]; wanted.MatchString(c.ID) || files[c.File] && !c.DryRun() {
			cases = append(cases, *c)
		}
	}
	return cases, nil
}

// ask builds a release if necessary, runs it, and records its answers.
func (s *settings) ask(ctx context.Context, version string, cases []oracle.Case) ([]oracle.Answer, error) {
	binary, err := release.Build(ctx, version, s.binaries)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return nil, err
	}
	log := filepath.Join(s.binaries, s.name(version)+".log")
	at, stop, err := server.Start(ctx, server.Options{Name: s.name(version), Gates: s.gates, Dir: dir, Run: release.Run(binary, log)})
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("%s: %w", version, err)
	}
	defer os.RemoveAll(dir)
	defer stop()
	at.Bodies = s.bodies
	if s.objects != "" {
		return askObjects(ctx, at, cases)
	}
	return at.Record(ctx, cases)
}

func printLines(out io.Writer, answers []oracle.Answer) error {
	buffered := bufio.NewWriter(out)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	for i := range answers {
		if err := lines.Encode(answers[i]); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
