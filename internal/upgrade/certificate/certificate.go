// Package certificate finds certificates in objects that have expired or will expire
// soon. An upgrade restarts the programs that use them.
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

// Soon is the remaining time below which a certificate is reported.
const Soon = 30 * 24 * time.Hour

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	now      time.Time
	facts    []upgrade.Fact
	// read is the number of certificates. broken is the number of certificates that could
	// not be parsed.
	read, broken int
}

// New returns a check. now is the current time.
func New(way upgrade.Upgrade, now time.Time) *Check { return &Check{versions: way, now: now} }

// These are the maximal size of a field in bytes, the maximal number of certificates in a
// field, and the maximal number of facts.
const (
	maxText  = 1 << 20
	maxCerts = 200
	maxFacts = 100_000
)

// See checks the certificates in an object.
func (c *Check) See(o *seen.Object) {
	if len(c.facts) >= maxFacts {
		return
	}
	group, _, _ := strings.Cut(o.Ref.APIVersion, "/")
	switch {
	case o.Ref.APIVersion == "v1" && o.Ref.Kind == "Secret" && o.Root.Get("type").StringOr("") == "kubernetes.io/tls":
		for _, name := range []string{"tls.crt", "ca.crt"} {
			c.checkBase64(o, "data["+name+"]", o.Root.At("data", name))
			c.checkPEM(o, "stringData["+name+"]", o.Root.At("stringData", name), nil)
		}
	case group == "admissionregistration.k8s.io" && strings.HasSuffix(o.Ref.Kind, "WebhookConfiguration"):
		for i, w := range o.Root.Get("webhooks").Elements() {
			c.checkBase64(o, fmt.Sprintf("webhooks[%d].clientConfig.caBundle", i), w.At("clientConfig", "caBundle"))
		}
	case group == "apiregistration.k8s.io" && o.Ref.Kind == "APIService":
		c.checkBase64(o, "spec.caBundle", o.Root.At("spec", "caBundle"))
	case group == "apiextensions.k8s.io" && o.Ref.Kind == "CustomResourceDefinition":
		c.checkBase64(o, "spec.conversion.webhook.clientConfig.caBundle", o.Root.At("spec", "conversion", "webhook", "clientConfig", "caBundle"))
	}
}

// checkBase64 checks a field with PEM data in base64.
func (c *Check) checkBase64(o *seen.Object, path string, v *wire.Value) {
	text := v.StringOr("")
	if text == "" || len(text) > maxText {
		return
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		c.broken++
		return
	}
	c.checkPEM(o, path, v, data)
}

// checkPEM checks a field with PEM data. data is the decoded text, or nil if the field is
// not encoded.
func (c *Check) checkPEM(o *seen.Object, path string, v *wire.Value, data []byte) {
	if data == nil {
		if v.StringOr("") == "" || len(v.Text) > maxText {
			return
		}
		data = []byte(v.Text)
	}
	if !bytes.Contains(data, []byte("-----BEGIN")) {
		return // probably a placeholder
	}
	// A bundle often has an old root beside a new root. So only the certificate that
	// expires last is checked.
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
		// The first certificate in a chain belongs to the server, so it is checked.
		chain := strings.HasSuffix(path, "[tls.crt]")
		if last == nil || !chain && cert.NotAfter.After(last.NotAfter) {
			last = cert
		}
	}
	if last != nil && last.NotAfter.Before(c.now.Add(Soon)) {
		c.facts = append(c.facts, c.fact(o, path, v, last))
	}
}

// fact returns the fact about a certificate that has expired or will expire soon.
func (c *Check) fact(o *seen.Object, path string, v *wire.Value, cert *x509.Certificate) upgrade.Fact {
	f := o.Fact("certificate", "certificate in "+o.Ref.Kind+" "+o.Name()+" "+path, v.Pos)
	f.Replacement = "Renew the certificate before the upgrade."
	f.Reference = "https://kubernetes.io/docs/tasks/tls/certificate-rotation/"
	end := cert.NotAfter.UTC().Format(time.DateOnly)
	if cert.NotAfter.Before(c.now) {
		f.Severity, f.Minors = rules.Error, lifecycle.Range{From: c.versions.From, To: lifecycle.Newest}.Minors()
		f.Text = "it expired on " + end
		return f
	}
	// The first step of the upgrade may restart the program that uses the certificate.
	f.Severity, f.Always, f.Planned = rules.Warning, true, (c.versions.From + 1).String()
	f.Text = fmt.Sprintf("it expires on %s, within %d days of this report", end, int(Soon.Hours()/24))
	return f
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked returns a text about what was checked, or "".
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
	return []string{report.Count(c.broken, "certificate") + " not checked, because they do not parse"}
}
