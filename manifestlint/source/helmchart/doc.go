// Package helmchart renders Helm charts with Helm's own engine. It traces every
// line of the output to its origin: the template, the helper that the template
// includes, and the value behind it.
//
// A chart is read from a directory or an archive, without leaving it and
// without a network. The chart is rendered as by `helm template`, for one minor
// version of Kubernetes. The template object .Capabilities has this version and
// its APIs. Output that would differ between runs, such as random passwords,
// certificates and the time, is fixed. The function lookup finds nothing.
//
// A chart may be hostile. The files that it makes kubevet read, the time that
// it takes and the memory that it needs are bounded. A chart that exceeds a
// bound is a Failure. Some templates cannot be stopped, and a stack overflow
// ends the process. Other processes can therefore render the charts: see
// Options.Workers.
package helmchart
