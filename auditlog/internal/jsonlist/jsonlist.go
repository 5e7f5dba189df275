// Package jsonlist decodes lists in JSON files that may be hostile.
package jsonlist

import (
	"encoding/json"
	"fmt"
)

// List is a list in a JSON file that json.Marshal wrote. Decoding fails if an
// item is shorter than any item that json.Marshal writes. Otherwise a hostile
// file with items such as {} could use hundreds of bytes of memory for each
// item. The zero value is an empty list.
type List[T any] []T

// UnmarshalJSON decodes the list. data must be valid JSON.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	n := count(data)
	if least := shortest[T](); n > 0 && n > len(data)/least {
		return fmt.Errorf("a list of %d items in %d bytes", n, len(data))
	}
	list := (*[]T)(l)
	*list = nil
	if n > 0 {
		*list = make([]T, 0, n)
	}
	return json.Unmarshal(data, list)
}

// shortest returns a lower limit of the length in bytes of an item's JSON:
// three quarters of the zero value's length. Other values can be a little
// shorter than the zero value, as true is shorter than false.
func shortest[T any]() int {
	var zero T
	text, err := json.Marshal(zero)
	if err != nil {
		return 1 // the zero value of plain data has JSON
	}
	return max(1, len(text)*3/4)
}

// count returns the number of items in a JSON list; 0 if data is not a list.
func count(data []byte) int {
	items, depth := 0, 0
	quoted, empty := false, true
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
			continue
		case c == '[' || c == '{':
			if depth == 0 && c == '{' {
				return 0
			}
			if depth++; depth == 1 {
				continue
			}
		case c == ']' || c == '}':
			depth--
			continue
		case c == ',':
			if depth == 1 {
				items++
			}
			continue
		case c == '"':
			quoted = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case depth == 0:
			return 0
		}
		empty = false
	}
	if empty {
		return 0
	}
	return items + 1
}
