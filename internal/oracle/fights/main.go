// Command fights records audit logs of a kube-apiserver. In each scene, programs
// fight over fields of objects on this server, or only seem to fight. The
// command also writes a ledger, which says what the programs really do.
//
//	go run ./fights -out /tmp/fights               all scenes, at all levels
//	go run ./fights -out /tmp/fights -only '^helm'  some families
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
	"github.com/kubevet/kubevet/internal/oracle/fights/level"
	"github.com/kubevet/kubevet/internal/oracle/release"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "fights:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("fights", flag.ContinueOnError)
	out := flags.String("out", "", "directory for the logs and the ledger")
	only := flags.String("only", "", "regular expression of the families to play")
	skip := flags.String("skip", "^$", "regular expression of the families not to play")
	version := flags.String("release", "1.37.1", "release of the server")
	logged := flags.String("level", level.RequestResponse, "level that the server logs at; Mixed for one that differs by resource")
	helm := flags.String("helm", "", "directory with the programs 3/helm and 4/helm")
	parallel := flags.Int("parallel", 4, "scenes that are played at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" {
		return errors.New("-out is required")
	}
	families, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	skipped, err := regexp.Compile(*skip)
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	binary, err := release.Build(ctx, *version, filepath.Join(cache, "kubevet-oracle"))
	if err != nil {
		return err
	}
	r := recorder{binary: binary, level: *logged, helm: *helm, binaries: filepath.Join(cache, "kubevet-oracle"), release: *version}
	var chosen []scene
	for _, sc := range scenes() {
		if (families.MatchString(sc.family) || families.MatchString(sc.id)) && !skipped.MatchString(sc.family) {
			chosen = append(chosen, sc)
		}
	}
	var failed error
	// A scene with its own controller manager also needs its own server.
	for len(chosen) > 0 {
		n := slices.IndexFunc(chosen, alone)
		switch n {
		case 0:
			n = 1
		case -1:
			n = len(chosen)
		}
		failed = errors.Join(failed, r.record(ctx, chosen[:n], *parallel))
		chosen = chosen[n:]
	}
	return errors.Join(failed, publish(*out, *logged, r.lines, r.played))
}

// alone reports whether a scene needs its own server.
func alone(sc scene) bool { return strings.HasPrefix(sc.family, "kcm-") }

// recorder records scenes on servers, one after the other.
type recorder struct {
	binary, level, helm, binaries, release string

	lines  []line
	played []*play
}

// record plays scenes on a new server.
func (r *recorder) record(ctx context.Context, chosen []scene, parallel int) error {
	dir, err := os.MkdirTemp("", "fights")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, stop, err := openStage(ctx, dir, r.binary, level.Policy(r.level))
	if err != nil {
		return err
	}
	s.helm, s.binaries, s.release = r.helm, r.binaries, r.release
	played, failed := s.performAll(ctx, chosen, parallel)
	stop() // the log is complete only after the server has ended
	lines, err := s.rewrite(filepath.Join(dir, "audit.log"))
	if err != nil {
		return err
	}
	r.played = append(r.played, played...)
	r.lines = append(r.lines, lines...)
	slices.SortStableFunc(r.lines, func(a, b line) int { return a.at.Compare(b.at) })
	return failed
}

// performAll plays scenes, several at the same time. It returns the scenes that
// succeeded.
func (s *stage) performAll(ctx context.Context, chosen []scene, parallel int) ([]*play, error) {
	var (
		mu     sync.Mutex
		played []*play
		failed []error
		group  sync.WaitGroup
	)
	slots := make(chan struct{}, parallel)
	for _, sc := range chosen {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			began := time.Now()
			p, err := s.perform(ctx, sc)
			fmt.Fprintf(os.Stderr, "%-28s %6.1fs %v\n", sc.id, time.Since(began).Seconds(), err)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = append(failed, err)
				return
			}
			played = append(played, p)
		})
	}
	group.Wait()
	slices.SortFunc(played, func(a, b *play) int { return strings.Compare(a.id, b.id) })
	return played, errors.Join(failed...)
}

// publish writes the logs and the ledger.
func publish(dir, recorded string, lines []line, played []*play) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var entries []ledger.Entry
	for _, p := range played {
		entries = append(entries, p.entries(lines)...)
	}
	var text bytes.Buffer
	if err := ledger.Write(&text, entries); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ledger.jsonl"), text.Bytes(), 0o644); err != nil {
		return err
	}
	for _, l := range level.Files() {
		if recorded != level.RequestResponse && l[1] != recorded {
			continue
		}
		text.Reset()
		for _, line := range lines {
			if !slices.Contains(played, line.play) {
				continue
			}
			event := line.text
			if recorded == level.RequestResponse {
				var err error
				if event, err = level.Lower(event, l[1]); err != nil {
					return err
				}
			}
			text.Write(event)
			text.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, l[0]), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
