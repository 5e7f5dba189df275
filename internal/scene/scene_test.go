package scene

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestAsks(t *testing.T) {
	for _, c := range []struct {
		scene  Scene
		server string
		want   bool
	}{
		{Scene{}, "1.30", true},
		{Scene{}, "1.33-mutating", false},
		{Scene{From: "1.33"}, "1.30", false},
		{Scene{From: "1.33"}, "1.33", true},
		{Scene{To: "1.30"}, "1.33", false},
		{Scene{From: "1.9"}, "1.30", true},
		{Scene{Gates: "mutating"}, "1.33-mutating", true},
		{Scene{Gates: "mutating"}, "1.33", false},
	} {
		if got := c.scene.IsFor(c.server); got != c.want {
			t.Errorf("%+v asks %s: %t, want %t", c.scene, c.server, got, c.want)
		}
	}
}

func TestObjects(t *testing.T) {
	object := func(text string) json.RawMessage { return json.RawMessage(text) }
	first := object(`{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"},"spec":1}`)
	second := object(`{"apiVersion":"example.com/v2","kind":"A","metadata":{"name":"a"},"spec":2}`)
	other := object(`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`)
	refused := object(`{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}`)
	s := Scene{Before: []json.RawMessage{first, other}, Context: []json.RawMessage{second, refused}}
	got := s.Objects(Answers{Context: []Answer{{Code: 200}, {Code: 422}}})
	if want := []json.RawMessage{other, second}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWarningTexts(t *testing.T) {
	a := Answer{Warnings: []string{`299 - "a \"b\" \\c"`, "other"}}
	if got, want := a.WarningTexts(), []string{`a "b" \c`, "other"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
