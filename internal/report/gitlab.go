package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// gitLab is the format gitlab. It writes the list of issues that GitLab reads as a Code
// Quality report (artifacts:reports:codequality).
type gitLab struct {
	w      *bufio.Writer
	o      Options
	prints fingerprints
	some   bool
}

// gitLabIssue is one issue. GitLab shows the description as plain text. It uses the
// fingerprint to find the issues that are new.
type gitLabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string      `json:"path"`
	Lines gitLabLines `json:"lines"`
}

type gitLabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

func newGitLab(w io.Writer, o Options) Report { return &gitLab{w: newWriter(w), o: o} }

func (g *gitLab) Finding(f rules.Finding) error {
	text := sentence(&f, g.o.Target)
	for _, line := range serverLines(&f) {
		text += "\n" + line
	}
	file := gitLabPath(f.File)
	sum := sha256.Sum256([]byte(file + "\x00" + g.prints.fingerprint(&f)))
	issue := gitLabIssue{
		Description: text, CheckName: show(f.Rule), Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitLabSeverity(f.Severity),
		Location: gitLabLocation{file, gitLabLines{Begin: max(f.Line, 1)}},
	}
	if last := lastLine(&f); last > f.Line {
		issue.Location.Lines.End = last
	}
	return g.issue(issue)
}

// gitLabPath returns a path as GitLab requires it: relative, and without "./".
func gitLabPath(file string) string {
	if file == "-" {
		return "stdin"
	}
	return strings.TrimPrefix(path.Clean(showName(file)), "./")
}

func gitLabSeverity(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "critical"
	case rules.Warning:
		return "major"
	case rules.Info:
		return "info"
	}
	return "minor"
}

func (g *gitLab) issue(i gitLabIssue) error {
	line, err := encode(i)
	if err != nil {
		return err
	}
	before := ",\n"
	if !g.some {
		g.some, before = true, "[\n"
	}
	g.w.WriteString(before)
	_, err = g.w.Write(line)
	return err
}

// Close adds an issue for each input that could not be read, and for findings that
// are not printed.
func (g *gitLab) Close(s *rules.Summary) error {
	sum := completeSummary(s)
	add := func(name, file, text string) error {
		hash := sha256.Sum256([]byte(name + "\x00" + file + "\x00" + text))
		return g.issue(gitLabIssue{Description: show(text), CheckName: name, Fingerprint: hex.EncodeToString(hash[:16]), Severity: "blocker", Location: gitLabLocation{gitLabPath(file), gitLabLines{Begin: 1}}})
	}
	for _, u := range sum.Unreadable {
		if err := add("unreadable", u.File, "could not be read: "+u.Error); err != nil {
			return err
		}
	}
	if line := notPrintedLine(&sum); line != "" {
		if err := add("notprinted", ".kubevet.yaml", line); err != nil {
			return err
		}
	}
	end := "\n]\n"
	if !g.some {
		end = "[]\n"
	}
	if _, err := g.w.WriteString(end); err != nil {
		return err
	}
	return g.w.Flush()
}
