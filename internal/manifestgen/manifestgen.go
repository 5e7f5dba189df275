// Package manifestgen writes Kubernetes manifests for benchmarks: a tree of small files,
// one long stream, or a list as kubectl prints it. The same seed gives the same bytes.
//
//	go run internal/manifestgen/main.go -n 20000 -dir DIR
//	go run internal/manifestgen/main.go -bytes 1G -stream FILE
//	go run internal/manifestgen/main.go -n 6000 -dump FILE.json
//
// It prints the numbers of objects and bytes, and the numbers of findings that a linter
// must have.
package manifestgen

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/manifestgen/synth"
)

// Main runs the generator and returns the exit status.
func Main(args []string, stdout, stderr io.Writer) int {
	err := run(args, stdout, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(stderr, "manifestgen:", err)
	return 1
}

type options struct {
	dir, stream, dump, truth string
	seed                     uint64
	limit                    synth.Limit
}

func run(args []string, stdout, stderr io.Writer) error {
	var opt options
	flags := flag.NewFlagSet("manifestgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opt.limit.Objects, "n", 0, "stop after `N` objects")
	flags.Func("bytes", "stop after about `SIZE` bytes (K, M and G are powers of 1024)", func(s string) (err error) {
		opt.limit.Bytes, err = size(s)
		return err
	})
	flags.StringVar(&opt.dir, "dir", "", "write a tree of files below `DIR`")
	flags.StringVar(&opt.stream, "stream", "", "write one multi-document `FILE`; - is standard output")
	flags.StringVar(&opt.dump, "dump", "", "write one List to a `FILE`: in JSON if it is called so, otherwise in YAML")
	flags.StringVar(&opt.truth, "truth", "", "list every object as a line of JSON in `FILE`")
	flags.Uint64Var(&opt.seed, "seed", 1, "seed of the `NUMBER` generator")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case len(opt.dir+opt.stream+opt.dump) == 0 || opt.dir != "" && opt.stream != "" || opt.dump != "" && opt.dir+opt.stream != "":
		return errors.New("give one of -dir, -stream and -dump")
	case opt.limit == synth.Limit{} || opt.limit.Objects < 0:
		return errors.New("say how much: -n or -bytes")
	}
	if opt.stream == "-" {
		return generate(opt, stdout, stderr)
	}
	return generate(opt, nil, stdout)
}

// generate writes the manifests and prints the summary. If stream is not nil, it replaces
// opt.stream.
func generate(opt options, stream, report io.Writer) (err error) {
	var visit func(synth.Place, *synth.Object) error
	if opt.truth != "" {
		f, err := os.Create(opt.truth)
		if err != nil {
			return err
		}
		out := bufio.NewWriter(f)
		defer func() { err = errors.Join(err, out.Flush(), f.Close()) }()
		visit = lister(out)
	}
	g := synth.New(opt.seed)
	var s synth.Summary
	switch {
	case opt.dir != "":
		s, err = g.Tree(opt.dir, opt.limit, visit)
	case opt.dump != "":
		s, err = writeList(opt.dump, g, opt.limit, visit)
	case stream != nil:
		s, err = g.Stream(stream, opt.limit, visit)
	default:
		f, createErr := os.Create(opt.stream)
		if createErr != nil {
			return createErr
		}
		s, err = g.Stream(f, opt.limit, visit)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return err
	}
	return writeSummary(report, opt.seed, s)
}

func writeSummary(w io.Writer, seed uint64, s synth.Summary) error {
	_, err := fmt.Fprintf(w, `seed %d: %d objects in %d files, %d bytes, %d bytes each
in Kubernetes 1.%d: %d deprecated or removed (%d removed, %d deprecated)
preStop handlers in %d objects; %d sleep longer than the grace period
`,
		seed, s.Objects, s.Files, s.Bytes, s.Bytes/int64(max(s.Objects, 1)),
		synth.Minor, s.Removed+s.Deprecated, s.Removed, s.Deprecated, s.PreStop, s.Refused)
	return err
}

// lister returns a function that writes a JSON line about each object.
func lister(w io.Writer) func(synth.Place, *synth.Object) error {
	enc := json.NewEncoder(w)
	type line struct {
		File       string `json:"file,omitempty"`
		Document   int    `json:"document"`
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace,omitempty"`
		Name       string `json:"name"`
		State      string `json:"state"`
		PreStop    bool   `json:"preStop,omitempty"`
		Refused    bool   `json:"refused,omitempty"`
	}
	return func(p synth.Place, o *synth.Object) error {
		return enc.Encode(line{p.File, p.Document, o.APIVersion, o.Kind, o.Namespace, o.Name, o.State.String(), o.PreStop, o.Refused})
	}
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
