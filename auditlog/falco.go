package auditlog

import "strconv"

// falco reads an alert of Falco's audit plugin. It holds only the fields that
// the alert's own text names.
func (d *decoder) falco(fields []byte) {
	e := &d.event
	*e = Event{
		Lost: LostQuery | LostGroups | LostBodies | LostAnnotations | LostReads | LostTail, Stage: StageResponseComplete, Level: LevelMetadata,
	}
	ours := false
	c := cursor{b: fields}
	c.object(func(key Text) bool {
		ours = ours || len(key.raw) > 3 && string(key.raw[:3]) == "ka."
		t, ok := c.text()
		switch string(key.raw) {
		case "ka.auditid":
			e.AuditID = t
		case "ka.verb":
			e.Verb = t
		case "ka.uri":
			e.URI = t
			e.Lost &^= LostQuery
		case "ka.user.name":
			e.who.user = t
		case "ka.impuser.name":
			e.who.impersonated = t
		case "ka.useragent":
			e.who.agent = t
		case "ka.sourceips":
			e.who.first, e.who.last = t, t
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
		}
		return ok
	})
	if !ours {
		d.foreign(ForeignOther)
		return
	}
	e.Client = d.clients.of(&e.who)
	d.send(e)
}
