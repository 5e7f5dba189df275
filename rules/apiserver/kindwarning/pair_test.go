package kindwarning

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"time"
)

// pair is a certificate and its key in PEM.
type pair struct{ crt, key string }

var pairs = [...]pair{newPair(1), newPair(2)}

// newPair returns a pair. The same seed gives the same pair.
func newPair(seed byte) pair {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(seed)), DNSNames: []string{"example.com"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<32, 0),
	}
	crt, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return pair{
		crt: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: crt})),
		key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	}
}
