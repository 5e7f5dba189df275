package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// Applier is a report in the format kubectl: the output of kubectl apply. Its input is
// the result for each object, in the order in which kubectl sends the objects.
//
// It re-implements k8s.io/kubectl/pkg/cmd/apply and /util/helpers.go, and
// k8s.io/client-go/rest/warnings.go, of 1.32 to 1.37.
type Applier interface {
	Report
	// Warning reports a warning of the server. Repeated texts are printed once.
	Warning(text string) error
	// Applied reports the action on an object, such as "pod/web created".
	Applied(what string) error
	// Unread reports why an input could not be decoded to an object. list is 0 if the
	// input is not in a list. For items of lists, list is the number of the list.
	Unread(text string, list int)
	// Refused reports why an object was not applied. kubectl prints alone if this is the
	// only error, and among if there are more errors.
	Refused(alone, among string)
	// Failed reports whether the exit status of kubectl would be 1. Call it after Close.
	Failed() bool
}

// kubectl implements Applier. It prints errors at the end, because kubectl sends objects
// only after it has read all inputs.
type kubectl struct {
	out, err *bufio.Writer
	o        Options
	warned   map[string]bool
	applied  int
	unread   []unread
	refused  [][2]string
	failed   bool
}

// NewKubectl returns a report in the format kubectl. Formats does not list this format,
// because it has no findings.
func NewKubectl(w io.Writer, o Options) Applier {
	k := &kubectl{out: bufio.NewWriter(w), o: o, warned: map[string]bool{}}
	if k.err = k.out; o.Errors != nil {
		k.err = bufio.NewWriter(o.Errors)
	}
	return k
}

func (k *kubectl) Finding(rules.Finding) error { return nil }

func (k *kubectl) Warning(text string) error {
	if text == "" || k.warned[text] {
		return nil
	}
	k.warned[text] = true
	word := "Warning:"
	if k.o.ErrorsColor {
		word = "\x1b[33;1m" + word + "\x1b[0m" // the yellow that kubectl uses
	}
	fmt.Fprintf(k.err, "%s %s\n", word, oneLine(text))
	return k.err.Flush()
}

func (k *kubectl) Applied(what string) error {
	k.applied++
	fmt.Fprintf(k.out, "%s (server dry run)\n", oneLine(what))
	return k.out.Flush()
}

// unread has the errors about one input, or about all items of one list, that could not
// be decoded.
type unread struct {
	list  int
	texts []string
}

func (k *kubectl) Unread(text string, list int) {
	if n := len(k.unread); list != 0 && n > 0 && k.unread[n-1].list == list {
		k.unread[n-1].texts = append(k.unread[n-1].texts, text)
		return
	}
	k.unread = append(k.unread, unread{list, []string{text}})
}

func (k *kubectl) Refused(alone, among string) {
	k.refused = append(k.refused, [2]string{alone, among})
}

func (k *kubectl) Failed() bool { return k.failed }

// Close prints the errors like cmdutil.CheckErr, to which kubectl passes the error of
// ApplyOptions.Run. This error combines the errors about inputs that could not be decoded
// and about objects that were refused.
func (k *kubectl) Close(*rules.Summary) error {
	text := k.errors()
	if text == "" && k.o.WarningsAsErrors && len(k.warned) > 0 {
		text = fmt.Sprintf("error: %d warnings received", len(k.warned))
		if len(k.warned) == 1 {
			text = "error: 1 warning received"
		}
	}
	if k.failed = text != ""; k.failed {
		k.err.WriteString(quote.Lines(strings.TrimSuffix(text, "\n")) + "\n")
	}
	err := k.out.Flush()
	if failed := k.err.Flush(); err == nil {
		err = failed
	}
	return err
}

func (k *kubectl) errors() string {
	switch {
	case len(k.unread)+len(k.refused) == 0 && k.applied == 0:
		return "error: no objects passed to apply"
	case len(k.unread) == 1 && len(k.refused) == 0 && k.unread[0].list == 0:
		return plainError(k.unread[0].texts[0])
	case len(k.unread) == 1 && len(k.refused) == 0:
		return strings.Join(k.unread[0].texts, "\n")
	case len(k.refused) == 0:
		var lines []string
		for _, u := range k.unread {
			lines = append(lines, aggregate(u.texts))
		}
		return strings.Join(lines, "\n")
	case len(k.unread) == 0 && len(k.refused) == 1:
		return k.refused[0][0]
	}
	var lines []string
	if len(k.unread) > 0 {
		var all []string
		for _, u := range k.unread {
			all = append(all, u.texts...)
		}
		lines = append(lines, aggregate(all))
	}
	for _, r := range k.refused {
		lines = append(lines, r[1])
	}
	return strings.Join(lines, "\n")
}

// plainError returns the text of a single error that did not come from a server.
func plainError(text string) string {
	if strings.HasPrefix(text, "error: ") {
		return text
	}
	return "error: " + text
}

// aggregate returns the text for several errors, as apimachinery/pkg/util/errors formats
// it.
func aggregate(texts []string) string {
	var once []string
	seen := map[string]bool{}
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			once = append(once, t)
		}
	}
	if len(once) == 1 {
		return once[0]
	}
	return "[" + strings.Join(once, ", ") + "]"
}

// oneLine escapes a text like quote.Lines and also escapes its line breaks.
func oneLine(text string) string { return strings.ReplaceAll(quote.Lines(text), "\n", `\n`) }
