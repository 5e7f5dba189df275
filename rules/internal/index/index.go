// Package index writes the table of rules into the README of the rules' pages.
//
//	go run rules/internal/index/main.go [-check] rules/README.md
//
// The program replaces everything between two marker lines and keeps the rest of
// the file. With -check it writes nothing, and its exit status is 1 if the table
// is out of date.
package index

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// Main runs the program and returns its exit status.
func Main(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("index", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "write nothing, fail if the table is out of date")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: index [-check] README.md")
		return 2
	}
	if err := refresh(flags.Arg(0), *check); err != nil {
		fmt.Fprintln(stderr, "index:", err)
		return 1
	}
	return 0
}

// refresh updates the table in a file. If check is set, it writes nothing, and an
// outdated table is an error.
func refresh(file string, check bool) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := replace(old, table(rules.Catalogue()))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case bytes.Equal(old, text):
		return nil
	case check:
		return fmt.Errorf("%s is not up to date: run go generate ./rules", file)
	}
	return os.WriteFile(file, text, 0o644)
}

// The markers are Markdown comments, which are not displayed.
const (
	begin = "<!-- begin index: written by go generate ./rules from the pages' front matter -->\n"
	end   = "<!-- end index -->\n"
)

// replace returns text with body between the two markers.
func replace(text []byte, body string) ([]byte, error) {
	head, rest, ok := bytes.Cut(text, []byte(begin))
	if !ok {
		return nil, fmt.Errorf("no line %q", strings.TrimSpace(begin))
	}
	_, tail, ok := bytes.Cut(rest, []byte(end))
	if !ok {
		return nil, fmt.Errorf("no line %q after the other marker", strings.TrimSpace(end))
	}
	return fmt.Appendf(nil, "%s%s%s%s%s", head, begin, body, end, tail), nil
}

// table returns the rules as a Markdown table. The status column has a note if a
// rule is off by default.
func table(all []rules.Rule) string {
	var b strings.Builder
	b.WriteString("| rule | finds | severity | status | surfaces |\n|---|---|---|---|---|\n")
	for _, r := range all {
		status := string(r.Status)
		if !r.Default {
			status += ", off by default"
		}
		names := make([]string, len(r.Surfaces))
		for i, s := range r.Surfaces {
			names[i] = string(s)
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s | %s |\n",
			r.ID, r.ID, r.Title, r.Severity, status, strings.Join(names, ", "))
	}
	return b.String()
}
