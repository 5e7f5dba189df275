// Command policies records the answers of released kube-apiservers for tests of
// the main module. It sends the requests of scenes, which also have admission
// policies, bindings, params and validation rules.
//
//	go run ./policies                                       all releases, all scenes
//	go run ./policies -releases 1.37.1 -only 'messages/'    some, printed only
//	go run ./policies -scenes DIR -answers DIR              other scenes
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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
	"github.com/kubevet/kubevet/internal/scene"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "policies:", err)
		}
		os.Exit(1)
	}
}

// releases has the default releases. 1.30 is the first release with
// ValidatingAdmissionPolicy in v1. 1.33 has MutatingAdmissionPolicy only with a feature
// gate. The last one is the newest release.
var releases = []string{"1.30.14", "1.33.13", "1.37.1"}

// mutating is a part of the names of servers with MutatingAdmissionPolicy enabled.
const mutating = "mutating"

type settings struct {
	releases, scenes, bases, answers, binaries, only string
	types                                            bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("policies", flag.ContinueOnError)
	flags.StringVar(&s.releases, "releases", strings.Join(releases, ","), "releases to ask")
	flags.StringVar(&s.scenes, "scenes", filepath.Join("policies", "scenes"), "directory of the scenes")
	flags.StringVar(&s.bases, "bases", filepath.Join("policies", "scenes"), "directory of objects.yaml")
	flags.StringVar(&s.answers, "answers", filepath.Join("..", "..", "rules", "apiserver", "policy", "testdata", "oracle"), "directory for scenes and answers")
	flags.StringVar(&s.binaries, "binaries", "", "directory of the kube-apiservers (default: kubevet-oracle below the user's cache directory)")
	flags.StringVar(&s.only, "only", "", "ask only scenes whose ID matches this regular expression, and print the answers")
	flags.BoolVar(&s.types, "types", true, "record the type errors of policies, too")
	build := flags.Bool("build", false, "only build the type checkers")
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
			if _, err := release.TypeChecker(ctx, version, s.binaries); err != nil {
				return err
			}
		}
		return nil
	}
	all, err := readScenes(s.scenes, s.bases)
	if err != nil {
		return err
	}
	if s.only != "" {
		wanted, err := regexp.Compile(s.only)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(one scene.Scene) bool { return !wanted.MatchString(one.ID) })
	} else if err := os.MkdirAll(s.answers, 0o755); err != nil {
		return err
	} else if err := oracle.WriteLines(filepath.Join(s.answers, "scenes.jsonl.gz"), all); err != nil {
		return err
	}

	// The servers run at the same time, because most of the time is waiting.
	var wait sync.WaitGroup
	var lock sync.Mutex
	var failed error
	for version := range strings.SplitSeq(s.releases, ",") {
		for _, gates := range []string{"", mutating} {
			name := release.Minor(version)
			if gates != "" {
				name += "-" + gates
			}
			asked := slices.DeleteFunc(slices.Clone(all), func(one scene.Scene) bool { return !one.IsFor(name) })
			if len(asked) == 0 {
				continue
			}
			wait.Go(func() {
				began := time.Now()
				answers, err := s.ask(ctx, version, name, asked)
				lock.Lock()
				defer lock.Unlock()
				if err == nil && s.only == "" {
					err = oracle.WriteLines(filepath.Join(s.answers, name+".jsonl.gz"), answers)
				} else {
					err = errors.Join(err, printed(out, name, answers))
				}
				failed = errors.Join(failed, err)
				fmt.Fprintf(os.Stderr, "%s: %d scenes in %s\n", name, len(answers), time.Since(began).Round(time.Second))
			})
		}
	}
	wait.Wait()
	return failed
}

// ask runs a server and records the answers to the scenes.
func (s *settings) ask(ctx context.Context, version, name string, scenes []scene.Scene) (answers []scene.Answers, err error) {
	binary, err := release.Build(ctx, version, s.binaries)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	options := server.Options{Name: name, Dir: dir, Run: release.Run(binary, filepath.Join(s.binaries, name+"-policies.log"))}
	if strings.HasSuffix(name, "-"+mutating) {
		options.Gates = "MutatingAdmissionPolicy=true"
	}
	at, stop, err := server.Start(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer stop()
	stage := &stage{Server: at, mutates: mutates(name)}
	if s.types {
		binary, err := release.TypeChecker(ctx, version, s.binaries)
		if err != nil {
			return nil, err
		}
		types, err := startChecker(ctx, binary, at)
		if err != nil {
			return nil, err
		}
		defer types.close()
		stage.check = types.check
	}
	for _, obj := range stage.keepers() {
		if a, _, err := at.Create(ctx, obj, realQuery); err != nil || a.Message != "" {
			return nil, fmt.Errorf("%s: making a policy: %s %w", name, a.Message, err)
		}
	}
	for i := range scenes {
		one, sceneErr := stage.record(ctx, &scenes[i])
		if sceneErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: scene %s: %w", name, scenes[i].ID, sceneErr))
		}
		if ctx.Err() != nil {
			return answers, err
		}
		answers = append(answers, one)
	}
	return answers, err
}

// mutates returns the version of MutatingAdmissionPolicy that a server applies.
func mutates(name string) string {
	switch name {
	case "1.33-" + mutating:
		return "v1alpha1"
	case "1.37":
		return "v1"
	}
	return ""
}

func printed(out io.Writer, name string, answers []scene.Answers) error {
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", " ")
	for _, a := range answers {
		fmt.Fprintf(out, "== %s %s\n", name, a.Scene)
		if err := lines.Encode(a); err != nil {
			return err
		}
	}
	return nil
}
