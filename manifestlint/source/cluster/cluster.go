// Package cluster reads what a linter wants to know of a running cluster: what
// there is, by its metadata; who still writes through old versions, by the
// managed fields; the definitions, webhooks and stored Helm releases; and which
// deprecated APIs were asked for, by the server's metrics.
//
// It only reads. Every request is a GET, which the transport enforces; lists
// are asked for page by page, as metadata alone wherever that will do, in a
// version that the server does not call deprecated, so that a scan leaves no
// trace in the very metric that it reads. Nothing is written to disk, and of
// Secrets only those that hold Helm releases are read.
//
// It is a package of its own so that who judges objects does not link a client,
// and of client-go it uses only the parts below the clients of typed and of
// discovered resources: those register every kind of Kubernetes when a program
// starts.
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

// Options say which cluster to read, and how.
type Options struct {
	// Kubeconfig is the file to read instead of those that kubectl would read.
	Kubeconfig string
	// Context is the context to use; empty for the current one.
	Context string
	// Timeout bounds a single request; 0 stands for DefaultTimeout.
	Timeout time.Duration
	// PageSize is how many objects are asked for at a time; 0 stands for
	// DefaultPageSize.
	PageSize int
	// PerSecond bounds the requests that are sent in a second; 0 stands for
	// DefaultPerSecond. Twice as many may be sent at once.
	PerSecond int
	// ReleaseHistory also reads the revisions of Helm releases that others have
	// replaced.
	ReleaseHistory bool
	// Wrap, if not nil, wraps the transport, below what keeps it read-only.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// Defaults of Options.
const (
	DefaultTimeout  = 60 * time.Second
	DefaultPageSize = 500
	// DefaultPerSecond keeps a scan of a large cluster a small part of what its
	// server answers. A server that is busy can make the scan wait longer,
	// which client-go heeds.
	DefaultPerSecond = 50
)

// Found is what was read of a cluster.
type Found struct {
	// Name is what findings give as their file: "cluster:" and the context.
	Name string
	// Inputs are the objects, for a linter. What it finds in them has no place
	// in a text: findings carry the cluster's name and the object.
	Inputs []manifestlint.Input
	// Findings are those that no object has. They have no severity yet but the
	// one that they must not exceed.
	Findings []rules.Finding
	// Objects counts the objects that were seen, Resources the resources that
	// were listed, Requests the requests that were sent.
	Objects, Resources, Requests int
	// ReplacedReleases counts the revisions of Helm releases that were not
	// read since others have replaced them.
	ReplacedReleases int
	// Enabled are the built-in API versions that the server serves although its
	// release has them off by default, as --runtime-config takes them.
	Enabled []string
	// Unread is what could not be read.
	Unread []Unread
	// Notes are what the user should know besides.
	Notes []string
}

// Unread is something that could not be read.
type Unread struct {
	// What names it, such as "list secrets".
	What string
	Err  error
	// Forbidden is set where the server refused it to this user.
	Forbidden bool
}

// Error says what could not be read, and why.
func (u Unread) Error() string { return fmt.Sprintf("%s: %v", u.What, u.Err) }

// Unwrap gives the reason.
func (u Unread) Unwrap() error { return u.Err }

// Scan reads a cluster. target is what its objects are going to be judged
// against. What cannot be read, for want of permission or else, is told in
// Found and the rest is read; the only errors are the context's.
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
	// resources are what discovery lists, plans what is to be listed of it.
	resources []resource
	// aggregated are the group versions that other servers serve.
	aggregated map[string]bool
	// deprecated are the versions of custom resources that their definitions
	// deprecate, as group/version/plural.
	deprecated map[string]bool
	// unlisted are resources that are served in deprecated versions only.
	unlisted []resource
	// bare are objects of which only metadata is known, whole the others.
	bare, whole objects
}

// failed notes what could not be read. The context's end is no such thing.
func (s *scan) failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.found.Unread = append(s.found.Unread, Unread{What: what, Err: err, Forbidden: isForbidden(err)})
	return nil
}

// finish puts the results together.
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
	s.found.Objects = s.bare.n + s.whole.n
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
