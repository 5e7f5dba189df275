// This command compares kubevet's reports on the logs of recorded fights with
// the ledger of the fights.
//
//	go run ./fights/judge DIR                 the reports RR.json … in DIR
//	go run ./fights/judge -kubevet kubevet DIR   runs kubevet on the logs in DIR
//
// It runs kubevet again with --status-fights if the ledger has fights over statuses, and counts
// these apart. If DIR has no log of a level, the log is derived from RR.log or RR.log.zst.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
	"github.com/kubevet/kubevet/internal/oracle/fights/level"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "judge:", err)
		}
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	kubevet := flags.String("kubevet", "", "kubevet to run; without it the reports are read from the directory")
	quiet := flags.Bool("q", false, "print only the figures")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no directory")
	}
	dir := flags.Arg(0)
	file, err := os.Open(filepath.Join(dir, "ledger.jsonl"))
	if err != nil {
		return err
	}
	defer file.Close()
	entries, err := ledger.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	scratch, err := os.MkdirTemp("", "judge")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for _, l := range level.Files() {
		name := strings.TrimSuffix(l[0], ".log")
		var data, statuses []byte
		if *kubevet == "" {
			data, err = os.ReadFile(filepath.Join(dir, name+".json"))
		} else {
			data, err = report(*kubevet, dir, scratch, l[0], l[1], flags.Args()[1:])
			if err == nil && slices.ContainsFunc(entries, ofStatus) {
				statuses, err = report(*kubevet, dir, scratch, l[0], l[1], append(flags.Args()[1:], "--status-fights"))
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		v, err := compare(entries, data, statuses)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		v.print(os.Stdout, name, *quiet)
	}
	return nil
}

// report returns kubevet's report about a file of dir, a log of the level at. If the file
// does not exist, report derives it in the directory scratch. kubevet's exit status 1
// means that there are findings, and is not an error.
func report(kubevet, dir, scratch, file, at string, flags []string) ([]byte, error) {
	log := filepath.Join(dir, file)
	if _, err := os.Stat(log); err != nil {
		log = filepath.Join(scratch, file)
		if err := derive(dir, log, at); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(kubevet, append([]string{"audit", "-o", "json", "-q", log}, flags...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, err
	}
	return out, nil
}

// derive writes a log that has the events of the log RR in dir, with the content that the
// level at allows.
func derive(dir, log, at string) error {
	var in io.Reader
	file, err := os.Open(filepath.Join(dir, "RR.log"))
	if err == nil {
		in = file
	} else if file, err = os.Open(filepath.Join(dir, "RR.log.zst")); err == nil {
		z, err := zstd.NewReader(file)
		if err != nil {
			return err
		}
		defer z.Close()
		in = z
	} else {
		return err
	}
	defer file.Close()
	var out bytes.Buffer
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		event, err := level.Lower(lines.Bytes(), at)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		out.Write(event)
		out.WriteByte('\n')
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return os.WriteFile(log, out.Bytes(), 0o600)
}
