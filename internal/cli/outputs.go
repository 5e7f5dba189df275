package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/atomicfile"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// outputSpec is one --output: a format and the file it goes to.
type outputSpec struct {
	format string
	// file is the file's name as it was given; empty is standard output.
	file string
}

// outputSpecs reads --output and --output-file. At most one output goes to
// standard output, and no file is written twice.
func (a *app) outputSpecs(f *commonFlags, formats []string) ([]outputSpec, error) {
	values := f.outputs
	if len(values) == 0 {
		values = []string{"text"}
	}
	var specs []outputSpec
	plain := false
	files := map[string]bool{}
	for _, value := range values {
		format, file, named := strings.Cut(value, "=")
		if err := oneFormat(format, formats...); err != nil {
			return nil, err
		}
		if named && file == "" {
			return nil, usagef("--output %s needs the name of a file after the =", value)
		}
		if !named && f.set("output-file") {
			file = f.outputFile
			if file == "" {
				return nil, usagef("--output-file needs the name of a file")
			}
		}
		if file == "-" {
			file = ""
		}
		switch {
		case file == "" && plain:
			return nil, usagef("two outputs for standard output: give all but one a file, as in --output %s=FILE", format)
		case file != "" && files[a.path(file)]:
			return nil, usagef("two outputs for the file %s", file)
		case file == "":
			plain = true
		}
		if file != "" {
			files[a.path(file)] = true
		}
		specs = append(specs, outputSpec{format, file})
	}
	if f.set("output-file") && !files[a.path(f.outputFile)] && f.outputFile != "-" {
		return nil, usagef("--output-file is for an output without a file of its own, and there is none")
	}
	return specs, nil
}

// carriesFixes reports whether a format has the edits of fixes.
func carriesFixes(format string) bool {
	switch format {
	case "json", "jsonl", "sarif":
		return true
	}
	return false
}

// showsFixes reports whether a format shows what there is to say of fixes.
func showsFixes(format string) bool { return format == "text" || carriesFixes(format) }

// formatKubectl is the format that only manifests have.
const formatKubectl = "kubectl"

// outputFormats are the formats of findings on a surface.
func outputFormats(s rules.Surface) []string {
	formats := report.Formats()
	if s == rules.SurfaceManifest {
		formats = append(formats, formatKubectl)
	}
	return formats
}

// outputs are the open outputs of a run.
type outputs struct {
	list []*output
}

// output is one report and where it goes.
type output struct {
	outputSpec
	report report.Report
	to     *atomicfile.File // nil for standard output
	closed bool             // its reader has gone
}

// openOutputs opens all outputs, or none.
func (a *app) openOutputs(specs []outputSpec, o report.Options, color bool) (*outputs, error) {
	outs := &outputs{}
	for _, spec := range specs {
		out := &output{outputSpec: spec}
		var w io.Writer = a.Stdout
		options := o
		if spec.file == "" {
			options.Color, options.Width = color, width(a.Stdout)
		} else {
			options.Errors, options.ErrorsColor = nil, false
			file, err := atomicfile.Create(a.path(spec.file))
			if err != nil {
				outs.abort()
				return nil, usage(fmt.Errorf("writing %w", bare(err, spec.file)))
			}
			w, out.to = file, file
		}
		if spec.format == formatKubectl {
			out.report = report.NewKubectl(w, options)
			outs.list = append(outs.list, out)
			continue
		}
		r, err := report.New(spec.format, w, options)
		if err != nil {
			panic("cli: a format that was checked before: " + err.Error())
		}
		out.report = r
		outs.list = append(outs.list, out)
	}
	return outs, nil
}

// errNobodyReads ends a run whose outputs have all lost their reader.
var errNobodyReads = errors.New("nobody reads the output")

// finding reports one finding to every output that is still read.
func (o *outputs) finding(f rules.Finding) error {
	open := false
	for _, out := range o.list {
		if out.closed {
			continue
		}
		if err := out.note(out.report.Finding(f)); err != nil {
			return err
		}
		open = open || !out.closed
	}
	if !open {
		return errNobodyReads
	}
	return nil
}

// note turns the error of a write into one that names the output; a reader
// that has gone is remembered, and no error.
func (o *output) note(err error) error {
	switch {
	case err == nil:
		return nil
	case isClosedPipe(err):
		o.closed = true
		return nil
	case o.file == "":
		return fmt.Errorf("writing to standard output: %w", cause(err))
	}
	return fmt.Errorf("writing %w", bare(err, o.file))
}

// close ends all outputs. Files keep their former content unless the run is
// complete and all went well.
func (o *outputs) close(s *rules.Summary, complete bool) error {
	var errs []error
	for _, out := range o.list {
		err := out.note(out.report.Close(s))
		switch {
		case out.to == nil:
		case err != nil || !complete:
			out.to.Abort()
		default:
			err = out.note(out.to.Commit())
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// abort drops all outputs.
func (o *outputs) abort() {
	for _, out := range o.list {
		if out.to != nil {
			out.to.Abort()
		}
	}
}
