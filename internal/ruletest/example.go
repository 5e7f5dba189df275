// Package ruletest runs the examples on the catalogue's pages and proves that
// catalogue and implementations match.
//
// An example is a fenced block in a language that the surface reads: yaml or
// json for manifests, go for code, audit for a table of an audit log that option
// log names. Its info string may hold options:
//
//	```yaml target=1.31..1.37 gates=A=true,B=false
//
// A comment in the block says what the page's rule reports on that line, as
// one or more quoted substrings or regular expressions between slashes:
//
//	apiVersion: extensions/v1beta1 # want "no longer served" /use \S+v1/
//
// In Go it is the comment "// want".
//
// Where a comment cannot stand or would change the meaning, the output follows
// the block in a text block of its own, one line per finding:
//
//	```text
//	example.json:2: no longer served
//	```
//
// On a block with neither the rule is silent. A block with option old is not an
// example: it has the stored objects that the next block updates.
// docs/writing-rules.md describes this for authors of pages.
package ruletest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// languages are the info strings' first words that make a block an example,
// by surface.
var languages = map[rules.Surface][]string{
	rules.SurfaceManifest: {"yaml", "json", "sh"},
	rules.SurfaceGo:       {"go"},
	rules.SurfaceAudit:    {"audit"},
}

// Example is one executed block of a page. The options are as written and
// mean what the command line's flags of those names mean; empty is the flag's
// default.
type Example struct {
	// Rule is the ID of the page's rule.
	Rule string
	// Page is the page's path in the repository.
	Page string
	// Line is the line of the block's opening fence in the page's file.
	Line int
	// File is the name the source is linted under: option file, or example
	// with the language as its extension.
	File string
	// Source is the block's text.
	Source []byte
	// Target, Gates and RuntimeConfig are options target, gates and
	// runtime-config.
	Target, Gates, RuntimeConfig string
	// TargetVersions is option target-versions: PROJECT=VERSION,…
	TargetVersions string
	// Embedded and RequireReason are set by options embedded and
	// require-reason.
	Embedded, RequireReason bool
	// Validate is option validate.
	Validate string
	// Old is the text of the block before it that has option old: what the
	// example's objects update. nil: they are new.
	Old []byte
	// Strict is set by option strict: all rules for Go code run, and look at
	// every call.
	Strict bool
	// Settings are the other options of a Go example: settings of the page's
	// rule, as "name=value", in the order written.
	Settings []string
	// Also names the other rules that report something in the block: option
	// also.
	Also []string
	// Log is option log of an audit example: the name of a file in testdata/logs.
	// Source is then a table of that log.
	Log string
	// Wants are the findings of the page's rule; none for a silent example.
	Wants []Want

	isOld bool // option old
}

// Want is one finding that an example must yield.
type Want struct {
	// Line is the line in the source; 0 means a finding about the whole file.
	Line int
	// Column is the column in code points; 0 means that any will do.
	Column int
	// PageLine is where the want is written in the page's file.
	PageLine int

	substring string
	pattern   *regexp.Regexp // instead of substring
}

// String returns the want in its written form.
func (w Want) String() string {
	if w.pattern != nil {
		return "/" + w.pattern.String() + "/"
	}
	return strconv.Quote(w.substring)
}

func (w Want) matches(f rules.Finding) bool {
	if w.Line != f.Line || w.Column != 0 && w.Column != f.Column {
		return false
	}
	if w.pattern != nil {
		return w.pattern.MatchString(subject(f))
	}
	return strings.Contains(subject(f), w.substring)
}

// subject is the text that wants are matched against:
//
//	warning: spec.scaleTargetRef: … (1.16..1.25)
//
// with the severity, the path if the finding has one, the message, and the
// minors if the finding depends on them.
func subject(f rules.Finding) string {
	s := f.Severity.String() + ": "
	if f.Path != "" {
		s += f.Path + ": "
	}
	s += f.Message
	if f.Minors != "" {
		s += " (" + f.Minors + ")"
	}
	return s
}

// Examples returns the examples for a surface on a rule's page, in their
// order. Its error names the page and the line.
func Examples(r rules.Rule, s rules.Surface) ([]Example, error) {
	return examples(page{r, "rules/" + r.ID + ".md"}, s)
}

func examples(r page, s rules.Surface) ([]Example, error) {
	var out []Example
	lines := strings.Split(strings.TrimSuffix(r.Page, "\n"), "\n")
	after := false // whether only blank lines stand between an example and here
	var old []byte // the block with option old that waits for its example
	for i := 0; i < len(lines); i++ {
		info, fenced := strings.CutPrefix(lines[i], "```")
		if !fenced {
			after = after && lines[i] == ""
			continue
		}
		start := i + 1
		n := slices.Index(lines[start:], "```")
		if n < 0 {
			return nil, fmt.Errorf("%s:%d: the block is not closed", r.path, r.Line+i)
		}
		body := lines[start : start+n]
		language, options, _ := strings.Cut(info, " ")
		var err error
		switch {
		case slices.Contains(languages[s], language):
			var ex Example
			ex, err = newExample(r, r.Line+i, language, options, body)
			switch {
			case err != nil:
			case ex.isOld && (old != nil || len(ex.Wants) > 0):
				err = fmt.Errorf("%d: a block with option old has no want comments, and an example follows it", ex.Line)
			case ex.isOld:
				old, after = ex.Source, false
			default:
				ex.Old, old = old, nil
				out = append(out, ex)
				after = true
			}
		case language == "text" && after:
			err = out[len(out)-1].readOutput(r.Line+start, body)
			after = false
		default:
			after = false
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%w", r.path, err)
		}
		i = start + n
	}
	if old != nil {
		return nil, fmt.Errorf("%s: no example follows the block with option old", r.path)
	}
	return out, nil
}

// newExample reads a block; its errors begin with the line.
func newExample(r page, line int, language, options string, body []string) (Example, error) {
	ex := Example{
		Rule: r.ID, Page: r.path, Line: line, File: "example." + language,
		Source: []byte(strings.Join(body, "\n") + "\n"),
	}
	for _, o := range strings.Fields(options) {
		if err := ex.option(language, o); err != nil {
			return ex, fmt.Errorf("%d: %w", line, err)
		}
	}
	re, ok := comments[language]
	if !ok {
		return ex, nil // JSON has no comments
	}
	for i, l := range body {
		wants, err := parseComment(re, l)
		if err != nil {
			return ex, fmt.Errorf("%d: %w", line+1+i, err)
		}
		for _, w := range wants {
			w.Line, w.PageLine = i+1, line+1+i
			ex.Wants = append(ex.Wants, w)
		}
	}
	return ex, nil
}

// option takes one word of the info string.
func (ex *Example) option(language, o string) error {
	key, value, hasValue := strings.Cut(o, "=")
	if language == "go" && key != "file" && key != "also" {
		switch {
		case o == "strict":
			ex.Strict = true
		case hasValue:
			ex.Settings = append(ex.Settings, o)
		default:
			ex.Settings = append(ex.Settings, o+"=true")
		}
		return nil
	}
	switch {
	case o == "embedded":
		ex.Embedded = true
		return nil
	case o == "require-reason":
		ex.RequireReason = true
		return nil
	case o == "old":
		ex.isOld = true
		return nil
	case value == "" && slices.Contains([]string{"target", "gates", "runtime-config", "target-versions", "validate", "file", "also", "log"}, key):
		return fmt.Errorf("option %q has no value", o)
	}
	switch key {
	case "target":
		ex.Target = value
	case "gates":
		ex.Gates = value
	case "runtime-config":
		ex.RuntimeConfig = value
	case "target-versions":
		ex.TargetVersions = value
	case "validate":
		if !slices.Contains([]string{"strict", "warn", "ignore"}, value) {
			return fmt.Errorf("validate=%s: want strict, warn or ignore", value)
		}
		ex.Validate = value
	case "file":
		ex.File = value
	case "log":
		ex.Log, ex.File = value, path.Base(value)
	case "also":
		ex.Also = strings.Split(value, ",")
		for _, id := range ex.Also {
			if r, ok := rules.Lookup(id); !ok || r.ID != id || id == ex.Rule {
				return fmt.Errorf("also=%s: %q is not another rule", value, id)
			}
		}
	default:
		return fmt.Errorf("unknown option %q: want target, gates, runtime-config, target-versions, validate, embedded, require-reason, old, file, log or also", o)
	}
	return nil
}

// comments are what a want comment looks like, by language.
var comments = map[string]*regexp.Regexp{
	"yaml": regexp.MustCompile(`(?:^|\s)# want(?:\s+(.*))?$`),
	"sh":   regexp.MustCompile(`(?:^|\s)# want(?:\s+(.*))?$`),
	"go":   regexp.MustCompile(`(?:^|\s)// want(?:\s+(.*))?$`),
}

// parseComment reads the want comment of a line, if it has one.
func parseComment(re *regexp.Regexp, line string) ([]Want, error) {
	m := re.FindStringSubmatch(line)
	if m == nil {
		return nil, nil
	}
	var out []Want
	for rest := strings.TrimSpace(m[1]); rest != ""; rest = strings.TrimSpace(rest) {
		var literal string
		switch rest[0] {
		case '"', '`':
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("want comment: unclosed quote in %s", rest)
			}
			literal, rest = quoted, rest[len(quoted):]
		case '/':
			end := strings.IndexByte(rest[1:], '/')
			if end < 0 {
				return nil, fmt.Errorf("want comment: unclosed regular expression in %s", rest)
			}
			literal, rest = rest[:end+2], rest[end+2:]
		default:
			return nil, fmt.Errorf("want comment: want a quoted string or /regexp/, got %s", rest)
		}
		w, err := newWant(literal)
		if err != nil {
			return nil, fmt.Errorf("want comment: %w", err)
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("want comment: nothing is wanted")
	}
	return out, nil
}

// newWant reads a Go string literal or a regular expression between slashes.
func newWant(literal string) (w Want, err error) {
	if strings.HasPrefix(literal, "/") {
		w.pattern, err = regexp.Compile(strings.Trim(literal, "/"))
		return w, err
	}
	w.substring, err = strconv.Unquote(literal)
	if err == nil && w.substring == "" {
		err = fmt.Errorf("an empty string matches everything")
	}
	return w, err
}

var outputRE = regexp.MustCompile(`^([^:]+)(?::(\d+))?(?::(\d+))?: (\S.*)$`)

// readOutput reads the text block after an example. Its lines are unquoted,
// so that they read like the output they stand for.
func (ex *Example) readOutput(first int, body []string) error {
	for i, l := range body {
		m := outputRE.FindStringSubmatch(l)
		if m == nil || m[1] != ex.File {
			return fmt.Errorf("%d: want lines like %q in the output of an example", first+i, ex.File+":LINE: TEXT")
		}
		w := Want{PageLine: first + i, substring: m[4]}
		w.Line, _ = strconv.Atoi(m[2]) // absent is 0
		w.Column, _ = strconv.Atoi(m[3])
		if t := m[4]; len(t) > 2 && t[0] == '/' && t[len(t)-1] == '/' {
			re, err := newWant(t)
			if err != nil {
				return fmt.Errorf("%d: %w", first+i, err)
			}
			w.pattern = re.pattern
		}
		ex.Wants = append(ex.Wants, w)
	}
	return nil
}
