// Package helmchart renders Helm charts with Helm's own engine. It traces every
// line of the output to its origin: the template, the helper that the template
// includes, and the value that the line contains.
//
// A chart is a directory or an archive. Reading it uses no network, and no
// links that lead out of its root. It is rendered as by `helm template`, for
// one Kubernetes minor, whose version and APIs are in .Capabilities. Output
// that would differ between runs is fixed: random passwords, certificates and
// the time. The function lookup finds nothing.
//
// A chart may be hostile. The files that kubevet reads for it, its time and its
// memory are limited. A chart that exceeds a limit is a Failure. Some templates
// cannot be stopped, and a stack overflow ends the process. Other processes can
// therefore render the charts: see Options.Workers.
package helmchart
