package helmchart

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

// fixedTime is the result of the template function now.
var fixedTime = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// fixedFunctions replaces functions of github.com/Masterminds/sprig/v3@v3.3.0.
// The originals have random results, or can use unlimited time or memory.
func fixedFunctions() template.FuncMap {
	return template.FuncMap{
		"now":     func() time.Time { return fixedTime },
		"uuidv4":  func() string { return "00000000-0000-4000-8000-000000000000" },
		"shuffle": func(s string) string { return s },
		"randInt": func(min, _ int) int { return min },
		"randBytes": func(count int) (string, error) {
			s, err := repeat(count, "a")
			return base64.StdEncoding.EncodeToString([]byte(s)), err
		},
		"randAlphaNum": fixedRandom("abcdefghijklmnopqrstuvwxyz0123456789"),
		"randAlpha":    fixedRandom("abcdefghijklmnopqrstuvwxyz"),
		"randAscii":    fixedRandom("abcdefghijklmnopqrstuvwxyz"),
		"randNumeric":  fixedRandom("1234567890"),

		"bcrypt":         func(string) string { return bcrypted },
		"htpasswd":       func(user, _ string) string { return user + ":" + bcrypted },
		"derivePassword": func(uint32, string, string, string, string) string { return "Abcd1234!Abcd1234!" },
		"encryptAES": func(string, string) (string, error) {
			return base64.StdEncoding.EncodeToString([]byte("kubevet does not encrypt")), nil
		},
		"genPrivateKey":            func(string) string { return sampleCertificate().Key },
		"genCA":                    func(string, int) certificate { return sampleCertificate() },
		"genCAWithKey":             func(string, int, string) certificate { return sampleCertificate() },
		"genSelfSignedCert":        func(string, []any, []any, int) certificate { return sampleCertificate() },
		"genSelfSignedCertWithKey": func(string, []any, []any, int, string) certificate { return sampleCertificate() },
		"genSignedCert":            func(string, []any, []any, int, certificate) certificate { return sampleCertificate() },
		"genSignedCertWithKey":     func(string, []any, []any, int, certificate, string) certificate { return sampleCertificate() },
		"buildCustomCert":          customCertificate,

		"repeat":    repeat,
		"indent":    indent,
		"nindent":   func(spaces int, s string) (string, error) { s, err := indent(spaces, s); return "\n" + s, err },
		"until":     func(count int) ([]int, error) { return untilStep(0, count, sign(count)) },
		"untilStep": untilStep,
		"seq":       seq,
	}
}

// bcrypted is the fixed result of the function bcrypt. It has the form of a
// bcrypt hash.
const bcrypted = "$2a$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234"

// fixedRandom returns a template function for random strings. Its result has
// count letters, and is always the same.
func fixedRandom(letters string) func(int) (string, error) {
	return func(count int) (string, error) {
		s, err := repeat(count/len(letters)+1, letters)
		if err != nil || count < 0 {
			return "", err
		}
		return s[:count], nil
	}
}

type certificate struct{ Cert, Key string }

// sampleCertificate is the result of all functions that generate certificates.
// It is valid.
var sampleCertificate = sync.OnceValue(func() certificate {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	draft := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubevet"}, DNSNames: []string{"kubevet"},
		NotBefore: fixedTime, NotAfter: fixedTime.AddDate(10, 0, 0), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(bytes.NewReader(make([]byte, 64)), draft, draft, key.Public(), key)
	if err != nil {
		return certificate{}
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return certificate{}
	}
	return certificate{
		Cert: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		Key:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})),
	}
})

func customCertificate(cert, key string) (certificate, error) {
	c, err := base64.StdEncoding.DecodeString(cert)
	if err != nil {
		return certificate{}, errors.New("unable to decode base64 certificate")
	}
	k, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return certificate{}, errors.New("unable to decode base64 private key")
	}
	return certificate{string(c), string(k)}, nil
}

func repeat(count int, s string) (string, error) {
	if count <= 0 {
		return "", nil
	}
	if len(s) > 0 && count > maxValue/len(s) {
		return "", tooLong("repeat")
	}
	return strings.Repeat(s, count), nil
}

func tooLong(function string) error {
	return fmt.Errorf("%w: %s makes a value of more than %d MiB", errBudget, function, maxValue>>20)
}

func indent(spaces int, s string) (string, error) {
	if spaces < 0 {
		return "", errors.New("strings: negative Repeat count")
	}
	if lines := strings.Count(s, "\n") + 1; spaces > maxValue/lines {
		return "", tooLong("indent")
	}
	pad := strings.Repeat(" ", spaces)
	return pad + strings.ReplaceAll(s, "\n", "\n"+pad), nil
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func untilStep(from, to, step int) ([]int, error) {
	if step == 0 || (to < from) != (step < 0) {
		return []int{}, nil
	}
	if (float64(to)-float64(from))/float64(step) > maxValue/16 {
		return nil, tooLong("until")
	}
	list := []int{}
	for i := from; i != to && (i < to) == (step > 0); i += step {
		list = append(list, i)
	}
	return list, nil
}

func seq(params ...int) (string, error) {
	from, to, step := 1, 0, 1
	switch len(params) {
	case 1:
		to = params[0]
		step = sign(to - from)
	case 2:
		from, to = params[0], params[1]
		step = sign(to - from)
	case 3:
		from, step, to = params[0], params[1], params[2]
		if (step > 0 && to < from) || (step < 0 && to > from) {
			return "", nil
		}
	default:
		return "", nil
	}
	list, err := untilStep(from, to+sign(step), step)
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " "), err
}

// recordingFunctions returns replacements for Helm's functions that convert
// values to YAML, JSON or TOML (helm.sh/helm/v4@v4.3.1 pkg/engine/funcs.go).
// The replacements also record the value, and refuse values that are too large.
func (r *recorder) recordingFunctions() template.FuncMap {
	plain := func(v any) (string, error) {
		data, err := sigsyaml.Marshal(v)
		return strings.TrimSuffix(string(data), "\n"), err
	}
	pretty := func(v any) (string, error) {
		var data bytes.Buffer
		encoder := yaml.NewEncoder(&data)
		encoder.SetIndent(2)
		err := encoder.Encode(v)
		return strings.TrimSuffix(data.String(), "\n"), err
	}
	inJSON := func(v any) (string, error) {
		data, err := json.Marshal(v)
		return string(data), err
	}
	record := func(write func(any) (string, error), mustRecord bool) func(any) (string, error) {
		return func(v any) (string, error) {
			nodes := maxValue / 16
			if _, err := r.step(); err != nil {
				return "", err
			}
			if !countNodes(v, &nodes) {
				return "", tooLong("toYaml")
			}
			text, err := write(v)
			if err != nil {
				if mustRecord {
					return "", err
				}
				return "", nil
			}
			r.yaml(text, v)
			return text, nil
		}
	}
	return template.FuncMap{
		"toYaml": record(plain, false), "mustToYaml": record(plain, true), "toYamlPretty": record(pretty, false),
		"toJson": record(inJSON, false), "mustToJson": record(inJSON, true),
	}
}

// countNodes subtracts the number of nodes in v from left. It returns false if
// left becomes negative.
func countNodes(v any, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if !countNodes(e, left) {
				return false
			}
		}
	case []any:
		for _, e := range v {
			if !countNodes(e, left) {
				return false
			}
		}
	}
	return true
}
