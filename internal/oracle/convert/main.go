// Command convert gets objects in another version of their API from released
// kube-apiservers. It creates each object in the old version and reads it in both
// versions.
//
//	go run ./convert                        all releases, all cases; writes the answers
//	go run ./convert -code                  cases that no release answered, with the newest release's code
//	go run ./convert -only ingress          cases whose ID matches, printed only
//	go run ./convert -corpus DIR            deprecated objects of DIR; writes digests of the answers
//	go run ./convert -objects FILE -releases 1.37.1
//
// FILE has objects as JSON lines, such as fixed objects. They are created in their own
// version, with -dry as a dry run. They are printed as the server returns them, without
// the fields that only servers write.
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
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "convert:", err)
		}
		os.Exit(1)
	}
}

type settings struct {
	releases, cases, answers, binaries, only, objects, corpus, full string
	dry, code                                                       bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.StringVar(&s.releases, "releases", strings.Join(release.Converting(), ","), "releases to ask")
	flags.StringVar(&s.cases, "cases", filepath.Join("convert", "cases"), "directory of the cases")
	flags.StringVar(&s.answers, "answers", filepath.Join("..", "..", "rules", "apiserver", "conversion", "testdata", "oracle"), "directory for the answers")
	flags.StringVar(&s.binaries, "binaries", "", "directory of the kube-apiservers (default: kubevet-oracle below the user's cache directory)")
	flags.StringVar(&s.only, "only", "", "ask only cases whose ID matches this regular expression, and print the answers")
	flags.StringVar(&s.objects, "objects", "", "make the objects of this file in their own version instead, and print what they are then")
	flags.BoolVar(&s.code, "code", false, "ask no server, but the code of the newest release, which knows versions that it does not serve")
	flags.BoolVar(&s.dry, "dry", false, "with -objects: make them as a dry run")
	flags.StringVar(&s.corpus, "corpus", "", "convert the deprecated objects of this directory instead")
	flags.StringVar(&s.full, "full", "", "with -corpus: a file for the answers themselves")
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
	releases := strings.Split(s.releases, ",")
	switch {
	case s.objects != "":
		return s.made(ctx, releases, out)
	case s.corpus != "":
		return s.manifests(ctx, releases)
	}
	cases, err := s.selected()
	if err != nil {
		return err
	}
	if s.code {
		return s.byCode(cases, out)
	}
	return s.each(ctx, releases, func(at *client.Server) error {
		var all []conversion
		for i := range cases {
			c, ok, err := convert(ctx, at, cases[i])
			if err != nil {
				return fmt.Errorf("%s: %w", cases[i].ID, err)
			}
			if ok {
				all = append(all, c)
			}
		}
		if s.only != "" {
			return printLines(out, all)
		}
		return oracle.WriteLines(filepath.Join(s.answers, "conversions-"+at.Name+".jsonl.gz"), all)
	})
}

// byCode writes the conversions by the newest release's code for the cases that no server
// has answered. Each server serves only some versions.
func (s *settings) byCode(cases []question, out io.Writer) error {
	answered, err := recorded(s.answers)
	if err != nil {
		return err
	}
	var all []conversion
	for i := range cases {
		if answered[cases[i].ID] && s.only == "" {
			continue
		}
		c, ok, err := byCode(cases[i])
		if err != nil {
			return fmt.Errorf("%s: %w", cases[i].ID, err)
		}
		if ok {
			all = append(all, c)
		}
	}
	if s.only != "" {
		return printLines(out, all)
	}
	return oracle.WriteLines(filepath.Join(s.answers, codeFile), all)
}

// each calls do for a server of each release, one after another.
func (s *settings) each(ctx context.Context, releases []string, do func(*client.Server) error) error {
	if !s.printed() {
		if err := os.MkdirAll(s.answers, 0o755); err != nil {
			return err
		}
	}
	for _, version := range releases {
		began := time.Now()
		binary, err := release.Build(ctx, version, s.binaries)
		if err != nil {
			return err
		}
		err = func() error {
			dir, err := os.MkdirTemp("", "oracle-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			name := release.Minor(version)
			log := filepath.Join(s.binaries, name+"-convert.log")
			at, stop, err := server.Start(ctx, server.Options{Name: name, Version: version, Dir: dir, Run: release.Run(binary, log)})
			if err != nil {
				return err
			}
			defer stop()
			return do(at)
		}()
		if err != nil {
			return fmt.Errorf("%s: %w", version, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", version, time.Since(began).Round(time.Second))
	}
	return nil
}

func (s *settings) printed() bool { return s.only != "" || s.objects != "" }

// question is an object and the version to convert it to.
type question struct {
	ID string `json:"id"`
	// To is the group and version to convert to. Empty means the successor of the
	// object's version in the table of APIs.
	To string `json:"to,omitempty"`
	// Kind is the kind in the new version, if it differs.
	Kind string `json:"kind,omitempty"`
	// Setup has objects that are created before.
	Setup []json.RawMessage `json:"setup,omitempty"`
	Obj   json.RawMessage   `json:"obj"`
}

func (s *settings) selected() ([]question, error) {
	all, err := readQuestions(s.cases)
	if err != nil || s.only == "" {
		return all, err
	}
	wanted, err := regexp.Compile(s.only)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(q question) bool { return !wanted.MatchString(q.ID) }), nil
}

// made creates the objects of a file and prints the stored objects.
func (s *settings) made(ctx context.Context, releases []string, out io.Writer) error {
	f, err := os.Open(s.objects)
	if err != nil {
		return err
	}
	defer f.Close()
	var objects []json.RawMessage
	for lines := json.NewDecoder(bufio.NewReader(f)); ; {
		var one json.RawMessage
		if err := lines.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("%s: object %d: %w", s.objects, len(objects), err)
		}
		objects = append(objects, one)
	}
	return s.each(ctx, releases, func(at *client.Server) error {
		var all []creation
		for i, obj := range objects {
			c, err := create(ctx, at, obj, s.dry)
			if err != nil {
				return fmt.Errorf("object %d: %w", i, err)
			}
			all = append(all, c)
		}
		return printLines(out, all)
	})
}

func printLines[T any](out io.Writer, all []T) error {
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for i := range all {
		if err := lines.Encode(all[i]); err != nil {
			return err
		}
	}
	return nil
}
