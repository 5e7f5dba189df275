package apiserver

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// iteratorError is the error of github.com/json-iterator/go 1.1.7 to 1.1.11,
// with which 1.16 to 1.22 decode. It quotes the bytes around the mistake, so
// it is exact only if the request's body is known; otherwise the body is the
// one that kubectl would send. Fields that follow the mistake in the same
// struct can add their names to the server's text, which is not re-stated.
func (d *decoder) iteratorError(v *wire.Value, typ string) string {
	body, off := d.body, -1
	if body != nil {
		off = offsetOf(body, d.root.Pos, v.Pos)
	}
	if off < 0 || off >= len(body) {
		body, off = compact(d.root, v)
	}
	report := iteratorReport{body: body, head: off + 1}
	trace := d.trace
	found := strings.ToValidUTF8(string(body[off:off+1]), "\uFFFD")
	switch {
	case typ == "int64":
		if report.integer(off) {
			// The number was read up to its exponent, which the struct's loop
			// then takes for the end of the struct.
			trace = trace[:len(trace)-1]
		}
	case typ == "int32":
		report.operation, report.problem = "unmarshalerDecoder", "json: cannot unmarshal "+describe(v, typ)+" into Go value of type int32"
		report.head = off + valueLength(body[off:])
	case strings.HasPrefix(typ, "[]"):
		report.operation, report.problem = "decode slice", "expect [ or n, but found "+found
	case isStringType(typ):
		report.operation, report.problem = "ReadString", `expects " or n, but found `+found
	default:
		report.operation, report.problem = "readObjectStart", "expect { or n, but found "+found
	}
	return strings.Join(trace, "") + report.String()
}

func isStringType(typ string) bool {
	return slices.Contains([]string{"string", "v1.URIScheme", "v1.ContainerRestartPolicy", "v1.Signal", "v1.HTTPProtocol"}, typ)
}

// iteratorReport is what Iterator.ReportError is told (iter.go).
type iteratorReport struct {
	body               []byte
	head               int // the byte after the last that was read
	operation, problem string
}

// String re-states Iterator.ReportError. The answer is JSON, where each byte
// of a cut character is U+FFFD.
func (r *iteratorReport) String() string {
	around := func(n int) (text string, before int) {
		start, end := max(r.head-n, 0), min(r.head+n, len(r.body))
		return string([]rune(string(r.body[start:end]))), r.head - start
	}
	near, before := around(10)
	context, _ := around(50)
	return fmt.Sprintf("%s: %s, error found in #%d byte of ...|%s|..., bigger context ...|%s|...", r.operation, r.problem, before, near, context)
}

// integer re-states ReadInt64, readUint64 and assertInteger of iter_int.go for
// the value at off, which is no int64. It reports whether the error comes only
// when the struct's next field is looked for.
func (r *iteratorReport) integer(off int) (afterwards bool) {
	at := func(i int) byte {
		if i < len(r.body) {
			return r.body[i]
		}
		return 0
	}
	digit := func(i int) bool { return '0' <= at(i) && at(i) <= '9' }
	i, limit := off, uint64(math.MaxInt64)
	if at(i) == '-' {
		i, limit = i+1, limit+1
	}
	r.head = i + 1
	if !digit(i) {
		r.operation, r.problem = "readUint64", "unexpected character: \uFFFD"
		return false
	}
	value, fast := uint64(at(i)-'0'), i+8
	for i++; at(off) != '0' && digit(i); i++ {
		next := value*10 + uint64(at(i)-'0')
		if value > math.MaxUint64/10-1 && next < value {
			r.operation, r.problem, r.head = "readUint64", "overflow", fast
			return false
		}
		value = next
	}
	r.head = i
	switch {
	case at(i) == '.':
		r.operation, r.problem = "assertInteger", "can not decode float as int"
	case value > limit:
		r.operation, r.problem = "ReadInt64", "overflow: "+strconv.FormatUint(value, 10)
	default:
		r.head++
		r.operation, r.problem = "struct Decode", "expect }, but found "+string(rune(at(i)))
		return true
	}
	return false
}

// valueLength is the length of the JSON value that data begins with.
func valueLength(data []byte) int {
	for d := range wire.JSONStream(data, 1) {
		return d.End
	}
	return len(data)
}

// offsetOf finds a place in a text that begins at start, or gives -1.
func offsetOf(text []byte, start, p wire.Pos) int {
	line, column := start.Line, start.Column
	for off, r := range string(text) {
		if line == p.Line && column == p.Column {
			return off
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return -1
}

// compact writes a value as kubectl sends it: sorted names, no white space, a
// line break at the end (UnstructuredJSONScheme of apimachinery). It gives the
// place of target in it.
func compact(root, target *wire.Value) (body []byte, off int) {
	var write func(v *wire.Value)
	quote := func(s string) {
		text, _ := json.Marshal(s) // a string cannot fail
		body = append(body, text...)
	}
	write = func(v *wire.Value) {
		if v == target {
			off = len(body)
		}
		switch {
		case v.IsNull():
			body = append(body, "null"...)
		case v.Kind == wire.String:
			quote(v.Text)
		case v.Kind == wire.Map:
			fields := slices.Clone(v.Fields)
			slices.SortFunc(fields, func(a, b wire.Field) int { return strings.Compare(a.Name, b.Name) })
			body = append(body, '{')
			for i, f := range fields {
				if i > 0 {
					body = append(body, ',')
				}
				quote(f.Name)
				body = append(body, ':')
				write(f.Value)
			}
			body = append(body, '}')
		case v.Kind == wire.List:
			body = append(body, '[')
			for i, item := range v.Items {
				if i > 0 {
					body = append(body, ',')
				}
				write(item)
			}
			body = append(body, ']')
		default:
			body = append(body, v.Text...)
		}
	}
	write(root)
	return append(body, '\n'), off
}
