package auditserve

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

var testConfig = auditlive.Config{}

// authority is a certificate authority.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.cert = &x509.Certificate{Subject: pkix.Name{CommonName: "ca"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.issue(t, a.cert, "ca")
	return a
}

// issue creates a certificate and writes the files NAME.crt and NAME.key. It returns
// their paths.
func (a *authority) issue(t *testing.T, c *x509.Certificate, name string) (cert, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if a.key == nil {
		a.key = key
	}
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert, keyFile = filepath.Join(a.dir, name+".crt"), filepath.Join(a.dir, name+".key")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: text}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, keyFile
}

func (a *authority) server(t *testing.T) Certificates {
	t.Helper()
	cert, key := a.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "kubevet"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, "server")
	return Certificates{cert, key, filepath.Join(a.dir, "ca.crt")}
}

// client returns an HTTP client with the certificate for a name. If name is "", the
// client has no certificate.
func (a *authority) client(t *testing.T, name string) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	text, err := os.ReadFile(filepath.Join(a.dir, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	roots.AppendCertsFromPEM(text)
	config := &tls.Config{RootCAs: roots}
	if name != "" {
		cert, key := a.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, name)
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: 10 * time.Second}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// running starts a server. It returns the addresses of the server and a function that
// stops it.
func running(t *testing.T, o Options) (addresses []string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan string, 10)
	o.Complain = func(format string, args ...any) { said <- fmt.Sprintf(format, args...) }
	if o.Announce == nil {
		o.Announce = func([]auditreport.News) error { return nil }
	}
	if o.MaxBody == 0 {
		o.MaxBody, o.MaxQueue = 1<<20, 1<<20
	}
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o) }()
	want := 1
	if o.Metrics != "" {
		want = 2
	}
	for len(addresses) < want {
		select {
		case line := <-said:
			addresses = append(addresses, regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(line))
		case err := <-ended:
			t.Fatalf("it ends with %v", err)
		}
	}
	return addresses, func() error {
		cancel()
		return <-ended
	}
}

func send(t *testing.T, c *http.Client, url string, body []byte) int {
	t.Helper()
	answer, err := c.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

func TestTLS(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	path := filepath.Join(t.TempDir(), "a.kvs")
	at, stop := running(t, Options{Listen: "127.0.0.1:0", Metrics: "127.0.0.1:0", Certificates: ca.server(t), Names: []string{"kube-apiserver"}, State: path})
	url := "https://" + at[0] + Path
	for _, tt := range []struct {
		name string
		c    *http.Client
		url  string
		want int // 0 means that there is no answer
	}{
		{"the API server", ca.client(t, "kube-apiserver"), url, 200},
		{"another client", ca.client(t, "kubelet"), url, 403},
		{"no certificate", ca.client(t, ""), url, 0},
		{"without TLS", http.DefaultClient, "http://" + at[0] + Path, 400},
		{"at the other address", http.DefaultClient, "http://" + at[1] + Path, 404},
	} {
		if got := send(t, tt.c, tt.url, batch(1, 3)); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	// This certificate is from an authority that the server does not know.
	c := ca.client(t, "")
	foreign, key := stranger.issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: "kube-apiserver"}}, "foreign")
	pair, err := tls.LoadX509KeyPair(foreign, key)
	if err != nil {
		t.Fatal(err)
	}
	c.Transport.(*http.Transport).TLSClientConfig.Certificates = []tls.Certificate{pair}
	if got := send(t, c, url, batch(1, 3)); got != 0 {
		t.Errorf("a certificate of another authority: %d", got)
	}
	answer, err := http.Get("http://" + at[1] + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), "kubevet_audit_serve_events_total 3\n") {
		t.Errorf("%s %v", text, err)
	}
	if err := stop(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// TestCertificates replaces the certificates of a running server.
func TestCertificates(t *testing.T) {
	ca := newAuthority(t)
	files := ca.server(t)
	var complaints []string
	c, err := newCertificates(files, func(f string, args ...any) { complaints = append(complaints, fmt.Sprintf(f, args...)) })
	if err != nil {
		t.Fatal(err)
	}
	config := c.server()
	current := func() string {
		t.Helper()
		got, err := config.GetConfigForClient(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(got.Certificates[0].Certificate[0])
	}
	first := current()
	ca.server(t)
	if current() != first {
		t.Error("the files are read for each connection")
	}
	c.read = time.Now().Add(-recheck)
	second := current()
	if second == first {
		t.Error("a new certificate is not used")
	}
	if err := os.WriteFile(files.Cert, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.read = time.Now().Add(-recheck)
	if current() != second || len(complaints) != 1 {
		t.Errorf("complaints %q", complaints)
	}
}

func TestUsage(t *testing.T) {
	files := newAuthority(t).server(t)
	noClients := files
	noClients.ClientCA = ""
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Listen: ":0"}, "anybody could post events"},
		{Options{Listen: "0.0.0.0:0"}, "anybody could post events"},
		{Options{Listen: "kubevet.example:0"}, "anybody could post events"},
		{Options{Listen: "0.0.0.0:0", Certificates: noClients}, "anybody could post events"},
		{Options{Listen: "127.0.0.1:0", Certificates: Certificates{Cert: "x"}}, "belong together"},
		{Options{Listen: "127.0.0.1:0", Certificates: Certificates{ClientCA: "x"}}, "--client-ca needs"},
		{Options{Listen: "127.0.0.1:0", Names: []string{"x"}}, "--client-name needs"},
		{Options{Listen: "127.0.0.1:0", Certificates: Certificates{files.Cert, files.Key, files.Key}}, "no certificate in PEM"},
		{Options{Listen: "127.0.0.1:0", Certificates: Certificates{"missing", "missing", ""}}, "--tls-cert and --tls-key: "},
		{Options{Listen: "127.0.0.1:x"}, "--listen: "},
		{Options{Listen: "127.0.0.1:0", MaxBody: 2, MaxQueue: 1}, "--max-body"},
	} {
		if tt.o.MaxBody == 0 {
			tt.o.MaxBody, tt.o.MaxQueue = 1, 1
		}
		tt.o.Complain = func(string, ...any) {}
		tt.o.Announce = func([]auditreport.News) error { return nil }
		err := Run(t.Context(), tt.o)
		var usage ErrUsage
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.o, err, tt.want)
		}
	}
	if !loopback("localhost:1") || !loopback("[::1]:1") || loopback("[::]:1") || loopback("10.0.0.1:1") {
		t.Error("loopback addresses are not recognised")
	}
}
