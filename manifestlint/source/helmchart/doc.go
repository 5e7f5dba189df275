// Package helmchart renders Helm charts in process, with Helm's own engine, and
// says of every line of what they render where it comes from: the template, the
// helper that the template includes, and the value behind it.
//
// A chart is read from a directory or an archive without ever leaving it, and
// without a network. It is rendered as `helm template` does it, for a
// Kubernetes minor whose version and APIs the chart's Capabilities show. What
// would differ from one run to the next, such as random passwords, certificates
// and the time of day, is fixed; lookup finds nothing.
//
// A chart may be hostile: what it can make kubevet read, compute and keep is
// bounded, and what goes beyond that is a Failure as any other.
package helmchart
