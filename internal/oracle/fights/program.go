package main

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
)

// address returns the address at which a program reaches the server as the
// actor a. It is the address of a proxy that sets the credentials and the
// User-Agent header of a. If keepsHeaders is set, the proxy keeps the program's
// User-Agent header, and also its credentials if it has any.
func (a *actor) address() string {
	if a.proxy != "" {
		return a.proxy
	}
	target, err := url.Parse(a.play.stage.url)
	if err != nil {
		a.play.fail("%v", err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     a,
		FlushInterval: -1,
	}
	address, err := listen(http.HandlerFunc(proxy.ServeHTTP))
	if err != nil {
		a.play.fail("%v", err)
	}
	a.proxy = address
	return address
}

// config returns the configuration for client libraries in this program.
func (a *actor) config() *rest.Config {
	return &rest.Config{Host: a.play.stage.url, UserAgent: a.agent, QPS: -1,
		WrapTransport: func(http.RoundTripper) http.RoundTripper { return a }}
}

// kubectl runs the real kubectl with this standard input.
func (a *actor) kubectl(stdin string, args ...string) string {
	out, err := a.tryKubectl(stdin, args...)
	if err != nil {
		a.play.fail("%v", err)
	}
	return out
}

// tryKubectl runs the real kubectl, which may fail.
func (a *actor) tryKubectl(stdin string, args ...string) (string, error) {
	cache := filepath.Join(a.play.stage.dir, "kubectl", strings.NewReplacer(":", "_", "/", "_").Replace(a.address()))
	return a.play.stage.command(a.play.ctx, stdin, "kubectl", append([]string{"--server=" + a.address(), "--cache-dir=" + cache, "--namespace=" + a.play.ns}, args...)...)
}

// kubectlAgent is the User-Agent header of the kubectl on this machine.
const kubectlAgent = "kubectl/v1.32.4 (linux/amd64) kubernetes/59526cd"

// helm runs a real helm, of major version 3 or 4.
func (a *actor) helm(major string, args ...string) string {
	out, err := a.play.stage.command(a.play.ctx, "", filepath.Join(a.play.stage.helm, major, "helm"),
		append([]string{"--kube-apiserver=" + a.address(), "--namespace=" + a.play.ns}, args...)...)
	if err != nil {
		a.play.fail("%v", err)
	}
	return out
}

// chart writes a chart with these templates, and returns its directory.
func (p *play) chart(name string, templates map[string]string) string {
	dir := filepath.Join(p.stage.dir, "charts", p.id, name)
	if err := os.MkdirAll(filepath.Join(dir, "templates"), 0o755); err != nil {
		p.fail("%v", err)
	}
	templates["../Chart.yaml"] = "apiVersion: v2\nname: " + name + "\nversion: 1.4.2\n"
	for file, text := range templates {
		if err := os.WriteFile(filepath.Join(dir, "templates", file), []byte(text), 0o644); err != nil {
			p.fail("%v", err)
		}
	}
	return dir
}
