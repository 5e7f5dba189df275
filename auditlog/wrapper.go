package auditlog

import "bytes"

// wrapper has the keys of an object that can be an event in another form, or
// can contain events.
type wrapper struct {
	// These are the values of known keys. The byte slices are JSON.
	proto, request, fields, names, rows, labels, operation, otel, pairs []byte
	kind, insertID, stamp, received, time                               Text
	// has are the keys of the object that events also have.
	has eventKey
	// flat is set if a key has dots. Such a key can be a nested field of an
	// event.
	flat bool
	// texts is set if the values of fields that should be objects are strings
	// with JSON.
	texts bool
	// action is set if a key can be an action in a bulk request. Then it must
	// be the only key. unsaid is set if journalctl left out the message.
	action, unsaid bool
	count          int // number of keys
	// values are the values that can contain events.
	values []value
}

// eventKey is a set of keys of events.
type eventKey uint8

const (
	hasAuditID eventKey = 1 << iota
	hasStage
	hasVerb
	hasUser
	hasColumns
)

// is reports whether the object has all of these keys.
func (w *wrapper) is(all eventKey) bool { return w.has&all == all }

func (w *wrapper) reset() { *w = wrapper{values: w.values[:0]} }

// value is a value that may contain an event.
type value struct {
	raw     []byte
	rank    rank
	elastic bool // Elastic's integration removed the metadata of bodies
}

// rank is the order in which values are read, if they can be the same event in
// several forms.
type rank uint8

const (
	// rankText is for texts as they were logged.
	rankText rank = iota
	// rankParsed is for texts that a log shipper parsed and wrote again.
	rankParsed
	// rankOther is for values of all other keys. Each of them can contain other
	// events.
	rankOther
)

// ranks are the ranks of values, by key.
var ranks = map[string]rank{
	"_raw": rankText, "@message": rankText, "message": rankText, "MESSAGE": rankText, "log": rankText, "line": rankText, "log_s": rankText,
	"msg": rankText, "textPayload": rankText, "stringValue": rankText, "full_message": rankText, "raw": rankText, "original": rankText,
	"properties": rankParsed, "jsonPayload": rankParsed, "event": rankParsed, "audit": rankParsed, "body": rankParsed, "structured": rankParsed,
	"kubernetes": rankParsed, "_source": rankParsed, "attributes": rankParsed, "fields": rankParsed, "json": rankParsed,
}

// key records a key of the object.
func (w *wrapper) key(c *cursor, key Text) (ok bool) {
	w.count++
	into := (*[]byte)(nil)
	switch string(key.raw) {
	case "auditID":
		w.has |= hasAuditID
	case "stage":
		w.has |= hasStage
	case "verb":
		w.has |= hasVerb
	case "user":
		w.has |= hasUser
	case "AuditId":
		w.has |= hasColumns
	case "kind":
		w.kind, ok = c.text()
		return ok
	case "insertId", "insert_id":
		w.insertID, ok = c.text()
		return ok
	case "timestamp":
		w.stamp, ok = c.text()
		return ok
	case "time":
		w.time, ok = c.text()
		return ok
	case "requestReceivedTimestamp":
		w.received, ok = c.text()
		return ok
	case "protoPayload", "protopayload_auditlog":
		into = &w.proto
	case "proto_payload": // in Log Analytics
		in := *c
		in.object(func(key Text) (ok bool) {
			if string(key.raw) == "audit_log" {
				w.proto, ok = in.raw()
				return ok
			}
			return in.skip()
		})
	case "labels":
		into = &w.labels
	case "operation":
		into = &w.operation
	case "request":
		if c.peek() == '{' {
			into = &w.request
		}
	case "output_fields":
		into = &w.fields
	case "kvlistValue":
		into = &w.otel
	case "attributes":
		if c.peek() == '[' {
			into = &w.pairs
		}
	case "columns", "Columns":
		into = &w.names
	case "rows", "Rows":
		into = &w.rows
	case "index", "create", "update", "delete":
		w.action = c.peek() == '{'
	}
	w.flat = w.flat || bytes.IndexByte(key.raw, '.') > 0
	first := c.peek()
	w.texts = w.texts || first == '"' && objectKeys[string(key.raw)]
	raw, ok := c.raw()
	if into != nil {
		*into = raw
	}
	if first == 'n' && string(key.raw) == "MESSAGE" {
		w.unsaid = true
	}
	if ok && (first == '{' || first == '[' || first == '"' && mayHold(raw)) {
		v := value{raw: raw, rank: rankOther}
		if r, known := ranks[string(key.raw)]; known {
			v.rank = r
		}
		v.elastic = string(key.raw) == "kubernetes" && first == '{'
		w.values = append(w.values, v)
	}
	return ok
}

// attributes reads event fields in the attributes of an OpenTelemetry record. A
// collector can parse the message and store its fields there. attributes
// reports whether there is an event.
func (d *decoder) attributes(w *wrapper, depth int) bool {
	if !mentions(w.pairs) {
		return false
	}
	tree := appendAnyValue(nil, append(append([]byte(`{"kvlistValue":{"values":`), w.pairs...), "}}"...), 0)
	if tree == nil {
		return false
	}
	before, lost := d.events, d.lost
	d.any(tree, nil, depth+1)
	d.lost = lost
	return d.events > before
}

// objectKeys are the fields of events that are not strings.
var objectKeys = map[string]bool{
	"user": true, "impersonatedUser": true, "sourceIPs": true, "objectRef": true, "responseStatus": true,
	"requestObject": true, "responseObject": true, "annotations": true,
}

// objects parses the fields of an event that a log store has turned into
// strings. It returns the event with the parsed values, and leaves out fields
// that it cannot parse. user reports whether the event has a user.
func (d *decoder) objects(b []byte) (out []byte, user bool) {
	out = []byte{'{'}
	c := cursor{b: b}
	c.object(func(key Text) bool {
		start := c.i
		if c.peek() != '"' || !objectKeys[string(key.raw)] {
			user = user || key.Is("user") && c.peek() == '{'
			ok := c.skip()
			out = appendField(out, key, c.b[start:c.i])
			return ok
		}
		t, ok := c.str()
		inner := t.AppendTo(nil)
		if pythonic(inner) {
			inner, _ = notation(inner)
		}
		v := cursor{b: inner}
		switch body := key.Is("requestObject") || key.Is("responseObject"); {
		case (v.peek() == '{' || v.peek() == '[') && v.skip() && v.i == len(inner):
			out = appendField(out, key, inner)
			user = user || key.Is("user")
		case body && !t.IsZero():
			d.lost |= LostBodies
		}
		return ok
	})
	return append(out, '}'), user
}

// appendField appends a field to an object without its closing brace.
func appendField(dst []byte, key Text, raw []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(appendJSON(append(dst, '"'), key.raw), `":`...)
	return append(dst, raw...)
}

// mayHold reports whether a JSON string may contain an event: as JSON, as base64, or in the
// server's legacy format.
func mayHold(raw []byte) bool {
	return bytes.IndexByte(raw, '{') >= 0 || len(raw) > minEncoded && base64Like(raw[1:len(raw)-1]) || bytes.Contains(raw, []byte(" AUDIT: id="))
}

// pair is a column of a row in the result of a query of CloudWatch Logs
// Insights.
type pair struct{ field, value Text }

// pairOf parses a pair such as {"field":"@message","value":"…"}.
func pairOf(raw []byte) (p pair, ok bool) {
	c := cursor{b: raw}
	n := 0
	ok = c.object(func(key Text) (ok bool) {
		n++
		switch string(key.raw) {
		case "field":
			p.field, ok = c.text()
		case "value":
			p.value, ok = c.text()
		default:
			return false
		}
		return ok
	})
	return p, ok && n == 2 && !p.field.IsZero()
}

// pairs reads a row, which has the message of a log line or fields of an event.
func (d *decoder) pairs(pairs []pair, depth int) {
	row := []byte{'{'}
	for _, p := range pairs {
		if p.field.Is("@message") {
			d.string(p.value, depth)
			return
		}
		if len(row) > 1 {
			row = append(row, ',')
		}
		row = append(append(append(row, '"'), p.field.raw...), `":"`...)
		row = append(append(row, p.value.raw...), '"')
	}
	if row = append(row, '}'); mentions(row) {
		d.any(row, nil, depth+1)
	}
}
