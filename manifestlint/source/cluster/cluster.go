// Package cluster reads the parts of a running cluster that a linter needs:
//
//   - its objects, by their metadata,
//   - clients that still write with old versions, by managed fields,
//   - definitions, webhooks and stored Helm releases,
//   - requests to deprecated APIs, by the server's metrics.
//
// It only reads. Every request is a GET, which the transport enforces. Lists are
// requested in pages, as metadata alone where possible. They are requested in a version
// that is not deprecated, so that a scan does not change the metric that it reads.
// Nothing is written to disk. The only Secrets that it reads are Helm releases.
//
// It is a separate package so that a linter of files does not link a client. It uses
// only the low-level parts of client-go, because the typed and discovery clients
// register every kind of Kubernetes when a program starts.
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

// Options select the cluster and configure how it is read.
type Options struct {
	// Kubeconfig is the file to read instead of kubectl's default files.
	Kubeconfig string
	// Context is the context to use; empty for the current one.
	Context string
	// Timeout bounds a single request; 0 means DefaultTimeout.
	Timeout time.Duration
	// PageSize is the number of objects per request; 0 means DefaultPageSize.
	PageSize int
	// PerSecond bounds the requests per second; 0 means DefaultPerSecond.
	// Bursts may be twice as large.
	PerSecond int
	// ReleaseHistory also reads superseded revisions of Helm releases.
	ReleaseHistory bool
	// Wrap, if not nil, wraps the transport, below the layer that keeps it
	// read-only.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// These are the defaults of Options.
const (
	DefaultTimeout  = 60 * time.Second
	DefaultPageSize = 500
	// DefaultPerSecond keeps a scan a small part of the load of a large
	// cluster's server. A busy server can delay the scan further, which
	// client-go supports.
	DefaultPerSecond = 50
)

// Found is the result of a scan.
type Found struct {
	// Name is the file name in findings: "cluster:" and the context.
	Name string
	// Inputs are the objects for a linter. Findings in them have no position in
	// a text, only the cluster's name and the object.
	Inputs []manifestlint.Input
	// Findings are findings without an object. Their severity is only an upper
	// bound.
	Findings []rules.Finding
	// Objects counts the objects that were read, Resources the resources that
	// were listed, and Requests the requests that were sent.
	Objects, Resources, Requests int
	// ReplacedReleases counts the superseded revisions of Helm releases, which
	// were not read.
	ReplacedReleases int
	// Enabled are the built-in API versions that the server serves although
	// they are off by default in its release, in the form of --runtime-config.
	Enabled []string
	// Unread are the parts that could not be read.
	Unread []Unread
	// Notes are further messages for the user.
	Notes []string
}

// Unread is a part that could not be read.
type Unread struct {
	// What describes it, such as "list secrets".
	What string
	Err  error
	// Forbidden is set if the server refused the request to this user.
	Forbidden bool
}

// Error returns what could not be read, and why.
func (u Unread) Error() string { return fmt.Sprintf("%s: %v", u.What, u.Err) }

// Unwrap returns the reason.
func (u Unread) Unwrap() error { return u.Err }

// Scan reads a cluster. target is the target that its objects will be checked
// with. Parts that cannot be read are listed in Found. The only errors are
// those of the context.
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

// scan is the state of one Scan.
type scan struct {
	*Connection
	target lifecycle.Target
	found  *Found
	// resources are the resources in discovery, and plans the lists to request.
	resources []resource
	// aggregated are the group versions of other servers.
	aggregated map[string]bool
	// deprecated are the versions of custom resources that are deprecated by
	// their definitions, as group/version/plural.
	deprecated map[string]bool
	// unlisted are resources that are served in deprecated versions only.
	unlisted []resource
	// bare are objects with metadata only, and whole the others.
	bare, whole objects
}

// failed records a part that could not be read, unless the context has ended.
func (s *scan) failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.found.Unread = append(s.found.Unread, Unread{What: what, Err: err, Forbidden: isForbidden(err)})
	return nil
}

// finish completes the result.
func (s *scan) finish() {
	for _, part := range []struct {
		objects objects
		reading manifestlint.Reading
	}{{s.whole, manifestlint.Read}, {s.bare, manifestlint.ReadMetadata}} {
		if part.objects.n > 0 {
			s.found.Inputs = append(s.found.Inputs, part.objects.input(s.Name, part.reading))
		}
	}
	s.found.Enabled = s.enabled()
	if s.found.Objects = s.bare.n + s.whole.n; s.found.Objects == 0 && len(s.found.Unread) == 0 {
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
		s.found.Notes = append(s.found.Notes, fmt.Sprintf("the server warned of %d requests of this scan: %s", n, s.warnedOf()))
	}
}
