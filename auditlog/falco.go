package auditlog

import (
	"bytes"
	"strconv"
)

// falco reads an alert of Falco's audit plugin. Falco alerts only about
// requests that match a rule, and an alert has only the fields in its text.
// falco returns false for alerts of other plugins.
func (d *decoder) falco(w *wrapper) bool {
	e := &d.event
	*e = Event{
		Lost:  LostQuery | LostGroups | LostBodies | LostAnnotations | LostTail | LostUnmatched,
		Stage: StageResponseComplete, Level: LevelMetadata,
	}
	e.Stamp = w.time
	ours := false
	c := cursor{b: w.fields}
	c.object(func(key Text) bool {
		ours = ours || len(key.raw) > 3 && string(key.raw[:3]) == "ka."
		t, ok := c.scalar()
		switch string(key.raw) {
		case "evt.time":
			if e.Stamp.IsZero() {
				e.Stamp = t
			}
		case "ka.auditid":
			e.AuditID = t
		case "ka.stage":
			if s := parseStage(t); s != StageUnknown {
				e.Stage = s
			}
		case "ka.verb":
			e.Verb = t
		case "ka.uri":
			if !t.IsZero() {
				e.URI = t
				e.Lost &^= LostQuery | LostTail
			}
		case "ka.user.name":
			e.who.user = t
		case "ka.user.groups":
			if !t.IsZero() {
				e.who.groups = falcoGroups(t.Bytes(nil))
				e.Lost = e.Lost&^LostGroups | LostImpersonation
			}
		case "ka.impuser.name":
			e.who.impersonated = t
		case "ka.useragent":
			e.who.agent = t
		case "ka.sourceips":
			ips := cursor{b: falcoGroups(t.Bytes(nil))}
			ips.array(func() bool {
				ip, ok := ips.text()
				if e.who.first.IsZero() {
					e.who.first = ip
				}
				e.who.last = ip
				return ok
			})
		case "ka.target.resource":
			e.Ref.Resource = t
		case "ka.target.subresource":
			e.Ref.Subresource = t
		case "ka.target.namespace":
			e.Ref.Namespace = t
		case "ka.target.name":
			e.Ref.Name = t
		case "ka.response.code":
			e.Code, _ = strconv.Atoi(string(t.raw))
		case "ka.response.reason":
			e.Reason = t
		case "ka.auth.decision":
			e.Allowed, e.Forbidden = t.Is("allow"), t.Is("forbid")
		}
		return ok
	})
	if !ours {
		return false
	}
	if e.URI.IsZero() {
		e.Lost |= LostPath
	} else {
		name := e.Ref.Name
		e.Ref.fromURI(e.URI.Bytes(nil))
		if e.Ref.Name.IsZero() {
			e.Ref.Name = name // a create request has no name in its path
		}
	}
	e.Client = d.clients.of(&e.who)
	d.send(e)
	return true
}

// falcoGroups converts a list as Falco prints it, (a,b) or ['a','b'], to a JSON
// array.
func falcoGroups(list []byte) []byte {
	list = bytes.Trim(list, "()[] ")
	out := []byte{'['}
	for len(list) > 0 {
		var item []byte
		item, list, _ = bytes.Cut(list, []byte{','})
		if item = bytes.Trim(item, ` '"`); len(item) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(appendJSON(append(out, '"'), item), '"')
	}
	return append(out, ']')
}
