package jsonlist

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

type item struct {
	Name  string   `json:"name"`
	Count int      `json:"count"`
	List  []string `json:"list"`
	Extra int      `json:"extra,omitempty"`
}

func TestList(t *testing.T) {
	for _, want := range []List[item]{
		nil,
		{},
		{{}},
		{{Name: "a"}, {Name: `[{"\],`, List: []string{"x", "]"}}, {Count: 7, List: []string{}}},
	} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got List[item]
		if err := json.Unmarshal(data, &got); err != nil {
			t.Errorf("%s: %v", data, err)
		}
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s became %+v", data, got)
		}
		if n := count(data); n != len(want) {
			t.Errorf("%s has %d items, counted %d", data, len(want), n)
		}
	}
}

func TestListRefuses(t *testing.T) {
	for _, text := range []string{
		"[" + strings.Repeat("{},", 1000) + "{}]",
		"[" + strings.Repeat("null,", 1000) + "null]",
		"[ " + strings.Repeat("{ } , ", 1000) + "{} ]",
		`{"a": 1}`, `"["`, "7",
	} {
		var got List[item]
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%.20s became %d items", text, len(got))
		}
	}
}
