// Package certificate finds certificates in objects that have expired or soon will: an
// upgrade restarts what uses them.
package certificate

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Soon is how long before its end a certificate is reported.
const Soon = 30 * 24 * time.Hour

// Check is a seen.Check.
type Check struct {
	way   upgrade.Upgrade
	now   time.Time
	facts []upgrade.Fact
	// read counts certificates, broken those that do not parse.
	read, broken int
}

// New returns a check. Certificates are compared with the time now.
func New(way upgrade.Upgrade, now time.Time) *Check { return &Check{way: way, now: now} }

// Bounds of the text and the certificates of one field, and of all fields.
const (
	maxText  = 1 << 20
	maxCerts = 200
	maxFacts = 100_000
)

// See implements seen.Check.
func (c *Check) See(o *seen.Object) {
	if len(c.facts) >= maxFacts {
		return
	}
	group, _, _ := strings.Cut(o.Ref.APIVersion, "/")
	switch {
	case o.Ref.APIVersion == "v1" && o.Ref.Kind == "Secret" && o.Root.Get("type").StringOr("") == "kubernetes.io/tls":
		for _, name := range []string{"tls.crt", "ca.crt"} {
			c.encoded(o, "data["+name+"]", o.Root.At("data", name))
			c.pem(o, "stringData["+name+"]", o.Root.At("stringData", name), nil)
		}
	case group == "admissionregistration.k8s.io" && strings.HasSuffix(o.Ref.Kind, "WebhookConfiguration"):
		for i, w := range o.Root.Get("webhooks").Elements() {
			c.encoded(o, fmt.Sprintf("webhooks[%d].clientConfig.caBundle", i), w.At("clientConfig", "caBundle"))
		}
	case group == "apiregistration.k8s.io" && o.Ref.Kind == "APIService":
		c.encoded(o, "spec.caBundle", o.Root.At("spec", "caBundle"))
	case group == "apiextensions.k8s.io" && o.Ref.Kind == "CustomResourceDefinition":
		c.encoded(o, "spec.conversion.webhook.clientConfig.caBundle", o.Root.At("spec", "conversion", "webhook", "clientConfig", "caBundle"))
	}
}

// encoded reads a field with PEM in base64.
func (c *Check) encoded(o *seen.Object, path string, v *wire.Value) {
	text := v.StringOr("")
	if text == "" || len(text) > maxText {
		return
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		c.broken++
		return
	}
	c.pem(o, path, v, data)
}

// pem reads a field with PEM; data is its text if it was encoded.
func (c *Check) pem(o *seen.Object, path string, v *wire.Value, data []byte) {
	if data == nil {
		if v.StringOr("") == "" || len(v.Text) > maxText {
			return
		}
		data = []byte(v.Text)
	}
	if !bytes.Contains(data, []byte("-----BEGIN")) {
		return // a placeholder
	}
	// The certificate of a bundle that ends last counts: bundles often have an old root
	// beside a new one.
	var last *x509.Certificate
	for range maxCerts {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			c.broken++
			continue
		}
		c.read++
		// The first of a chain is the server's own.
		chain := strings.HasSuffix(path, "[tls.crt]")
		if last == nil || !chain && cert.NotAfter.After(last.NotAfter) {
			last = cert
		}
	}
	if last != nil && last.NotAfter.Before(c.now.Add(Soon)) {
		c.facts = append(c.facts, c.fact(o, path, v, last))
	}
}

// fact is about a certificate that ends.
func (c *Check) fact(o *seen.Object, path string, v *wire.Value, cert *x509.Certificate) upgrade.Fact {
	f := o.Fact("certificate", "certificate in "+o.Ref.Kind+" "+o.Name()+" "+path, v.Pos)
	f.Replacement = "Renew the certificate before the upgrade."
	f.Reference = "https://kubernetes.io/docs/tasks/tls/certificate-rotation/"
	end := cert.NotAfter.UTC().Format(time.DateOnly)
	if cert.NotAfter.Before(c.now) {
		f.Severity, f.Minors = rules.Error, lifecycle.Range{From: c.way.From, To: lifecycle.Newest}.Minors()
		f.Text = "it expired on " + end
		return f
	}
	// An upgrade restarts what uses it, the first hop too.
	f.Severity, f.Always, f.Planned = rules.Warning, true, (c.way.From + 1).String()
	f.Text = fmt.Sprintf("it expires on %s, within %d days of this report", end, int(Soon.Hours()/24))
	return f
}

// Facts implements seen.Check.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked says what was looked at; empty if there was nothing.
func (c *Check) Looked() string {
	if c.read == 0 {
		return ""
	}
	return report.Count(c.read, "certificate")
}

// Gaps returns notes about certificates that could not be read.
func (c *Check) Gaps() []string {
	if c.broken == 0 {
		return nil
	}
	return []string{report.Count(c.broken, "certificate") + " not judged, because they do not parse"}
}
