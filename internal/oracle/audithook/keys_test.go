package audithook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// keys has the files with the certificates and keys of an authority, a server and a
// client.
type keys struct {
	ca, serverCert, serverKey, clientCert, clientKey string
}

// writeCertificates writes certificates that are valid for a day.
func writeCertificates(dir string) (k keys, err error) {
	file := func(name string) string { return filepath.Join(dir, name) }
	k = keys{file("ca.crt"), file("serve.crt"), file("serve.key"), file("client.crt"), file("client.key")}
	ca := &x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	key, err := issue(ca, ca, nil, k.ca, "")
	if err != nil {
		return k, err
	}
	server := &x509.Certificate{Subject: pkix.Name{CommonName: "kubevet"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if _, err := issue(server, ca, key, k.serverCert, k.serverKey); err != nil {
		return k, err
	}
	client := &x509.Certificate{Subject: pkix.Name{CommonName: "kube-apiserver"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	_, err = issue(client, ca, key, k.clientCert, k.clientKey)
	return k, err
}

// issue signs a certificate, and writes it and its key. If signer is nil, the
// certificate's own key signs it.
func issue(c, parent *x509.Certificate, signer *ecdsa.PrivateKey, certFile, keyFile string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if signer == nil {
		signer = key
	}
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil || keyFile == "" {
		return key, err
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: text}), 0o600)
}
