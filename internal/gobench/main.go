// Command gobench measures kubevet's Go rules on real modules. It downloads the modules,
// runs the rules, and compares the results with labels. People wrote the labels after
// they had read the code.
//
//	gobench fetch      download the modules
//	gobench draw       draw a sample of writes to label
//	gobench show       print the code around drawn writes, to read it
//	gobench run        run the rules and store the results
//	gobench score      compare the results with the labels
//	gobench places     compare the results with the known places
//	gobench unjudged   print findings that nobody has judged, to read them
//	gobench clients    find the code of labelled clients of an API server
//
// The names of modules may follow. Without names, all modules in testdata/modules.jsonl
// are used. testdata/README.md says how the labels were made.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gobench:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	flags := flag.NewFlagSet("gobench", flag.ExitOnError)
	cache := flags.String("cache", defaultCache(), "directory of the downloaded modules")
	seed := flags.Uint64("seed", 1, "seed of the draw")
	out := flags.String("out", filepath.Join(os.TempDir(), "kubevet-gobench"), "directory of the measurements")
	count := flags.Int("n", 100, "how many findings to show")
	if len(args) == 0 {
		return fmt.Errorf("which? fetch, draw, show, run, score, places, unjudged, clients")
	}
	verb := args[0]
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if verb == "clients" {
		return measureClients(*cache, flags.Args(), os.Stdout)
	}
	list, err := modules(flags.Args()...)
	if err != nil {
		return err
	}
	switch verb {
	case "fetch":
		for _, m := range list {
			dir, err := checkout(*cache, m)
			if err != nil {
				return err
			}
			fmt.Println(dir)
		}
		return nil
	case "draw":
		return draw(*cache, *seed, list, os.Stdout, os.Stderr)
	case "one":
		if len(list) != 1 {
			return fmt.Errorf("one takes the name of one module")
		}
		got, err := measure(*cache, list[0])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(got)
	case "run":
		return measureAll(*cache, *out, list, os.Stderr)
	case "score", "places", "unjudged":
		got, err := readMeasurements(*out, list)
		if err != nil {
			return err
		}
		switch verb {
		case "places":
			return checkPlaces(got, os.Stdout)
		case "unjudged":
			return unjudged(got, *count, *seed, os.Stdout)
		}
		return score(list, got, os.Stdout)
	case "show":
		return show(*cache, os.Stdin, os.Stdout)
	}
	return fmt.Errorf("no command %q", verb)
}

// defaultCache returns $GOBENCH_CACHE or, if it is not set, a directory in the user's
// cache.
func defaultCache() string {
	if dir := os.Getenv("GOBENCH_CACHE"); dir != "" {
		return dir
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "kubevet-gobench")
	}
	return ".gobench"
}
