// Package auditserve receives batches of audit events from API servers and serves a
// report about them.
package auditserve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// Options configure Run.
type Options struct {
	Analysis auditlive.Config
	// Listen is the address for all requests. Metrics is a second address, without TLS,
	// for all requests except batches. It may be empty.
	Listen, Metrics string
	// Certificates are used for Listen. If Cert is empty, Listen has no TLS.
	Certificates Certificates
	// Insecure allows an address in Listen that other machines can reach, even without
	// TLS and client certificates.
	Insecure bool
	// Names has the common names of the client certificates that may post batches. If it
	// is empty, all may post.
	Names []string
	// State is the name of the file that stores the counts. If it is empty, they are not
	// stored.
	State string
	// MaxBody is the maximal size of a batch in bytes. MaxQueue is the maximal total size
	// of all batches that are being received or wait to be counted.
	MaxBody, MaxQueue int64
	Look              auditreport.Look
	// Announce prints new findings. Complain prints errors and notes.
	Announce func([]auditreport.News) error
	Complain func(format string, args ...any)
}

const (
	// saveEvery is the time between two saved states.
	saveEvery = time.Minute
	// maxWaiting is the maximal number of batches that are being received or wait to be
	// counted.
	maxWaiting = 64
	// maxConnections is the maximal number of connections to one address.
	maxConnections = 256
	// stopTime is the time to answer open requests after the program is asked to stop.
	stopTime = 10 * time.Second
)

// ErrUsage is the error of Run for invalid options.
type ErrUsage struct{ error }

// Unwrap returns the underlying error.
func (e ErrUsage) Unwrap() error { return e.error }

// Run serves requests until ctx is done. Then it saves the state.
func Run(ctx context.Context, o Options) error {
	if err := o.check(); err != nil {
		return ErrUsage{err}
	}
	var config *tls.Config
	if o.Certificates.Cert != "" {
		c, err := newCertificates(o.Certificates, o.Complain)
		if err != nil {
			return ErrUsage{err}
		}
		config = c.server()
	}
	store, err := newStore(ctx, o.Analysis, o.State, o.MaxBody, time.Now)
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	defer store.close()
	r := &receiver{store: store, maxBody: o.MaxBody, maxQueue: o.MaxQueue, maxWaiting: maxWaiting, complain: o.Complain, names: map[string]bool{}}
	for _, name := range o.Names {
		r.names[name] = true
	}
	p := &pages{store: store, receiver: r, look: o.Look, announce: o.Announce}
	// The next start must know which journals were read here, and the gap in the log
	// before this start. So the state is saved now.
	if err := store.save(); err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	ended := make(chan error, 2)
	servers, err := o.start(p, config, ended)
	if err == nil {
		err = work(ctx, store, p, o, ended)
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	for _, s := range servers {
		err = errors.Join(err, s.Shutdown(stopping))
	}
	_, newsErr := p.news()
	return errors.Join(err, newsErr, store.save())
}

// check returns an error if the options are invalid.
func (o *Options) check() error {
	c := o.Certificates
	switch {
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("--tls-cert and --tls-key belong together")
	case c.ClientCA != "" && c.Cert == "":
		return errors.New("--client-ca needs --tls-cert and --tls-key")
	case len(o.Names) > 0 && c.ClientCA == "":
		return errors.New("--client-name needs --client-ca")
	case o.MaxBody <= 0 || o.MaxQueue < o.MaxBody:
		return errors.New("--max-body must be positive, and not more than --max-queue")
	}
	if c.ClientCA == "" && !o.Insecure && !loopback(o.Listen) {
		return fmt.Errorf("--listen %s: other machines reach this address, and anybody could post events: use --tls-cert, --tls-key and --client-ca, or --insecure", o.Listen)
	}
	return nil
}

// loopback reports whether an address can only be reached from this machine.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// start starts the servers. When a server ends, it sends its error to ended.
func (o *Options) start(p *pages, config *tls.Config, ended chan<- error) ([]*http.Server, error) {
	var servers []*http.Server
	for _, x := range []struct {
		flag, address string
		config        *tls.Config
		post          bool
		tells         string
	}{
		{"--listen", o.Listen, config, true, "receives batches at %s, path " + Path},
		{"--metrics-listen", o.Metrics, nil, false, "serves the report at %s"},
	} {
		if x.address == "" {
			continue
		}
		l, err := net.Listen("tcp", x.address)
		if err != nil {
			return servers, ErrUsage{fmt.Errorf("%s: %w", x.flag, err)}
		}
		s := &http.Server{
			Handler: p.handler(x.post, x.config == nil && loopback(x.address)), TLSConfig: x.config,
			ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
			MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0), Protocols: new(http.Protocols),
		}
		// Only HTTP/1 is enabled, because HTTP/2 has more ways to exhaust a server. API
		// servers use HTTP/1 if there is no HTTP/2.
		s.Protocols.SetHTTP1(true)
		servers = append(servers, s)
		o.Complain(x.tells, l.Addr())
		go func() {
			l := netutil.LimitListener(l, maxConnections)
			if x.config != nil {
				ended <- s.ServeTLS(l, "", "")
			} else {
				ended <- s.Serve(l)
			}
		}()
	}
	return servers, nil
}

// work announces findings and saves the state until ctx is done or a server ends.
func work(ctx context.Context, store *store, p *pages, o Options, ended <-chan error) error {
	tick := time.NewTicker(minPause)
	defer tick.Stop()
	saved := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-tick.C:
		}
		news, err := p.news()
		if err != nil {
			return err
		}
		// After new findings were printed, the state is saved at once. The state lists
		// them, so that they are not printed again after a crash.
		if news == 0 && time.Since(saved) < saveEvery && !store.full() {
			continue
		}
		saved = time.Now()
		if err := store.save(); err != nil {
			o.Complain("saving the state: %v", err)
		}
	}
}
