package tally

import (
	"bytes"
	"net/url"
)

// Query has the parameters of a request that the rules need, without escapes. A
// parameter that is absent is nil.
type Query struct {
	Manager, Force, DryRun, Validation []byte
	// Invalid is set if a parameter cannot be decoded.
	Invalid bool
}

// ParseQuery reads the parameters of a request URI. If a parameter is repeated,
// its first value is used, as on the server (k8s.io/apimachinery,
// pkg/runtime/conversion.go).
func ParseQuery(uri []byte) (q Query) {
	at := bytes.IndexByte(uri, '?')
	if at < 0 {
		return q
	}
	rest := uri[at+1:]
	for len(rest) > 0 {
		var pair []byte
		if pair, rest, _ = bytes.Cut(rest, []byte{'&'}); len(pair) == 0 {
			continue
		}
		key, value, _ := bytes.Cut(pair, []byte{'='})
		var into *[]byte
		switch string(key) {
		case "fieldManager":
			into = &q.Manager
		case "force":
			into = &q.Force
		case "dryRun":
			into = &q.DryRun
		case "fieldValidation":
			into = &q.Validation
		default:
			continue
		}
		if *into != nil {
			continue
		}
		if bytes.IndexByte(value, '%') >= 0 || bytes.IndexByte(value, '+') >= 0 {
			text, err := url.QueryUnescape(string(value))
			if err != nil {
				q.Invalid = true
				continue
			}
			value = []byte(text)
		}
		if value == nil {
			value = []byte{}
		}
		*into = value
	}
	return q
}
