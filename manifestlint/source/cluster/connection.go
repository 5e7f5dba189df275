package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/rules/lifecycle"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// maxAnswer is the largest size of a response, in bytes. A response is a page
// of objects, and etcd limits each object to 1.5 MB.
const maxAnswer = 256 << 20

// Connection is a connection to a cluster's API server.
type Connection struct {
	// Name is "cluster:" and the name of the context.
	Name string
	// Version is the server's minor; zero if unknown.
	Version lifecycle.Minor
	// GitVersion is the version that the server reports, such as "v1.33.4".
	GitVersion string

	client   rest.Interface
	timeout  time.Duration // timeout of a request, including retries
	options  Options
	requests atomic.Int64
	warned   atomic.Int64
	mu       sync.Mutex
	warning  string // text of the first warning that the server sent
}

// ConfigError is the error for an invalid kubeconfig, or for a context that the
// kubeconfig does not have.
type ConfigError struct{ Err error }

// Error returns the message.
func (e *ConfigError) Error() string { return "reading the kubeconfig: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// Connect connects to the cluster that kubectl would use, and requests its
// version, which needs no permission. An error is a *ConfigError, or the server
// does not respond.
func Connect(ctx context.Context, o Options) (*Connection, error) {
	loader, err := kubeconfig(o)
	if err != nil {
		return nil, &ConfigError{err}
	}
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, &ConfigError{err}
	}
	name := o.Context
	if name == "" {
		name = raw.CurrentContext
	}
	if o.Context != "" && raw.Contexts[o.Context] == nil {
		return nil, &ConfigError{fmt.Errorf("it has no context %q", o.Context)}
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, &ConfigError{err}
	}
	if name == "" {
		name = "in-cluster"
	}
	return connect(ctx, name, config, o)
}

// connect creates a connection from a configuration of client-go.
func connect(ctx context.Context, name string, config *rest.Config, o Options) (*Connection, error) {
	c := &Connection{Name: "cluster:" + name, options: o}
	config = rest.CopyConfig(config)
	config.UserAgent = "kubevet (read-only scan)"
	perSecond := o.PerSecond
	if perSecond <= 0 {
		perSecond = DefaultPerSecond
	}
	config.QPS, config.Burst = float32(perSecond), 2*perSecond
	if c.timeout = o.Timeout; c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	config.Timeout = 0 // stream sets the timeout, and returns a clear error for it
	config.WarningHandlerWithContext = c
	config.ContentConfig = rest.ContentConfig{
		GroupVersion:         &schema.GroupVersion{Version: "v1"},
		NegotiatedSerializer: statusCodecs(),
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		if o.Wrap != nil {
			next = o.Wrap(next)
		}
		return &readOnly{next: next, requests: &c.requests}
	})
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", c.Name, err)
	}
	guarded := *transport
	guarded.CheckRedirect = sameServer
	c.client, err = rest.UnversionedRESTClientForConfigAndClient(config, &guarded)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", c.Name, err)
	}
	var version struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := c.get(ctx, request{path: "/version"}, &version); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("connecting to %s: %w", c.Name, err)
	}
	if version.GitVersion == "" {
		return nil, fmt.Errorf("connecting to %s: %w", c.Name, errNoServer)
	}
	c.GitVersion = version.GitVersion
	if r, err := lifecycle.ParseRange(version.GitVersion); err == nil {
		c.Version = r.To
	} else {
		c.Version = newestIfNewer(version.GitVersion)
	}
	return c, nil
}

// newestIfNewer returns the newest known minor if version is a later one, and
// zero otherwise.
func newestIfNewer(version string) lifecycle.Minor {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "v%d.%d", &major, &minor); n == 2 && major == 1 && minor > int(lifecycle.Newest) {
		return lifecycle.Newest
	}
	return 0
}

// statusCodecs decodes the status that a server returns for an error.
func statusCodecs() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme).WithoutConversion()
}

// HandleWarningHeaderWithContext counts the server's warnings. The requests of
// a scan should cause none.
func (c *Connection) HandleWarningHeaderWithContext(_ context.Context, code int, _ string, text string) {
	if code != 299 || text == "" {
		return
	}
	c.warned.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.warning == "" {
		c.warning = text
	}
}

func (c *Connection) warningNote() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.warning
}

// readOnly is a transport that refuses requests other than GET, and limits the
// size of responses.
type readOnly struct {
	next     http.RoundTripper
	requests *atomic.Int64
}

var errWrites = errors.New("a scan does not write")

func (r *readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet || req.Body != nil && req.Body != http.NoBody {
		return nil, errWrites
	}
	if r.requests.Add(1) > maxRequests {
		return nil, errRequests
	}
	answer, err := r.next.RoundTrip(req)
	if err != nil {
		return answer, err
	}
	if answer.Body != nil {
		answer.Body = &limitedBody{answer.Body, maxAnswer}
	}
	if needsTLS(answer) {
		answer.Body.Close()
		return nil, errNeedsTLS
	}
	limitWait(answer)
	return answer, nil
}

// maxRequests is the largest number of requests of a scan. A cluster with fifty
// million objects in a thousand resources needs half of it.
const maxRequests = 200_000

var errRequests = fmt.Errorf("the scan needs more than %d requests", maxRequests)

// limitWait removes the header Retry-After if its time is not before the
// request's deadline. With this header, client-go would wait until the
// deadline. Without it, client-go returns the server's error at once.
func limitWait(answer *http.Response) {
	deadline, ok := answer.Request.Context().Deadline()
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if ok && err == nil && float64(seconds) >= time.Until(deadline).Seconds() {
		answer.Header.Del("Retry-After")
	}
}

// WrappedRoundTripper returns the wrapped transport, whose connections
// client-go closes.
func (r *readOnly) WrappedRoundTripper() http.RoundTripper { return r.next }

// limitedBody is a body that returns an error after a number of bytes.
type limitedBody struct {
	io.ReadCloser
	remaining int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.remaining <= 0 {
		return 0, fmt.Errorf("the answer has more than %d bytes", int64(maxAnswer))
	}
	if int64(len(p)) > b.remaining {
		p = p[:b.remaining]
	}
	n, err := b.ReadCloser.Read(p)
	b.remaining -= int64(n)
	return n, err
}

type request struct {
	path   string
	accept string // empty for JSON
	query  map[string]string
}

// stream sends a request and returns the body of the response. The timeout
// includes the retries and the reading of the body.
func (c *Connection) stream(ctx context.Context, r request) (io.ReadCloser, error) {
	req := c.client.Get().AbsPath(r.path)
	for name, value := range r.query {
		req = req.Param(name, value)
	}
	if r.accept == "" {
		r.accept = "application/json"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("no complete answer within %s", c.timeout))
	body, err := req.SetHeader("Accept", r.accept).Stream(ctx)
	if err != nil {
		defer cancel()
		return nil, explain(ctx, err)
	}
	return &answer{body, ctx, cancel}, nil
}

// answer is the body of a response. Closing it ends its context.
type answer struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = explain(a.ctx, err)
	}
	return n, err
}

func (a *answer) Close() error {
	defer a.cancel()
	return a.ReadCloser.Close()
}

// get sends a request and decodes the JSON in the response.
func (c *Connection) get(ctx context.Context, r request, into any) error {
	body, err := c.stream(ctx, r)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := json.NewDecoder(body).Decode(into); err != nil {
		return fmt.Errorf("the answer is not what was asked for: %w", err)
	}
	return nil
}

// isForbidden reports whether an error means that the user lacks a permission.
func isForbidden(err error) bool { return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) }

// expiredListDelay is the delay before a list continues after it expired.
const expiredListDelay = 100 * time.Millisecond
