package checks

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

type recordedCase struct {
	ID, Op, Method, Path, Query, CT, File string
	Setup                                 []json.RawMessage
	Obj                                   json.RawMessage
	Raw                                   string
	Hdr, User                             any
}

// comparable reports whether a case can be compared. The case must create or
// update an object, and the answer must not depend on other parts of the
// request.
func (c *recordedCase) comparable(a recordedAnswer) bool {
	if c.CT != "" || c.Hdr != nil || c.User != nil || c.Obj == nil && c.Raw == "" {
		return false
	}
	switch c.Op {
	case "", "create", "update":
	case "merge":
		if strings.Contains(c.Query, "Strict") {
			return false // the answer contains the whole patched object
		}
	default:
		return false
	}
	if c.Method != "" && c.Method != "POST" {
		return false
	}
	if a.Code == 404 && strings.HasSuffix(a.Message, `" not found`) {
		return false // the object of the subresource does not exist
	}
	q, err := url.ParseQuery(c.Query)
	if err != nil {
		return false
	}
	for name, values := range q {
		switch name {
		case "fieldManager":
			if len(values) != 1 || len(values[0]) > 128 || values[0] == "" || strings.ContainsFunc(values[0], func(r rune) bool { return !unicode.IsPrint(r) }) {
				return false
			}
		case "dryRun":
			if slices.ContainsFunc(values, func(v string) bool { return v != "All" }) {
				return false
			}
		case "fieldValidation":
			if !slices.Contains([]string{"Warn", "Strict", "Ignore"}, values[0]) {
				return false
			}
		default:
			return false
		}
	}
	if c.Op == "update" || c.Op == "merge" {
		return len(c.Setup) > 0 && a.Code != 404 && a.Code != 409
	}
	return a.Code != 409
}

// body returns the object that the request sends, and the stored object.
func (c *recordedCase) body(t *testing.T) (body []byte, old *wire.Value) {
	body = []byte(c.Raw)
	if c.Raw == "" {
		body = c.Obj
	}
	if len(c.Setup) == 0 || c.Op == "" || c.Op == "create" {
		return body, nil
	}
	stored := c.Setup[len(c.Setup)-1]
	if c.Op == "merge" {
		var into, patch any
		if json.Unmarshal(stored, &into) != nil || json.Unmarshal(body, &patch) != nil {
			t.Fatalf("%s: not JSON", c.ID)
		}
		merged, err := json.Marshal(merge(into, patch))
		if err != nil {
			t.Fatal(err)
		}
		body = merged
	}
	old, err := wire.JSON(stored)
	if err != nil {
		t.Fatal(err)
	}
	return body, old
}

// merge applies a JSON merge patch (RFC 7386) and returns the result.
func merge(into, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	m, ok := into.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	for k, v := range p {
		if v == nil {
			delete(m, k)
		} else {
			m[k] = merge(m[k], v)
		}
	}
	return m
}

// options sets the options that a case needs.
func (c *recordedCase) options(o *manifestlint.Options, old *wire.Value) {
	switch q, _ := url.ParseQuery(c.Query); q.Get("fieldValidation") {
	case "Strict":
		o.Validation = apiserver.Strict
	case "Ignore":
		o.Validation = apiserver.Ignore
	}
	if old != nil {
		o.Old = func(string, *manifestlint.Object) *wire.Value { return old }
	}
}
