package auditlog

// maxAnyValue is the largest nesting of a value of OpenTelemetry.
const maxAnyValue = 200

// appendAnyValue appends a value of an OpenTelemetry log record as plain JSON.
// It returns nil if the value is not an AnyValue in JSON (opentelemetry-proto,
// common/v1/common.proto).
func appendAnyValue(dst, value []byte, depth int) []byte {
	if depth > maxAnyValue {
		return nil
	}
	c := cursor{b: value}
	known := false
	ok := c.object(func(key Text) bool {
		raw, ok := c.raw()
		if known || !ok {
			return false
		}
		known = true
		switch string(key.raw) {
		case "stringValue", "boolValue", "doubleValue", "bytesValue":
			dst = append(dst, raw...)
		case "intValue": // a 64-bit integer, which is a string in JSON
			if len(raw) > 2 && raw[0] == '"' {
				raw = raw[1 : len(raw)-1]
			}
			dst = append(dst, raw...)
		case "arrayValue":
			dst = appendList(append(dst, '['), raw, func(dst, item []byte) []byte { return appendAnyValue(dst, item, depth+1) })
			dst = append(dst, ']')
		case "kvlistValue":
			dst = appendList(append(dst, '{'), raw, func(dst, item []byte) []byte {
				var name, v []byte
				i := cursor{b: item}
				i.object(func(key Text) (ok bool) {
					switch string(key.raw) {
					case "key":
						name, ok = i.raw()
					case "value":
						v, ok = i.raw()
					default:
						ok = i.skip()
					}
					return ok
				})
				if len(name) == 0 || name[0] != '"' {
					return nil
				}
				return appendAnyValue(append(append(dst, name...), ':'), v, depth+1)
			})
			dst = append(dst, '}')
		default:
			return false
		}
		return true
	})
	switch {
	case !ok || len(dst) == 0:
		return nil
	case !known:
		return append(dst, "null"...)
	}
	return dst
}

// appendList appends the elements of the array "values", separated by commas.
// item appends one element. If item returns nil, appendList also returns nil.
func appendList(dst, list []byte, item func(dst, item []byte) []byte) []byte {
	first := true
	c := cursor{b: list}
	c.object(func(key Text) bool {
		if string(key.raw) != "values" {
			return c.skip()
		}
		return c.array(func() bool {
			raw, ok := c.raw()
			if !ok {
				return false
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			next := item(dst, raw)
			if next == nil {
				dst = append(dst, '?')
				return false
			}
			dst = next
			return true
		})
	})
	return dst
}
