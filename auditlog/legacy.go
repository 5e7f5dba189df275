package auditlog

import (
	"bytes"
	"strconv"
	"strings"
)

// legacy reads a line of --audit-log-format=legacy (k8s.io/apiserver,
// pkg/audit/format.go, EventString). Such a line has no annotations and no
// objectRef, and only the first address. legacy returns false for any other
// text.
func (d *decoder) legacy(b []byte) bool {
	stamp, rest, ok := bytes.Cut(b, []byte(" AUDIT: id="))
	if !ok || len(stamp) > maxPrefix || bytes.IndexByte(stamp, '{') >= 0 {
		return false
	}
	e := &d.event
	*e = Event{Level: LevelMetadata, Lost: LostAnnotations | LostBodies}
	if i := bytes.LastIndexByte(stamp, ' '); i >= 0 {
		stamp = stamp[i+1:]
	}
	e.Received, e.Stamp = plainText(stamp), plainText(stamp)
	rest = append([]byte("id="), rest...)
	for len(rest) > 0 {
		key, after, ok := bytes.Cut(rest, []byte{'='})
		if !ok {
			break
		}
		quoted, err := strconv.QuotedPrefix(string(after))
		if err != nil {
			d.fault(-1, "a value of the legacy format is not quoted")
			return true
		}
		value, _ := strconv.Unquote(quoted)
		rest = bytes.TrimLeft(after[len(quoted):], " ")
		t := plainText([]byte(value))
		switch string(key) {
		case "id":
			e.AuditID = t
		case "stage":
			e.Stage = parseStage(t)
		case "ip":
			e.who.first, e.who.last = t, t
		case "method":
			e.Verb = t
		case "user":
			e.who.user = t
		case "groups":
			e.who.groups = legacyGroups(value)
		case "as":
			if value != "<self>" {
				e.who.impersonated = t
			}
		case "user-agent":
			e.who.agent = t
		case "namespace":
			if value != "<none>" {
				e.Ref.Namespace = t
			}
		case "uri":
			e.URI = t
		case "response":
			e.Code, _ = strconv.Atoi(value)
		}
	}
	e.Ref.fromURI(e.URI.raw)
	e.Client = d.clients.of(&e.who)
	d.send(e)
	return true
}

// legacyGroups converts a list of quoted names to a JSON array.
func legacyGroups(value string) []byte {
	if !strings.HasPrefix(value, `"`) {
		return nil
	}
	return []byte("[" + value + "]")
}

// complete adds the fields that the reference lacks, from the request's path. A
// query can have removed them from the event.
func (r *Ref) complete(uri []byte) {
	var path Ref
	path.fromURI(uri)
	switch {
	case r.Resource.IsZero():
		*r = path
	case r.Subresource.IsZero() && path.Resource.Is(r.Resource.String()):
		r.Subresource = path.Subresource
	}
}

// fromURI sets the reference from a request's path, for formats without
// objectRef (k8s.io/apiserver, pkg/endpoints/request/requestinfo.go).
func (r *Ref) fromURI(uri []byte) {
	path, _, _ := bytes.Cut(uri, []byte{'?'})
	parts := bytes.Split(bytes.Trim(path, "/"), []byte{'/'})
	switch {
	case len(parts) >= 3 && string(parts[0]) == "api":
		parts = parts[1:]
	case len(parts) >= 4 && string(parts[0]) == "apis":
		r.Group = plainText(parts[1])
		parts = parts[2:]
	default:
		return
	}
	r.Version = plainText(parts[0])
	if parts = parts[1:]; len(parts) > 1 && string(parts[0]) == "watch" {
		parts = parts[1:]
	}
	if len(parts) > 2 && string(parts[0]) == "namespaces" && !ofNamespace(parts[2]) {
		r.Namespace = plainText(parts[1])
		parts = parts[2:]
	}
	for i, into := range []*Text{&r.Resource, &r.Name, &r.Subresource} {
		if i < len(parts) {
			*into = plainText(parts[i])
		}
	}
}
