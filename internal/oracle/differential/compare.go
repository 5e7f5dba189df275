package differential

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/strategies"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

type outcome int

const (
	unasked outcome = iota // only a server could answer
	same
	unseen  // the release refuses an object that kubevet accepts
	differs // kubevet reports something else than the release
)

// compare compares the release's and kubevet's answers to a case. The text describes the
// difference.
func compare(o *strategies.Oracle, c *oracle.Case) (outcome, string, error) {
	want, ok := o.Answer(c)
	if !ok || want.Code >= 500 {
		return unasked, "", nil
	}
	r, err := request(c)
	if err != nil {
		return unasked, "", err
	}
	got := answer.To(apiserver.Server{Minor: strategies.Minor}, r, answer.Surroundings{})
	if slices.ContainsFunc(got.Causes, func(c apiserver.Cause) bool { return strings.HasPrefix(c.Field, podSecurityLabels) }) {
		return unasked, "", nil
	}
	refused := want.Code >= 400
	if refused && answer.Accepted(got) {
		return unseen, fmt.Sprintf("refused: %s", want.Message), nil
	}
	var wrong []string
	if !refused && !answer.Accepted(got) {
		wrong = append(wrong, fmt.Sprintf("kubevet refuses it: %s: %s", got.Causes[0].Field, got.Causes[0].Text))
	} else if code := answer.Code(got, r.Old != nil); code != want.Code {
		wrong = append(wrong, fmt.Sprintf("kubevet's code is %d, not %d", code, want.Code))
	}
	seen := oracle.Comparable(&want)
	for _, cause := range got.Causes {
		if refused && !cause.Inexact && !has(&seen, cause) {
			wrong = append(wrong, fmt.Sprintf("no such cause: %s: %s", cause.Field, cause.Text))
		}
	}
	var mine []string
	for _, w := range got.Warnings {
		mine = append(mine, w.Text)
	}
	if texts := oracle.ComparableTexts(mine); !slices.Equal(texts, seen.Warnings) {
		wrong = append(wrong, "kubevet warns:\n\t"+strings.Join(texts, "\n\t")+"\nthe release warns:\n\t"+strings.Join(seen.Warnings, "\n\t"))
	}
	if wrong == nil {
		return same, "", nil
	}
	return differs, strings.Join(wrong, "\n"), nil
}

// podSecurityLabels is the prefix of fields that admission checks.
const podSecurityLabels = "metadata.labels[pod-security.kubernetes.io/"

// has reports whether an answer contains a cause.
func has(a *oracle.Seen, cause apiserver.Cause) bool {
	text := oracle.Blank(cause.Text)
	if len(a.Causes) == 0 {
		return a.Message == text
	}
	return slices.ContainsFunc(a.Causes, func(c oracle.Cause) bool {
		return c.Message == text && (c.Field == cause.Field || c.Field == "<nil>" && cause.Field == "")
	})
}

// request converts a case to a request for kubevet.
func request(c *oracle.Case) (apiserver.Request, error) {
	r := apiserver.Request{Body: c.Body()}
	body := c.Body()
	if old := c.Old(); old != nil {
		var err error
		if r.Old, err = wire.JSON(old); err != nil {
			return r, err
		}
		if c.Op == "merge" {
			if body, err = merged(old, body); err != nil {
				return r, err
			}
			r.Body = body
		}
	}
	var err error
	r.New, err = wire.JSONAll(body, func(d wire.Duplicate) { r.Duplicates = append(r.Duplicates, d) })
	if err != nil {
		return r, err
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	switch c.Parameter("fieldValidation") {
	case "Strict":
		r.Validation = apiserver.Strict
	case "Ignore":
		r.Validation = apiserver.Ignore
	}
	return r, nil
}

// merged returns an object after a JSON merge patch.
func merged(old, patch []byte) ([]byte, error) {
	var into, from any
	if err := json.Unmarshal(old, &into); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(patch, &from); err != nil {
		return nil, err
	}
	return json.Marshal(merge(into, from))
}

func merge(into, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	target, ok := into.(map[string]any)
	if !ok {
		target = map[string]any{}
	}
	for name, value := range fields {
		if value == nil {
			delete(target, name)
			continue
		}
		target[name] = merge(target[name], value)
	}
	return target
}
