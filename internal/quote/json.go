package quote

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// JSON returns a value as JSON, without a line break at the end. Readers of the JSON get
// every string unchanged. Characters that do not print as themselves become \uXXXX, so
// that the JSON is harmless when it is printed. If the text has a command that a CI
// system executes anywhere in a line, one character of the command becomes \uXXXX too.
//
// A JSON string must be UTF-8, but names of files on Linux may not be. Such a string is
// written in the form of Name. So two different names stay different, and a reader that
// removes the quotes gets the bytes.
//
// options may change the settings of the encoder. It may be nil.
func JSON(value any, options func(*json.Encoder)) ([]byte, error) {
	b, err := encode(value, options)
	if err == nil && bytes.Contains(b, []byte(`\ufffd`)) { // encoding/json writes \ufffd for a byte that is not UTF-8
		b, err = encode(utf8Copy(reflect.ValueOf(value)).Interface(), options)
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

// utf8Copy returns a copy of a value in which all strings are UTF-8. It copies the
// exported fields of structs. Values without strings are not copied.
func utf8Copy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return reflect.ValueOf(Name(v.String())).Convert(v.Type())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			elem := utf8Copy(v.Elem())
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
				c.Field(i).Set(utf8Copy(v.Field(i)))
			}
		}
		return c
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(utf8Copy(v.Index(i)))
			}
			return c
		}
	case reflect.Array:
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(utf8Copy(v.Index(i)))
		}
		return c
	case reflect.Map:
		if !v.IsNil() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			for pair := v.MapRange(); pair.Next(); {
				c.SetMapIndex(utf8Copy(pair.Key()), utf8Copy(pair.Value()))
			}
			return c
		}
	}
	return v
}

// escapeJSON writes every character that Text would escape as \uXXXX. In JSON, these
// characters occur only in strings. Without these characters, it returns b itself.
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
