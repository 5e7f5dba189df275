package auditlog

import "bytes"

// gke reads an entry of Google Cloud's audit logs. An entry has no query
// string. Its status is a google.rpc code. The only information about the user
// is the name.
func (d *decoder) gke(w *wrapper) {
	e := &d.event
	*e = Event{Lost: LostQuery | LostCode | LostGroups, Stage: StageResponseComplete}
	e.AuditID, e.Received, e.Stamp = w.insertID, w.stamp, w.stamp
	var method, name Text
	rpc, rest, user := 0, true, false
	c := cursor{b: w.proto}
	c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "serviceName", "service_name":
			var t Text
			t, ok = c.text()
			rest = t.Is("k8s.io")
		case "methodName", "method_name":
			method, ok = c.text()
		case "resourceName", "resource_name":
			name, ok = c.text()
		case "authenticationInfo", "authentication_info":
			user = c.peek() == '{'
			ok = c.object(func(key Text) (ok bool) {
				var name Text
				switch string(key.raw) {
				case "principalEmail", "principal_email", "principalSubject", "principal_subject":
					name, ok = c.text()
				default:
					ok = c.skip()
				}
				if e.who.user.IsZero() {
					e.who.user = name // any of the names that is not redacted
				}
				return ok
			})
		case "requestMetadata", "request_metadata":
			ok = c.object(func(key Text) (ok bool) {
				switch string(key.raw) {
				case "callerIp", "caller_ip":
					e.who.first, ok = c.text()
					e.who.last = e.who.first
				case "callerSuppliedUserAgent", "caller_supplied_user_agent":
					e.who.agent, ok = c.text()
				default:
					ok = c.skip()
				}
				return ok
			})
		case "status":
			ok = c.object(func(key Text) (ok bool) {
				switch string(key.raw) {
				case "code":
					rpc, ok = c.small()
				case "message":
					e.Message, ok = c.text()
				default:
					ok = c.skip()
				}
				return ok
			})
		case "request":
			e.request, ok = c.raw()
		case "response":
			e.response, ok = c.raw()
		case "requestJson": // the field's name in BigQuery
			e.request, ok = c.embedded()
		case "responseJson":
			e.response, ok = c.embedded()
		default:
			ok = c.skip()
		}
		return ok
	})
	if !rest || method.IsZero() {
		d.ours = !rest // otherwise the entry is of another service
		return
	}
	if !user {
		d.fault(-1, "an entry without its user: fields were left out on the way")
		return
	}
	e.request, e.response = withoutType(e.request), withoutType(e.response)
	e.Level = LevelMetadata
	if e.request != nil {
		e.Level = LevelRequest
	}
	if e.response != nil {
		e.Level = LevelRequestResponse
	}
	if len(w.labels) == 0 {
		e.Lost |= LostAnnotations
	}
	labels := cursor{b: w.labels}
	e.notes.scan(&labels)
	e.Annotations(func(key, v Text) bool {
		if key.Is("command.gke.io/dryRun") {
			e.DryRun = !v.IsZero() && !v.Is("false")
		}
		return true
	})
	first, last := true, true
	op := cursor{b: w.operation}
	if len(w.operation) > 0 {
		first, last = false, false
		op.object(func(key Text) bool {
			raw, ok := op.raw()
			switch string(key.raw) {
			case "first":
				first = string(raw) == "true"
			case "last":
				last = string(raw) == "true"
			case "id":
				if id := (&cursor{b: raw}); e.AuditID.IsZero() {
					e.AuditID, _ = id.text()
				}
			}
			return ok
		})
	}
	if first && !last {
		e.Stage = StageResponseStarted
	}
	m := method.Bytes(nil)
	e.Verb = plainText(m[bytes.LastIndexByte(m, '.')+1:])
	e.Ref.fromPath(name.Bytes(nil))
	e.Code = httpStatus(rpc, e)
	if e.Verb.Is("update") {
		if e.Ref.ResourceVersion = objectVersion(e.request); e.Ref.ResourceVersion.IsZero() {
			e.Lost |= LostVersion
		}
	}
	e.Client = d.clients.of(&e.who)
	d.send(e)
}

// embedded reads a value that is written as text in a JSON string.
func (c *cursor) embedded() ([]byte, bool) {
	t, ok := c.text()
	if t.IsZero() {
		return nil, ok
	}
	raw := t.AppendTo(nil)
	v := cursor{b: raw}
	if !v.skip() || v.i < len(raw) {
		return nil, ok
	}
	return raw, ok
}

// withoutType returns a body without the key @type, which Google Cloud adds. It
// returns nil if the body has no other key.
func withoutType(body []byte) []byte {
	c := cursor{b: body}
	start, end, keys := -1, 0, 0
	c.object(func(key Text) bool {
		keys++
		is := string(key.raw) == "@type"
		if is {
			start = c.i
		}
		ok := c.skip()
		if is {
			end = c.i
		}
		return ok
	})
	switch {
	case start < 0:
		return body
	case keys == 1:
		return nil
	}
	start = bytes.LastIndex(body[:start], []byte(`"@type"`))
	if rest := bytes.TrimLeft(body[end:], " \t\r\n"); rest[0] == ',' {
		end = len(body) - len(rest) + 1
	} else {
		start = bytes.LastIndexByte(body[:start], ',')
	}
	return append(bytes.Clone(body[:start]), body[end:]...)
}

// objectVersion returns metadata.resourceVersion of an object.
func objectVersion(object []byte) (version Text) {
	c := cursor{b: object}
	c.object(func(key Text) bool {
		if string(key.raw) != "metadata" {
			return c.skip()
		}
		return c.object(func(key Text) (ok bool) {
			if string(key.raw) != "resourceVersion" {
				return c.skip()
			}
			version, ok = c.text()
			return ok
		})
	})
	return version
}

// httpStatus returns the HTTP status for the google.rpc code of an entry; 0 if
// the code can mean several statuses.
func httpStatus(rpc int, e *Event) int {
	switch rpc {
	case 0:
		if e.Verb.Is("create") {
			return 201
		}
		return 200
	case 3, 9, 11:
		return 400
	case 5:
		return 404
	case 6:
		e.Reason = plainText([]byte("AlreadyExists"))
		return 409
	case 7:
		return 403
	case 8:
		return 429
	case 10:
		e.Reason = plainText([]byte("Conflict"))
		return 409
	case 16:
		return 401
	case 4:
		return 504
	case 12:
		return 501
	case 14:
		return 503
	}
	return 500
}

// fromPath parses the resource name of an entry: group/version, namespaces/ns,
// resource/name/subresource. The name of the core group is core.
func (r *Ref) fromPath(path []byte) {
	parts := bytes.Split(path, []byte{'/'})
	if len(parts) < 3 {
		return // not a resource
	}
	if string(parts[0]) != "core" {
		r.Group = plainText(parts[0])
	}
	r.Version = plainText(parts[1])
	parts = parts[2:]
	if len(parts) > 2 && string(parts[0]) == "namespaces" && !ofNamespace(parts[2]) {
		r.Namespace = plainText(parts[1])
		parts = parts[2:]
	}
	for i, into := range []*Text{&r.Resource, &r.Name, &r.Subresource} {
		if i < len(parts) {
			*into = plainText(parts[i])
		}
	}
	if string(r.Resource.raw) == "namespaces" && r.Namespace.IsZero() {
		r.Namespace = r.Name // as in the server's objectRef
	}
}

// ofNamespace reports whether a name is the name of a subresource of namespaces.
func ofNamespace(part []byte) bool { return string(part) == "status" || string(part) == "finalize" }
