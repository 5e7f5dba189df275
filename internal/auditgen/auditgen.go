// Package auditgen writes audit logs for benchmarks. The same seed gives the same bytes.
//
//	go run internal/auditgen/main.go -bytes 1G -level RequestResponse -log FILE
//	go run internal/auditgen/main.go -events 1670000 -churn -log FILE
//
// It prints the numbers of events and bytes.
package auditgen

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/auditgen/traffic"
)

// Main runs the generator and returns the exit status.
func Main(args []string, stdout, stderr io.Writer) int {
	err := run(args, stdout, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(stderr, "auditgen:", err)
	return 1
}

func run(args []string, stdout, stderr io.Writer) error {
	cfg := traffic.Config{}
	var events int
	var bytes int64
	var file string
	flags := flag.NewFlagSet("auditgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&events, "events", 0, "stop after about `N` events")
	flags.Func("bytes", "stop after about `SIZE` bytes (K, M and G are powers of 1024)", func(s string) (err error) {
		bytes, err = size(s)
		return err
	})
	flags.StringVar(&file, "log", "", "write `FILE`; - is standard output")
	flags.StringVar(&cfg.Level, "level", traffic.Metadata, "`LEVEL` of the log: Metadata, Request or RequestResponse")
	flags.BoolVar(&cfg.Churn, "churn", false, "write short-lived objects only: three of them in five events")
	flags.Uint64Var(&cfg.Seed, "seed", 1, "seed of the `NUMBER` generator")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case file == "":
		return errors.New("say where to: -log")
	case events < 0 || events == 0 && bytes == 0:
		return errors.New("say how much: -events or -bytes")
	case !slices.Contains([]string{traffic.Metadata, traffic.Request, traffic.RequestResponse}, cfg.Level):
		return fmt.Errorf("unknown level %q", cfg.Level)
	}
	if file == "-" {
		return generate(stdout, stderr, cfg, events, bytes)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	err = generate(f, stdout, cfg, events, bytes)
	return errors.Join(err, f.Close())
}

// generate writes a log until it has this number of events or of bytes. 0 means no limit.
// generate writes the numbers of events and bytes to report.
func generate(log, report io.Writer, cfg traffic.Config, events int, bytes int64) error {
	out := bufio.NewWriterSize(log, 1<<20)
	g := traffic.New(cfg)
	n, size := 0, int64(0)
	for (events == 0 || n < events) && (bytes == 0 || size < bytes) {
		lines, some := g.Next()
		if _, err := out.Write(lines); err != nil {
			return err
		}
		n, size = n+some, size+int64(len(lines))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(report, "seed %d, %s: %d events, %d bytes, %d bytes each\n", cfg.Seed, cfg.Level, n, size, size/int64(max(n, 1)))
	return err
}

// size parses a number of bytes such as 1500, 64K or 1G.
func size(s string) (int64, error) {
	number, factor := s, int64(1)
	for i, unit := range []string{"K", "M", "G"} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			number, factor = n, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > 1<<62/factor {
		return 0, fmt.Errorf("%q is no number of bytes", s)
	}
	return n * factor, nil
}
