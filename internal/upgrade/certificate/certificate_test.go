package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func TestFacts(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	until := func(days int) string {
		c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(0, 0, days)}
		der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	b64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	secret := func(data string) string {
		return "{apiVersion: v1, kind: Secret, type: kubernetes.io/tls, metadata: {name: a}, data: {tls.crt: " + data + "}}"
	}
	for _, c := range []struct {
		name, text, gaps string
		want             []string
	}{
		{name: "expired", text: secret(b64(until(-1))), want: []string{"error certificate in Secret a data[tls.crt]: it expired on 2025-12-31"}},
		{name: "soon", text: secret(b64(until(20))), want: []string{"warning certificate in Secret a data[tls.crt]: it expires on 2026-01-21, within 30 days of this report"}},
		{name: "later", text: secret(b64(until(40)))},
		{name: "the first of a chain", text: secret(b64(until(-1) + until(400))), want: []string{"error certificate in Secret a data[tls.crt]: it expired on 2025-12-31"}},
		{name: "a bundle with an old root", text: "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: a}, spec: {caBundle: " + b64(until(-1)+until(400)) + "}}"},
		{name: "a webhook", text: "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: a}, webhooks: [{}, {clientConfig: {caBundle: " + b64(until(-1)) + "}}]}",
			want: []string{"error certificate in MutatingWebhookConfiguration a webhooks[1].clientConfig.caBundle: it expired on 2025-12-31"}},
		{name: "a conversion", text: "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: {webhook: {clientConfig: {caBundle: " + b64(until(-1)) + "}}}}}",
			want: []string{"error certificate in CustomResourceDefinition a spec.conversion.webhook.clientConfig.caBundle: it expired on 2025-12-31"}},
		{name: "a placeholder", text: secret("Cg==")},
		{name: "no base64", text: secret("'{{ca}}'"), gaps: "1 certificate not checked, because they do not parse"},
		{name: "no certificate", text: secret(b64("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")), gaps: "1 certificate not checked, because they do not parse"},
		{name: "another secret", text: strings.Replace(secret(b64(until(-1))), "kubernetes.io/tls", "Opaque", 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := New(upgrade.Upgrade{From: 29, To: 31}, now)
			for _, root := range manifestlint.Trees(c.text) {
				check.See(&seen.Object{
					Ref:  rules.ObjectRef{APIVersion: root.Get("apiVersion").Text, Kind: root.Get("kind").Text, Name: "a"},
					Root: root, Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{Line: at.Line} },
				})
			}
			var got []string
			for _, f := range check.Facts() {
				got = append(got, f.Severity.String()+" "+f.Subject+": "+f.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
			if gaps := strings.Join(check.Gaps(), ""); gaps != c.gaps {
				t.Errorf("gaps: %q", gaps)
			}
		})
	}
}
