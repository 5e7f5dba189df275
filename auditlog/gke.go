package auditlog

import "bytes"

// gke reads an entry of Google Cloud's audit logs. It has no query string, the
// status is a code of google.rpc, and of the user only the name.
func (d *decoder) gke(w *wrapper) {
	e := &d.event
	*e = Event{Lost: LostQuery | LostCode | LostGroups, Stage: StageResponseComplete}
	e.AuditID, e.Received, e.Stamp = w.insertID, w.stamp, w.stamp
	var method, name Text
	rpc, rest := 0, true
	c := cursor{b: w.proto}
	c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "serviceName":
			var t Text
			t, ok = c.text()
			rest = t.Is("k8s.io")
		case "methodName":
			method, ok = c.text()
		case "resourceName":
			name, ok = c.text()
		case "authenticationInfo":
			ok = c.object(func(key Text) (ok bool) {
				if string(key.raw) == "principalEmail" {
					e.who.user, ok = c.text()
					return ok
				}
				return c.skip()
			})
		case "requestMetadata":
			ok = c.object(func(key Text) (ok bool) {
				switch string(key.raw) {
				case "callerIp":
					e.who.first, ok = c.text()
					e.who.last = e.who.first
				case "callerSuppliedUserAgent":
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
		default:
			ok = c.skip()
		}
		return ok
	})
	if !rest || method.IsZero() {
		d.foreign(ForeignOther)
		return
	}
	e.Level = LevelMetadata
	if e.request != nil {
		e.Level = LevelRequest
	}
	if e.response != nil {
		e.Level = LevelRequestResponse
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
	e.Client = d.clients.of(&e.who)
	d.send(e)
}

// httpStatus returns the HTTP status that an API server answers where the entry
// has a code of google.rpc, as far as one follows from the other.
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

// fromPath reads the resource's name of an entry: group/version, namespaces/ns,
// resource/name/subresource. The legacy group is called core.
func (r *Ref) fromPath(path []byte) {
	parts := bytes.Split(path, []byte{'/'})
	if len(parts) < 3 {
		return // no resource
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
		r.Namespace = r.Name // as the server's own reference has it
	}
}

// ofNamespace reports whether a name is that of a subresource of namespaces
// themselves.
func ofNamespace(part []byte) bool { return string(part) == "status" || string(part) == "finalize" }
