// Package cluster reads the parts of a running cluster that a linter needs:
//
//   - its objects, by their metadata
//   - clients that still write with old versions, according to managed fields
//   - definitions, webhooks and stored Helm releases
//   - requests to deprecated APIs, according to the server's metrics
//
// It only reads: the transport refuses all requests other than GET. Lists are
// requested in pages, if possible without the objects' bodies, and in a version
// that is not deprecated. A request to a deprecated version would change the
// metric that a scan reads. Nothing is written to disk. The only Secrets that
// it reads are Helm releases.
//
// The package is separate, so that a program that only lints files does not
// link a client. The package uses only the low-level parts of client-go,
// because the typed and discovery clients register every kind of Kubernetes
// when a program starts.
package cluster

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options configure the connection and the scan. The zero value reads the
// cluster that kubectl would use.
type Options struct {
	// Kubeconfig is the file to read instead of kubectl's default files; "" for
	// those.
	Kubeconfig string
	// Context is the context in the kubeconfig; "" for the current context.
	Context string
	// Timeout is the largest time for one request; 0 means DefaultTimeout.
	Timeout time.Duration
	// PageSize is the number of objects in a page; 0 means DefaultPageSize.
	PageSize int
	// PerSecond is the largest number of requests per second; 0 means
	// DefaultPerSecond. For a short time, twice as many are possible.
	PerSecond int
	// ReleaseHistory also reads old revisions of Helm releases, which were
	// replaced or uninstalled.
	ReleaseHistory bool
	// Wrap wraps the transport; nil for none. Writes are refused before they
	// reach the wrapped transport.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// Defaults of Options.
const (
	DefaultTimeout  = 60 * time.Second
	DefaultPageSize = 500
	// DefaultPerSecond is a small part of the load of a large cluster's server. A
	// busy server can ask client-go to send requests more slowly.
	DefaultPerSecond = 50
)

// Found is the result of a scan.
type Found struct {
	// Name is "cluster:" and the context. Findings have it as their file.
	Name string
	// Inputs are the cluster's objects for a linter. Findings in them have the
	// cluster's name and the object, but no line.
	Inputs []manifestlint.Input
	// Findings are findings that are not about an object. If the rule of a
	// finding has a lower severity, the caller lowers the finding's severity.
	Findings []rules.Finding
	// Objects, Resources and Requests are the numbers of objects that were read,
	// of resources that were listed and of requests that were sent.
	Objects, Resources, Requests int
	// ReplacedReleases is the number of old revisions of Helm releases that were
	// not read.
	ReplacedReleases int
	// Enabled are the built-in API versions that the server serves although its
	// release does not serve them by default, in the form of --runtime-config.
	Enabled []string
	// Unread are the parts of the cluster that could not be read.
	Unread []Unread
	// Notes are further messages for the user.
	Notes []string
}

// Unread is a part of the cluster that could not be read.
type Unread struct {
	// What names the request that failed, such as "list secrets".
	What string
	Err  error
	// Forbidden is set if the user lacks the permission.
	Forbidden bool
}

// Error returns the part and the reason.
func (u Unread) Error() string { return fmt.Sprintf("%s: %v", u.What, u.Err) }

// Unwrap returns the error of the request.
func (u Unread) Unwrap() error { return u.Err }

// Scan reads a cluster. target has the releases for which the objects will be
// checked. Found.Unread has the parts that could not be read. The only error is
// the error of ctx.
func (c *Connection) Scan(ctx context.Context, target lifecycle.Target) (*Found, error) {
	s := &scan{Connection: c, target: target, found: &Found{Name: c.Name}}
	steps := []func(context.Context) error{s.discover, s.definitions, s.webhooks, s.objects, s.releases, s.metrics}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
	}
	s.finish()
	return s.found, nil
}

type scan struct {
	*Connection
	target lifecycle.Target
	found  *Found
	// resources are the resources that discovery lists.
	resources []resource
	// aggregated are the group versions that aggregated servers serve.
	aggregated map[string]bool
	// deprecated are versions of custom resources that their definitions
	// deprecate, as group/version/plural.
	deprecated map[string]bool
	// unlisted are the resources that the server serves only in deprecated
	// versions.
	unlisted []resource
	// metadataOnly has the objects that were read without their bodies.
	// withBodies has all others.
	metadataOnly, withBodies objects
}

// recordFailure records a part that could not be read, unless the context has
// ended.
func (s *scan) recordFailure(ctx context.Context, request string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.found.Unread = append(s.found.Unread, Unread{What: request, Err: err, Forbidden: isForbidden(err)})
	return nil
}

// finish converts the collected objects to inputs of the result.
func (s *scan) finish() {
	for _, part := range []struct {
		objects objects
		reading manifestlint.Reading
	}{{s.withBodies, manifestlint.Read}, {s.metadataOnly, manifestlint.ReadMetadata}} {
		if part.objects.count > 0 {
			s.found.Inputs = append(s.found.Inputs, part.objects.input(s.Name, part.reading))
		}
	}
	s.found.Enabled = s.enabledByFlag()
	if s.found.Objects = s.metadataOnly.count + s.withBodies.count; s.found.Objects == 0 && len(s.found.Unread) == 0 {
		s.found.Unread = append(s.found.Unread, Unread{What: "list objects", Err: errNoObjects})
	}
	s.found.Requests = int(s.requests.Load())
	if len(s.unlisted) > 0 {
		var names []string
		for _, r := range s.unlisted {
			names = append(names, r.String())
		}
		s.found.Notes = append(s.found.Notes, "not listed, since the server serves them in deprecated versions only: "+strings.Join(names, ", "))
	}
	if n := s.warned.Load(); n > 0 {
		s.found.Notes = append(s.found.Notes, fmt.Sprintf("the server warned of %d requests of this scan: %s", n, s.warningNote()))
	}
}
