package quote

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// JSON returns a value as JSON, without a line break at its end. Every string is
// exact, and every character that does not print as itself is written as \uXXXX, so
// that the document is harmless when it is printed. So are the commands of CI
// systems that are recognised anywhere in a line.
//
// JSON has no strings that are not UTF-8, as names of files may be on Linux. Such a
// string is written as Name prints it: two different names stay different, and a
// reader that removes the quotes gets the bytes.
//
// options may change the encoder; nil is as json.NewEncoder makes it.
func JSON(value any, options func(*json.Encoder)) ([]byte, error) {
	b, err := encode(value, options)
	if err == nil && bytes.Contains(b, []byte(`\ufffd`)) { // what json writes instead of a byte that is not UTF-8
		b, err = encode(decodable(reflect.ValueOf(value)).Interface(), options)
	}
	return escapeJSON(b), err
}

func encode(value any, options func(*json.Encoder)) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if options != nil {
		options(e)
	}
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// decodable returns a copy of a value in which each string is UTF-8. It copies the
// exported fields of structs, and shares what has no strings.
func decodable(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return reflect.ValueOf(Name(v.String())).Convert(v.Type())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			elem := decodable(v.Elem())
			if v.Kind() == reflect.Interface {
				return elem
			}
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(elem)
			return c
		}
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				c.Field(i).Set(decodable(v.Field(i)))
			}
		}
		return c
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(decodable(v.Index(i)))
			}
			return c
		}
	case reflect.Array:
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(decodable(v.Index(i)))
		}
		return c
	case reflect.Map:
		if !v.IsNil() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			for pair := v.MapRange(); pair.Next(); {
				c.SetMapIndex(decodable(pair.Key()), decodable(pair.Value()))
			}
			return c
		}
	}
	return v
}

// escapeJSON returns encoded JSON in which every character that Text would escape is written as
// \uXXXX. Such characters occur in JSON only inside strings. If there are none, it returns its
// argument.
func escapeJSON(b []byte) []byte {
	i := 0
	for i < len(b) && b[i] < 0x7f && (b[i] != '#' || i == 0 || b[i-1] != '#') {
		i++
	}
	if i == len(b) {
		return b
	}
	s := string(b)
	out := append(make([]byte, 0, len(b)+32), b[:i]...)
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '#' && isCommandAt(s, i), r >= 0x7f && r <= 0xffff && !isVisible(r):
			out = appendHex(out, 'u', uint32(r), 4)
		case r > 0xffff && !isVisible(r):
			r -= 0x10000
			out = appendHex(out, 'u', 0xd800+uint32(r>>10), 4)
			out = appendHex(out, 'u', 0xdc00+uint32(r&0x3ff), 4)
		default:
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return out
}
