package kindwarning

import (
	"cmp"
	"crypto/tls"
	"encoding/base64"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Maximum sizes in bytes of certificate chains and keys. The work for a key grows
// with the cube of its length. maxKey allows keys of 16384 bits, which have 11
// KB. crypto/tls allows only 8192 bits.
const (
	maxCertificates = 1 << 20
	maxKey          = 1 << 14
)

// secret warns if crypto/tls refuses the certificate and key of a TLS Secret. The
// text comes from the Go release that built kubevet, so it may differ from the
// server's. Source: warningsForSecret in pkg/registry/core/secret/strategy.go
// (1.27–1.37).
func (w *writer) secret(obj *wire.Value) {
	if w.Minor < 27 || obj.Get("type").StringOr("") != "kubernetes.io/tls" {
		return
	}
	certificates, fromCertificates, ok := secretData(obj, "tls.crt")
	key, fromKey, valid := secretData(obj, "tls.key")
	if !ok || !valid || len(certificates) > maxCertificates || len(key) > maxKey {
		return
	}
	text := pairError(certificates, key)
	if text == "" {
		return
	}
	name, at := "tls.key", fromKey
	if strings.HasPrefix(text, "x509: ") || strings.Contains(text, "certificate input") || strings.Contains(text, "public key algorithm") {
		name, at = "tls.crt", fromCertificates
	}
	w.warn(apiserver.Advice, "data["+name+"]", text, cmp.Or(at, obj.Get("data"), obj))
}

// secretData returns a value of a Secret, where stringData takes precedence over
// data. ok is false if the value does not decode. Source:
// Convert_v1_Secret_To_core_Secret in pkg/apis/core/v1/conversion.go.
func secretData(obj *wire.Value, name string) (data []byte, at *wire.Value, ok bool) {
	if f := obj.Get("stringData").Field(name); f != nil {
		return []byte(f.Value.StringOr("")), f.Value, true
	}
	v := obj.Get("data").Get(name)
	data, err := base64.StdEncoding.DecodeString(v.StringOr(""))
	return data, v, err == nil
}

// pairError returns the error of crypto/tls about a certificate and a key, or "" if
// they match.
func pairError(certificates, key []byte) (text string) {
	defer func() {
		// The parsers panic for no known input. A server would survive a panic.
		if recover() != nil {
			text = ""
		}
	}()
	if _, err := tls.X509KeyPair(certificates, key); err != nil {
		return err.Error()
	}
	return ""
}
