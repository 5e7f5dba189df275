package reporting

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/codeowners"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// outputSpec is a value of --output.
type outputSpec struct {
	format string
	// file is the name of the file as the user typed it. It is empty for standard output.
	file string
}

// outputSpecs parses --output and --output-file. It returns an error if two outputs have
// the same file or both go to standard output.
func outputSpecs(a *app.App, f *settings.Flags, formats []string) ([]outputSpec, error) {
	values := f.Outputs
	if len(values) == 0 {
		values = []string{"text"}
	}
	var specs []outputSpec
	plain := false
	files := map[string]bool{}
	for _, value := range values {
		format, file, named := strings.Cut(value, "=")
		if err := app.OneFormat(format, formats...); err != nil {
			return nil, err
		}
		if named && file == "" {
			return nil, app.Usagef("--output %s needs the name of a file after the =", value)
		}
		if !named && f.Set("output-file") {
			file = f.OutputFile
			if file == "" {
				return nil, app.Usagef("--output-file needs the name of a file")
			}
		}
		if file == "-" {
			file = ""
		}
		switch {
		case file == "" && plain:
			return nil, app.Usagef("two outputs for standard output: give all but one a file, as in --output %s=FILE", format)
		case file != "" && files[a.Path(file)]:
			return nil, app.Usagef("two outputs for the file %s", quote.Name(file))
		case file == "":
			plain = true
		}
		if file != "" {
			files[a.Path(file)] = true
		}
		specs = append(specs, outputSpec{format, file})
	}
	if f.Set("output-file") && !files[a.Path(f.OutputFile)] && f.OutputFile != "-" {
		return nil, app.Usagef("--output-file has nothing to write: each --output has a file of its own")
	}
	return specs, nil
}

// CarriesFixes reports whether reports in a format contain the edits of fixes.
func CarriesFixes(format string) bool {
	switch format {
	case "json", "jsonl", "sarif", "html":
		return true
	}
	return false
}

// ShowsFixes reports whether reports in a format say which findings have a fix.
func ShowsFixes(format string) bool { return format == "text" || CarriesFixes(format) }

func isKubectl(format string) bool { return format == settings.FormatKubectl }

type outputs []*output

type output struct {
	outputSpec
	report report.Report
	to     *atomicfile.File // nil for standard output
	closed bool             // true after the reader closed the output
}

// openOutputs opens all outputs. If an output cannot be opened, it closes the others and
// returns the error.
func openOutputs(a *app.App, line *app.StatusLine, specs []outputSpec, o report.Options, color bool, sourceURL string) (outputs, error) {
	var outs outputs
	for _, spec := range specs {
		out := &output{outputSpec: spec}
		w := line.Over(a.Stdout)
		options := o
		if spec.file == "" {
			options.Color, options.Width = color, app.Width(a.Stdout)
		} else {
			options.Errors, options.ErrorsColor = nil, false
			file, err := atomicfile.Create(a.Path(spec.file))
			if err != nil {
				outs.abort()
				return nil, app.Usage(fmt.Errorf("writing %w", app.Bare(err, spec.file)))
			}
			a.Ending.Add(file.Abort)
			w, out.to = file, file
		}
		if isKubectl(spec.format) {
			out.report = report.NewKubectl(w, options)
			outs = append(outs, out)
			continue
		}
		if spec.format == "html" {
			options.Link, options.Owner = pageOptions(a, sourceURL, spec.file)
		}
		r, err := report.New(spec.format, w, options)
		if err != nil {
			panic("reporting: a format that was checked before: " + err.Error())
		}
		out.report = r
		outs = append(outs, out)
	}
	return outs, nil
}

// pageOptions returns two functions for an HTML report. link returns the address of a
// line. owner returns the owner of a file, and is nil without a CODEOWNERS file.
func pageOptions(a *app.App, sourceURL, file string) (link func(string, int) string, owner func(string) string) {
	if l, err := NewLinks(a, sourceURL, file); err == nil { // New has checked sourceURL already
		link = l.Of
	}
	if o := codeowners.Find(a.Dir); !o.IsZero() {
		owner = func(file string) string { return o.Of(a.Path(file)) }
	}
	return link, owner
}

// errNoReaders ends a run after the readers of all outputs have closed them.
var errNoReaders = errors.New("no output has a reader")

// finding writes a finding to the open outputs. After the readers of all outputs have
// closed them, it returns errNoReaders.
func (o outputs) finding(f rules.Finding) error {
	open := false
	for _, out := range o {
		if out.closed {
			continue
		}
		if err := out.checkWrite(out.report.Finding(f)); err != nil {
			return err
		}
		open = open || !out.closed
	}
	if !open {
		return errNoReaders
	}
	return nil
}

// checkWrite adds the name of the output to a write error. If the reader has closed the
// output, it sets closed and returns nil.
func (o *output) checkWrite(err error) error {
	switch {
	case err == nil:
		return nil
	case app.IsClosedPipe(err):
		o.closed = true
		return nil
	case o.file == "":
		return fmt.Errorf("writing to standard output: %w", app.Cause(err))
	}
	return fmt.Errorf("writing %w", app.Bare(err, o.file))
}

// close completes all outputs. If the run is incomplete or an output failed, files keep
// their former content.
func (o outputs) close(s *rules.Summary, complete bool) error {
	var errs []error
	for _, out := range o {
		err := out.checkWrite(out.report.Close(s))
		switch {
		case out.to == nil:
		case err != nil || !complete:
			out.to.Abort()
		default:
			err = out.checkWrite(out.to.Commit())
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// abort closes all outputs. Their files keep their former content.
func (o outputs) abort() {
	for _, out := range o {
		if out.to != nil {
			out.to.Abort()
		}
	}
}
