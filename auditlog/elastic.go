package auditlog

// elastic reads an event as written by Elastic's integration: it is below
// kubernetes.audit, annotations have underscores for dots, and the bodies'
// metadata is removed. It reports false where there is none.
func (d *decoder) elastic(kubernetes []byte, depth int) bool {
	var audit []byte
	c := cursor{b: kubernetes}
	c.object(func(key Text) (ok bool) {
		if string(key.raw) == "audit" && c.peek() == '{' {
			audit, ok = c.raw()
			return ok
		}
		return c.skip()
	})
	if audit == nil {
		return false
	}
	d.lost |= LostMetadata
	d.any(audit, nil, depth+1)
	return true
}
