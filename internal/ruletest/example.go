// Package ruletest runs the examples on the pages of the rule catalogue. It shows that
// pages and implementations agree.
//
// An example is a fenced code block in yaml, json or sh for manifests, in go for code, or
// in audit for audit logs. An audit example is a table of the audit log that the option
// log names. The info string may have options:
//
//	```yaml target=1.31..1.37 gates=A=true,B=false
//
// A comment in the block says what the rule reports on this line. It has quoted
// substrings, or regular expressions between slashes:
//
//	apiVersion: extensions/v1beta1 # want "no longer served" /use \S+v1/
//
// In Go, the comment is "// want".
//
// If a comment is not possible, or would change the meaning, a text block after the
// example has the output, with one line for each finding:
//
//	```text
//	example.json:2: no longer served
//	```
//
// For an example without both, the rule must report nothing. A block with the option old
// is not an example: it has the stored objects that the next block updates.
// docs/writing-rules.md describes examples for authors of pages.
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

// languages has the languages of examples for each surface (kind of input).
var languages = map[rules.Surface][]string{
	rules.SurfaceManifest: {"yaml", "json", "sh"},
	rules.SurfaceGo:       {"go"},
	rules.SurfaceAudit:    {"audit"},
}

// Example is an example on a page. Its options have the names and meanings of kubevet's
// flags. An empty option means the default of the flag.
type Example struct {
	// Rule is the ID of the rule that the page describes.
	Rule string
	// Page is the path of the page in the repository.
	Page string
	// Line is the line of the page on which the block begins.
	Line int
	// File is the name of the file for the linter. The default is "example." and the
	// language.
	File string
	// Source is the text of the block.
	Source []byte
	// Target, Gates and RuntimeConfig are the options target, gates and runtime-config.
	Target, Gates, RuntimeConfig string
	// TargetVersions is the option target-versions, in the form PROJECT=VERSION,…
	TargetVersions string
	// Embedded and RequireReason are true if the example has the options embedded and
	// require-reason.
	Embedded, RequireReason bool
	// Validate is the option validate.
	Validate string
	// Old is the text of the block with the option old before the example. It has the
	// stored objects that the example updates. nil means that the objects are new.
	Old []byte
	// Strict is true if the example has the option strict. Then all rules for Go code run
	// and check every call.
	Strict bool
	// Settings has the other options of a Go example: settings of the rule in the form
	// "name=value", in the order on the page.
	Settings []string
	// Also has the other rules that report something in the example.
	Also []string
	// Log is the option log of an audit example: a file in testdata/logs. Source is a
	// table of this log.
	Log string
	// Wants has the expected findings of the rule. It is empty if the rule must report
	// nothing.
	Wants []Want

	isOld bool // true if the block has the option old
}

// Want is an expected finding in an example.
type Want struct {
	// Line is the line in the source. 0 means a finding about the whole file.
	Line int
	// Column is the column in code points. 0 means any column.
	Column int
	// PageLine is the line of the page on which the want is written.
	PageLine int

	substring string
	pattern   *regexp.Regexp // used instead of substring if not nil
}

// String returns the want in its form on the page.
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
		return w.pattern.MatchString(findingText(f))
	}
	return strings.Contains(findingText(f), w.substring)
}

// findingText returns the text of a finding that wants must match:
//
//	warning: spec.scaleTargetRef: … (1.16..1.25)
//
// It has the severity, the path if there is one, the message, and the minors if the
// finding depends on them.
func findingText(f rules.Finding) string {
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

// Examples returns the examples on the page of a rule for one surface. An error has the
// page and the line.
func Examples(r rules.Rule, s rules.Surface) ([]Example, error) {
	return examples(page{r, "rules/" + r.ID + ".md"}, s)
}

func examples(r page, s rules.Surface) ([]Example, error) {
	var out []Example
	lines := strings.Split(strings.TrimSuffix(r.Page, "\n"), "\n")
	after := false // true if only blank lines have followed the last example so far
	var old []byte // the block with the option old for the next example, or nil
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

// newExample parses a block. An error begins with the line.
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
		return ex, nil // JSON has no comments, so there are no wants in the block
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

// option parses one option of the info string.
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

// comments matches want comments in each language.
var comments = map[string]*regexp.Regexp{
	"yaml": regexp.MustCompile(`(?:^|\s)# want(?:\s+(.*))?$`),
	"sh":   regexp.MustCompile(`(?:^|\s)# want(?:\s+(.*))?$`),
	"go":   regexp.MustCompile(`(?:^|\s)// want(?:\s+(.*))?$`),
}

// parseComment returns the wants in the comment of a line, or nil if it has no want
// comment.
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

// newWant parses a Go string literal, or a regular expression between slashes.
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

// readOutput parses the text block after an example. Its lines have no quotes, like real
// output.
func (ex *Example) readOutput(first int, body []string) error {
	for i, l := range body {
		m := outputRE.FindStringSubmatch(l)
		if m == nil || m[1] != ex.File {
			return fmt.Errorf("%d: want lines like %q in the output of an example", first+i, ex.File+":LINE: TEXT")
		}
		w := Want{PageLine: first + i, substring: m[4]}
		w.Line, _ = strconv.Atoi(m[2]) // 0 if the line is missing
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
