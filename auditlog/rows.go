package auditlog

import (
	"bytes"
	"slices"
)

// table reads the rows of a query's result: arrays of cells beside the names of
// the columns, as in Log Analytics and Kusto. It returns false for other
// values.
func (d *decoder) table(columns, rows []byte, depth int) bool {
	var names []Text
	c := cursor{b: columns}
	ok := c.array(func() bool {
		var name Text
		var ok bool
		if c.peek() == '"' {
			name, ok = c.str()
		} else {
			ok = c.object(func(key Text) (ok bool) {
				switch string(key.raw) {
				case "name", "ColumnName":
					name, ok = c.text()
				default:
					ok = c.skip()
				}
				return ok
			})
		}
		names = append(names, name)
		return ok
	})
	if !ok || len(names) == 0 || slices.ContainsFunc(names, Text.IsZero) {
		return false
	}
	before, parts := d.events, len(d.partials)
	var row []byte
	r := cursor{b: rows}
	r.array(func() bool {
		if r.peek() != '[' {
			return r.skip() // not a row, such as a message of Kusto
		}
		found, n := d.events+len(d.partials), 0
		row = append(row[:0], '{')
		ok := r.array(func() bool {
			raw, ok := r.raw()
			if n < len(names) {
				if n > 0 {
					row = append(row, ',')
				}
				row = append(append(append(append(row, '"'), names[n].raw...), `":`...), raw...)
			}
			n++
			return ok
		})
		if !ok {
			return false
		}
		row = append(row, '}')
		if d.any(row, nil, depth+1); d.events+len(d.partials) == found {
			if mentions(row) && !d.ours {
				d.fault(-1, "a row has fields of an audit event, in a form that is not known")
			} else {
				d.foreign(ForeignOther)
			}
		}
		return true
	})
	return d.events > before || len(d.partials) > parts
}

// nested has the fields that contain other fields, in events and in entries of
// Google Cloud's audit logs. A flattened object has keys such as user.username
// instead. If the value is true, the rest of such a key is one name, even if it
// contains dots.
var nested = map[string]bool{
	"user": false, "impersonatedUser": false, "groups": false, "objectRef": false, "responseStatus": false, "annotations": true, "sourceIPs": false,
	"protoPayload": false, "labels": true, "operation": false, "authenticationInfo": false, "requestMetadata": false, "status": false,
}

// flattened reads an event whose nested fields have become keys with dots, such
// as user.username. A query selected them, or a log shipper stores fields in
// this way. Such an event has no bodies. flattened returns false if the object
// is not an event.
func (d *decoder) flattened(b []byte) bool {
	tree := newFields()
	c := cursor{b: b}
	bodies := false
	prefix := prefixOf(b)
	ok := c.object(func(key Text) bool {
		raw, ok := c.raw()
		key.raw = bytes.TrimPrefix(key.raw, prefix)
		raw = fieldValue(key.raw, raw)
		bodies = bodies || bytes.HasPrefix(key.raw, []byte("requestObject.")) || bytes.HasPrefix(key.raw, []byte("responseObject."))
		tree.set(key.raw, raw)
		return ok
	})
	if !ok {
		return false
	}
	if tree.raw["stageTimestamp"] == nil && tree.raw["requestReceivedTimestamp"] == nil && tree.raw["@timestamp"] != nil {
		tree.set([]byte("stageTimestamp"), tree.raw["@timestamp"])
	}
	whole := tree.append(nil)
	w := &wrapper{}
	o := cursor{b: whole}
	o.object(func(key Text) bool { return w.key(&o, key) })
	lost := d.lost
	defer func() { d.lost = lost }()
	d.lost |= LostFields
	if bodies {
		d.lost |= LostBodies
	}
	e := &d.event
	switch {
	case w.proto != nil:
		before := d.events
		d.gke(w)
		return d.events > before
	case !w.is(hasAuditID | hasVerb):
		return false
	}
	o.i = 0
	if !d.scanner.event(e, &o) || !w.is(hasUser) && e.Code != 401 {
		return false // only an unauthenticated request has no user
	}
	d.slow(e)
	return true
}

// prefixOf returns the prefix before the names of an event's fields, such as
// kubernetes.audit.
func prefixOf(b []byte) (prefix []byte) {
	c := cursor{b: b}
	c.object(func(key Text) bool {
		if before, ok := bytes.CutSuffix(key.raw, []byte(".auditID")); ok {
			prefix = append(bytes.Clone(before), '.')
		}
		return prefix == nil && c.skip()
	})
	return prefix
}

// fieldValue returns the value of a field as in an event. It unwraps a list of
// one value, which a search makes of each value. It converts a list in a text,
// which is a cell of a table, to a list.
func fieldValue(key, raw []byte) []byte {
	list := bytes.HasSuffix(key, []byte("sourceIPs")) || bytes.HasSuffix(key, []byte("groups"))
	switch {
	case len(raw) == 0:
	case raw[0] == '[' && !list:
		c := cursor{b: raw}
		var only []byte
		n := 0
		c.array(func() (ok bool) {
			only, ok = c.raw()
			n++
			return ok
		})
		if n == 1 {
			return only
		}
	case raw[0] == '"' && list:
		return append(append([]byte{'['}, bytes.ReplaceAll(raw, []byte(", "), []byte(`","`))...), ']')
	}
	return raw
}

// fields is an object that is assembled from keys with dots.
type fields struct {
	keys []string
	raw  map[string][]byte
	sub  map[string]*fields
}

func newFields() *fields { return &fields{raw: map[string][]byte{}, sub: map[string]*fields{}} }

// set sets the value of a key with dots.
func (f *fields) set(key, raw []byte) {
	name, rest, dotted := bytes.Cut(key, []byte{'.'})
	whole, is := nested[string(name)]
	if !dotted || !is {
		if _, known := f.raw[string(key)]; !known {
			f.keys = append(f.keys, string(key))
		}
		f.raw[string(key)] = raw
		return
	}
	s := f.sub[string(name)]
	if s == nil {
		s = newFields()
		f.sub[string(name)] = s
		f.keys = append(f.keys, string(name))
	}
	if whole {
		if _, known := s.raw[string(rest)]; !known {
			s.keys = append(s.keys, string(rest))
		}
		s.raw[string(rest)] = raw
		return
	}
	s.set(rest, raw)
}

// append appends the object as JSON. An object with numbers as keys becomes a
// list.
func (f *fields) append(dst []byte) []byte {
	shut := byte('}')
	if _, isList := f.raw["0"]; isList {
		dst, shut = append(dst, '['), ']'
	} else {
		dst = append(dst, '{')
	}
	for i, key := range f.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		if shut == '}' {
			dst = append(appendJSON(append(dst, '"'), key), `":`...)
		}
		if s := f.sub[key]; s != nil {
			dst = s.append(dst)
		} else {
			dst = append(dst, number(f.raw[key], key)...)
		}
	}
	return append(dst, shut)
}

// number returns a status code without the quotes that a table adds.
func number(raw []byte, key string) []byte {
	if key == "code" && len(raw) > 2 && raw[0] == '"' {
		return raw[1 : len(raw)-1]
	}
	return raw
}
