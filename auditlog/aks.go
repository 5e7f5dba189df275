package auditlog

// columns reads a row of the tables AKSAudit and AKSAuditAdmin of Azure
// Monitor. The columns are fields of an event under other names. A value can be
// JSON, or a string with JSON.
func (d *decoder) columns(b []byte) {
	e := &d.event
	*e = Event{Lost: LostImpersonation}
	c := cursor{b: b}
	user := false
	c.object(func(key Text) (ok bool) {
		name := ""
		switch string(key.raw) {
		case "Level":
			name = "level"
		case "AuditId":
			name = "auditID"
		case "Stage":
			name = "stage"
		case "RequestUri":
			name = "requestURI"
		case "Verb":
			name = "verb"
		case "User":
			name, user = "user", true
		case "ImpersonatedUser":
			name = "impersonatedUser"
			e.Lost &^= LostImpersonation
		case "SourceIps":
			name = "sourceIPs"
		case "UserAgent":
			name = "userAgent"
		case "ObjectRef":
			name = "objectRef"
		case "ResponseStatus":
			name = "responseStatus"
		case "RequestReceivedTime":
			name = "requestReceivedTimestamp"
		case "StageReceivedTime":
			name = "stageTimestamp"
		case "Annotations":
			name = "annotations"
		case "RequestObject":
			name = "requestObject"
		case "ResponseObject":
			name = "responseObject"
		case "Type", "Category":
			t, ok := c.text()
			if t.Is("AKSAuditAdmin") || t.Is("kube-audit-admin") {
				e.Lost |= LostReads
			}
			return ok
		default:
			return c.skip()
		}
		key = plainText([]byte(name))
		if c.peek() != '"' || plain[name] {
			return e.field(&c, key)
		}
		t, ok := c.str()
		inner := cursor{b: t.AppendTo(nil)}
		switch inner.peek() {
		case '{', '[':
			return ok && e.field(&inner, key)
		}
		if name == "requestObject" || name == "responseObject" {
			if !t.IsZero() { // such as "skipped-too-big-size-object"
				e.Lost |= LostBodies
			}
		}
		return ok
	})
	if !user || e.Verb.IsZero() {
		d.fault(-1, noUser)
		return
	}
	e.Client = d.clients.of(&e.who)
	e.inferLevel()
	d.send(e)
}

// plain are the fields whose values are strings.
var plain = map[string]bool{
	"level": true, "auditID": true, "stage": true, "requestURI": true, "verb": true,
	"userAgent": true, "requestReceivedTimestamp": true, "stageTimestamp": true,
}
