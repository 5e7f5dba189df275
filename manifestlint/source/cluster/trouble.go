package cluster

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// errNoServer is the error for a server that lacks parts of every API server.
var errNoServer = errors.New("it is not a Kubernetes API server, or something in front of it answers instead")

// errNoObjects is the error for a server that lists no objects. A real cluster
// always has namespaces.
var errNoObjects = errors.New("the server lists no object at all: it is not a Kubernetes API server, or hides the objects from this user")

// errNeedsTLS is the error for a request without TLS to a server that accepts
// only TLS.
var errNeedsTLS = errors.New("the server speaks TLS only: begin the server in the kubeconfig with https://")

// needsTLS reports whether a response is the error with which Go's HTTP server
// refuses a request without TLS. client-go does not return the text of this
// error.
func needsTLS(answer *http.Response) bool {
	if answer.StatusCode != http.StatusBadRequest || answer.Request.URL.Scheme != "http" {
		return false
	}
	text := make([]byte, 64)
	n, _ := io.ReadFull(answer.Body, text)
	answer.Body = &unread{io.MultiReader(bytes.NewReader(text[:n]), answer.Body), answer.Body}
	return bytes.Contains(text[:n], []byte("HTTP request to an HTTPS server"))
}

// unread is a body whose first part was already read. Its Reader returns this
// part again.
type unread struct {
	io.Reader
	io.Closer
}

// sameServer refuses a redirect to another server, because client-go would send
// the credentials to it.
func sameServer(request *http.Request, sent []*http.Request) error {
	if from, to := origin(sent[0].URL), origin(request.URL); from != to {
		return fmt.Errorf("the server redirects to %s, which must not get its credentials: if the API server is there, name it in the kubeconfig", to)
	}
	if len(sent) >= 10 {
		return errors.New("the server redirects without end")
	}
	return nil
}

// origin returns the scheme, host and port of a URL.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// explain adds advice to the error of a request. If ctx has ended, it returns
// the error of ctx.
func explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if hint := advice(err); hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	return err
}

// advice returns how to fix a TLS error; "" for other errors.
func advice(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	text := err.Error()
	switch {
	case errors.As(err, &authority):
		return "set certificate-authority or certificate-authority-data of the cluster in the kubeconfig to the certificate that signed the server's"
	case errors.As(err, &host):
		return "use a name of the certificate as the server in the kubeconfig, or set tls-server-name of the cluster to one"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "renew the server's certificate, or correct the clock of this computer, which says " + time.Now().UTC().Format(time.RFC3339)
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS: correct the port or the scheme of the server in the kubeconfig"
	case errors.As(err, &alert), strings.Contains(text, "remote error: tls: "):
		return "the server refuses the connection: check client-certificate and client-key of the user in the kubeconfig"
	}
	return ""
}
