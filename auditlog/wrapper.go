package auditlog

import "bytes"

// wrapper has the keys of an object that is an event in another form, or that may
// contain events.
type wrapper struct {
	// JSON texts of values.
	proto, request, fields, names, rows, labels, operation, otel []byte
	kind, insertID, stamp, received, time                        Text
	// has are the keys of events that the object has.
	has eventKey
	// flat is set if keys have dots: nested fields may have become keys.
	flat bool
	// action is set if the only key may be an action of a bulk request, unsaid if
	// journalctl left out the message.
	action, unsaid bool
	count          int // of keys
	// values may contain events.
	values []value
}

// eventKey is a set of keys.
type eventKey uint8

const (
	hasAuditID eventKey = 1 << iota
	hasStage
	hasVerb
	hasUser
	hasColumns
)

// is reports whether the object has all the keys.
func (w *wrapper) is(all eventKey) bool { return w.has&all == all }

func (w *wrapper) reset() { *w = wrapper{values: w.values[:0]} }

// value is a value that may contain an event.
type value struct {
	raw     []byte
	rank    rank
	elastic bool // Elastic's integration removed the metadata of bodies
}

// rank orders values that may be the same event in several forms.
type rank uint8

const (
	// rankText are texts as they were logged.
	rankText rank = iota
	// rankParsed are what a shipper made of them.
	rankParsed
	// rankOther are values under any other key, each of which may hold other
	// events.
	rankOther
)

// ranks are the ranks of values by their keys.
var ranks = map[string]rank{
	"_raw": rankText, "@message": rankText, "message": rankText, "MESSAGE": rankText, "log": rankText, "line": rankText, "log_s": rankText,
	"msg": rankText, "textPayload": rankText, "stringValue": rankText, "full_message": rankText, "raw": rankText, "original": rankText,
	"properties": rankParsed, "jsonPayload": rankParsed, "event": rankParsed, "audit": rankParsed, "body": rankParsed, "structured": rankParsed,
	"kubernetes": rankParsed, "_source": rankParsed, "attributes": rankParsed, "fields": rankParsed, "json": rankParsed,
}

// key takes note of a key of an object that may be a wrapper.
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
	case "insertId":
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
	case "columns", "Columns":
		into = &w.names
	case "rows", "Rows":
		into = &w.rows
	case "index", "create", "update", "delete":
		w.action = c.peek() == '{'
	}
	w.flat = w.flat || bytes.IndexByte(key.raw, '.') > 0
	first := c.peek()
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

// mayHold reports whether a JSON string may contain an event: in JSON, in base64, or
// in the server's legacy format.
func mayHold(raw []byte) bool {
	return bytes.IndexByte(raw, '{') >= 0 || len(raw) > minEncoded && base64Like(raw[1:len(raw)-1]) || bytes.Contains(raw, []byte(" AUDIT: id="))
}

// pair is a column of a row in the answer to a query of CloudWatch Logs Insights.
type pair struct{ field, value Text }

// pairOf reads {"field":"@message","value":"…"}.
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

// pairs reads a row: the message, or fields of an event.
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
