package auditlog

import "bytes"

// admission reads an AdmissionReview, which kube-audit-rest writes for every
// request that an admission webhook sees: no reads, no answer, no client but
// the user.
func (d *decoder) admission(request []byte) {
	e := &d.event
	*e = Event{
		Lost:  LostReads | LostCode | LostAnnotations | LostQuery,
		Stage: StageResponseComplete, Level: LevelRequest,
	}
	var options []byte
	c := cursor{b: request}
	c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "uid":
			e.AuditID, ok = c.text()
		case "requestResource", "resource":
			first := string(key.raw) == "requestResource" || e.Ref.Resource.IsZero()
			ok = c.object(func(key Text) bool {
				t, ok := c.text()
				if !first {
					return ok
				}
				switch string(key.raw) {
				case "group":
					e.Ref.Group = t
				case "version":
					e.Ref.Version = t
				case "resource":
					e.Ref.Resource = t
				}
				return ok
			})
		case "subResource", "requestSubResource":
			var t Text
			if t, ok = c.text(); !t.IsZero() {
				e.Ref.Subresource = t
			}
		case "name":
			e.Ref.Name, ok = c.text()
		case "namespace":
			e.Ref.Namespace, ok = c.text()
		case "operation":
			var t Text
			t, ok = c.text()
			e.Verb = plainText(bytes.ToLower(t.Bytes(nil)))
		case "userInfo":
			ok = e.who.scanUser(&c)
		case "object":
			e.request, ok = c.raw()
		case "options":
			options, ok = c.raw()
		case "dryRun":
			var raw []byte
			raw, ok = c.raw()
			e.DryRun = string(raw) == "true"
		case "requestReceivedTimestamp":
			e.Received, ok = c.text()
			e.Stamp = e.Received
		default:
			ok = c.skip()
		}
		return ok
	})
	if string(e.request) == "null" {
		e.request = nil
	}
	e.options(options)
	e.Client = d.clients.of(&e.who)
	d.send(e)
}

// options takes the query's parameters from the options that the server made of
// it (meta/v1 CreateOptions and its like): kind PatchOptions alone tells a
// patch, or an apply, from an update.
func (e *Event) options(raw []byte) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	query := []byte("?")
	c := cursor{b: raw}
	c.object(func(key Text) bool {
		switch string(key.raw) {
		case "kind":
			t, ok := c.text()
			if t.Is("PatchOptions") {
				e.Verb = plainText([]byte("patch"))
			}
			return ok
		case "fieldManager":
			t, ok := c.text()
			query = appendQuery(query, "fieldManager", t.Bytes(nil))
			return ok
		case "fieldValidation":
			t, ok := c.text()
			query = appendQuery(query, "fieldValidation", t.Bytes(nil))
			return ok
		case "force":
			v, ok := c.raw()
			query = appendQuery(query, "force", v)
			return ok
		case "dryRun":
			return c.array(func() bool {
				t, ok := c.text()
				query = appendQuery(query, "dryRun", t.Bytes(nil))
				return ok
			})
		}
		return c.skip()
	})
	e.URI = plainText(query)
	e.Lost &^= LostQuery
}

// appendQuery appends a parameter in the form of a URL's query.
func appendQuery(query []byte, key string, value []byte) []byte {
	if len(query) > 1 {
		query = append(query, '&')
	}
	query = append(append(query, key...), '=')
	for _, b := range value {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', bytes.IndexByte([]byte("-_.~"), b) >= 0:
			query = append(query, b)
		default:
			query = append(query, '%', "0123456789ABCDEF"[b>>4], "0123456789ABCDEF"[b&15])
		}
	}
	return query
}
