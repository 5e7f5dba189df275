package tally

import (
	"bytes"
	"net/url"
)

// query is what the rules ask of a request's parameters.
type query struct {
	manager, force, dryRun, validation []byte // nil: not given
	invalid                            bool   // a parameter that cannot be decoded
}

// parseQuery reads the parameters of a request URI. Of several with one name
// the first counts, as the server has it (k8s.io/apimachinery,
// pkg/runtime/conversion.go).
func parseQuery(uri []byte) (q query) {
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
			into = &q.manager
		case "force":
			into = &q.force
		case "dryRun":
			into = &q.dryRun
		case "fieldValidation":
			into = &q.validation
		default:
			continue
		}
		if *into != nil {
			continue
		}
		if bytes.IndexByte(value, '%') >= 0 || bytes.IndexByte(value, '+') >= 0 {
			text, err := url.QueryUnescape(string(value))
			if err != nil {
				q.invalid = true
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
