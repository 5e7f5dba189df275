// Package server runs kube-apiservers on the loopback interface. Each has its
// own etcd.
package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/client"
)

// Options configure a kube-apiserver.
type Options struct {
	// Name is the name of the server in recorded answers.
	Name string
	// Version is the release, such as 1.17.17, if it is before 1.20 and needs other
	// arguments. It is empty for later releases.
	Version string
	// Gates is the value of --feature-gates. Empty means the defaults.
	Gates string
	// Dir is the directory for the server's files. The caller removes it.
	Dir string
	// Run runs a kube-apiserver with command-line arguments until the context ends, as a
	// process or as the server's code.
	Run func(ctx context.Context, args []string) error
}

// startTimeout is the time in which a server must become ready.
const startTimeout = 3 * time.Minute

// stopTimeout is the time after which etcd is stopped, even if the server still runs.
const stopTimeout = 30 * time.Second

// Start starts a server. stop stops the server and waits until it has ended.
func Start(ctx context.Context, o Options) (s *client.Server, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	etcd, closeEtcd, err := startEtcd(filepath.Join(o.Dir, "etcd"))
	if err != nil {
		cancel()
		return nil, nil, fmt.Errorf("starting etcd: %w", err)
	}
	files, err := writeFiles(o.Dir)
	if err != nil {
		cancel()
		closeEtcd()
		return nil, nil, err
	}
	port, err := freePort()
	if err != nil {
		cancel()
		closeEtcd()
		return nil, nil, err
	}
	hook, err := startWebhook(files)
	if err != nil {
		cancel()
		closeEtcd()
		return nil, nil, fmt.Errorf("starting the webhook: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx, arguments(o, files, etcd, port)) }()
	stop = func() {
		s.HTTP.CloseIdleConnections()
		cancel()
		select {
		case <-ended:
		case <-time.After(stopTimeout):
		}
		hook.Close()
		closeEtcd()
	}

	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(files.certPEM)
	s = &client.Server{
		Name:    o.Name,
		URL:     "https://127.0.0.1:" + strconv.Itoa(port),
		HTTP:    &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}, Timeout: time.Minute},
		Tokens:  tokens,
		Replace: hook.replacer(files),
	}
	if err := ready(ctx, s, ended); err != nil {
		// Put the error back, because stop reads it again.
		if !errors.Is(err, errNotReady) {
			ended <- err
		}
		stop()
		return nil, nil, err
	}
	return s, stop, nil
}

// arguments returns the arguments for all releases. They enable all APIs, because cases
// need them.
func arguments(o Options, files files, etcd string, port int) []string {
	args := []string{
		"--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--secure-port=" + strconv.Itoa(port),
		"--tls-cert-file=" + files.cert,
		"--tls-private-key-file=" + files.key,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=" + files.accounts,
		"--service-account-key-file=" + files.accounts,
		"--token-auth-file=" + files.tokens,
		"--authorization-mode=RBAC",
		"--anonymous-auth=false",
		"--allow-privileged=true",
		"--service-cluster-ip-range=10.0.0.0/16",
		"--runtime-config=" + runtimeConfig(o.Version),
	}
	if isBefore120(o.Version) {
		args = append(args, "--insecure-port=0")
	}
	if o.Gates != "" {
		args = append(args, "--feature-gates="+o.Gates)
	}
	return args
}

// isBefore120 reports whether a release is before 1.20. By default, such a release also
// listens without TLS.
func isBefore120(version string) bool {
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "1."), ".")
	n, err := strconv.Atoi(minor)
	return err == nil && n < 20
}

// runtimeConfig returns the value of --runtime-config that enables all APIs. Releases
// before 1.20 also need the names of some kinds of extensions/v1beta1.
func runtimeConfig(version string) string {
	all := "api/all=true"
	if isBefore120(version) {
		for _, resource := range []string{"daemonsets", "deployments", "networkpolicies", "podsecuritypolicies", "replicasets"} {
			all += ",extensions/v1beta1/" + resource + "=true"
		}
	}
	return all
}

var errNotReady = errors.New("not ready in time")

// ready waits until a server responds and has created its own objects. It then creates
// the service account that pods need.
func ready(ctx context.Context, s *client.Server, ended <-chan error) error {
	deadline := time.Now().Add(startTimeout)
	for {
		select {
		case err := <-ended:
			return fmt.Errorf("the kube-apiserver ended: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
		if s.Ready(ctx) {
			return nil
		}
		if time.Now().After(deadline) {
			return errNotReady
		}
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// tokens has the tokens of the users of cases. The server does not know the token of
// nobody.
var tokens = map[string]string{"admin": "tok-admin", "viewer": "tok-viewer", "node": "tok-node", "nobody": "tok-nobody"}

// files has the names of files that a server reads at its start.
type files struct {
	cert, key, accounts, tokens string
	certPEM                     []byte
	pair                        tls.Certificate
}

func writeFiles(dir string) (files, error) {
	f := files{
		cert: filepath.Join(dir, "server.crt"), key: filepath.Join(dir, "server.key"),
		accounts: filepath.Join(dir, "accounts.key"), tokens: filepath.Join(dir, "tokens.csv"),
	}
	certPEM, keyPEM, err := selfSigned()
	if err != nil {
		return f, err
	}
	if f.pair, err = tls.X509KeyPair(certPEM, keyPEM); err != nil {
		return f, err
	}
	f.certPEM = certPEM
	_, accounts, err := selfSigned()
	if err != nil {
		return f, err
	}
	users := []string{
		tokens["admin"] + `,admin,1,"system:masters"`,
		tokens["viewer"] + `,viewer,2,""`,
		tokens["node"] + `,system:node:n,3,"system:nodes"`,
	}
	for name, data := range map[string][]byte{
		f.cert: certPEM, f.key: keyPEM, f.accounts: accounts, f.tokens: []byte(strings.Join(users, "\n") + "\n"),
	} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return f, err
		}
	}
	return f, nil
}
