package auditlog

import "bytes"

// admission reads an AdmissionReview. kube-audit-rest logs one for each request
// to an admission webhook, with the time received. A review has no response,
// and its only information about the client is the user. The request counts as
// successful. The review's object is the object that the server will store, so
// it is used as the response.
func (d *decoder) admission(request []byte, received Text) {
	e := &d.event
	*e = Event{
		Lost:  LostReads | LostCode | LostAnnotations | LostQuery | LostAgent | LostImpersonation | LostVersion | LostSent,
		Stage: StageResponseComplete, Level: LevelRequestResponse, Code: 200, Received: received, Stamp: received,
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
			e.response, ok = c.raw()
		case "options":
			options, ok = c.raw()
		case "dryRun":
			var raw []byte
			raw, ok = c.raw()
			e.DryRun = string(raw) == "true"
		case "requestReceivedTimestamp":
			if e.Received, ok = c.scalar(); e.Stamp.IsZero() {
				e.Stamp = e.Received
			}
		default:
			ok = c.skip()
		}
		return ok
	})
	if e.Verb.Is("create") {
		e.Code = 201
	}
	if string(e.response) == "null" || len(e.response) == 0 {
		e.response = nil
	} else {
		e.response = withoutVersion(e.response)
	}
	e.options(options)
	e.Client = d.clients.of(&e.who)
	d.send(e)
}

// withoutVersion returns an object with metadata.resourceVersion 0, because the
// server has not set the new version yet.
func withoutVersion(object []byte) []byte {
	version := objectVersion(object)
	if version.Uint() == 0 {
		return object
	}
	// version.raw is a part of object, so the difference of the capacities is
	// its offset.
	at := cap(object) - cap(version.raw)
	object = bytes.Clone(object)
	for i := range version.raw {
		object[at+i] = '0'
	}
	return object
}

// options sets the query parameters of e from the options in the review. The
// server decoded these options from the query (meta/v1 CreateOptions and
// similar types). If the options have the kind PatchOptions, the request is a
// patch or an apply, and otherwise an update. The review has no other sign of
// this.
func (e *Event) options(raw []byte) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	query := []byte("?")
	var manager Text
	patch, force := false, false
	c := cursor{b: raw}
	c.object(func(key Text) bool {
		switch string(key.raw) {
		case "kind":
			t, ok := c.text()
			if t.Is("PatchOptions") {
				e.Verb, patch = plainText([]byte("patch")), true
			}
			return ok
		case "fieldManager":
			t, ok := c.text()
			manager = t
			query = appendQuery(query, "fieldManager", t.Bytes(nil))
			return ok
		case "fieldValidation":
			t, ok := c.text()
			query = appendQuery(query, "fieldValidation", t.Bytes(nil))
			return ok
		case "force":
			v, ok := c.raw()
			force = true
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
	if patch && !force && applied(e.response, manager, e.Ref.Subresource) {
		query = appendQuery(query, "force", []byte("false")) // only an apply can have the parameter force
	}
	e.URI = plainText(query)
	e.Lost &^= LostQuery
}

// applied reports whether the last write of a manager to an object was an
// apply. It reads the object's managedFields.
func applied(object []byte, manager, subresource Text) bool {
	if manager.IsZero() {
		return false
	}
	name, sub := manager.String(), subresource.String()
	var last int64
	is := false
	c := cursor{b: object}
	c.object(func(key Text) bool {
		if string(key.raw) != "metadata" {
			return c.skip()
		}
		return c.object(func(key Text) bool {
			if string(key.raw) != "managedFields" {
				return c.skip()
			}
			return c.array(func() bool {
				var m, operation, at, of Text
				ok := c.object(func(key Text) (ok bool) {
					switch string(key.raw) {
					case "manager":
						m, ok = c.text()
					case "operation":
						operation, ok = c.text()
					case "time":
						at, ok = c.text()
					case "subresource":
						of, ok = c.text()
					default:
						ok = c.skip()
					}
					return ok
				})
				if t := at.Time(); m.Is(name) && of.Is(sub) && t >= last {
					last, is = t, operation.Is("Apply")
				}
				return ok
			})
		})
	})
	return is
}

// appendQuery appends a URL query parameter.
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
