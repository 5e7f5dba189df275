package kindwarning

import (
	"cmp"
	"crypto/tls"
	"encoding/base64"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// The longest certificate chains and keys that are read. A key of 16384 bits,
// twice what TLS takes, has 11 KB; the work on one grows with the cube of its
// length.
const (
	maxCertificates = 1 << 20
	maxKey          = 1 << 14
)

// secret re-states warningsForSecret, pkg/registry/core/secret/strategy.go
// (1.27–1.37): crypto/tls has something to say about a TLS Secret's pair. Its
// words are those of the Go that the server is built with, which now and then
// differ from those of the Go that this is built with.
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
	w.say(apiserver.Advice, "data["+name+"]", text, cmp.Or(at, obj.Get("data"), obj))
}

// secretData gives a Secret's value as Convert_v1_Secret_To_core_Secret,
// pkg/apis/core/v1/conversion.go, leaves it: stringData comes before data. ok
// is false where it does not decode.
func secretData(obj *wire.Value, name string) (data []byte, at *wire.Value, ok bool) {
	if f := obj.Get("stringData").Field(name); f != nil {
		return []byte(f.Value.StringOr("")), f.Value, true
	}
	v := obj.Get("data").Get(name)
	data, err := base64.StdEncoding.DecodeString(v.StringOr(""))
	return data, v, err == nil
}

// pairError gives the words of crypto/tls about a certificate and a key, ""
// where they match.
func pairError(certificates, key []byte) (text string) {
	defer func() {
		// The parsers are not known to panic, and a server would survive it.
		if recover() != nil {
			text = ""
		}
	}()
	if _, err := tls.X509KeyPair(certificates, key); err != nil {
		return err.Error()
	}
	return ""
}
