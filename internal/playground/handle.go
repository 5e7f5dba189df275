package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

type request struct {
	// Do is "about", "lint", "server" or "fix".
	Do string `json:"do"`
	Question
	Which
}

// reply has either Error or Result.
type reply struct {
	Error  *failure `json:"error,omitempty"`
	Result any      `json:"result,omitempty"`
}

// failure says why there is no result.
type failure struct {
	// About is "gates" if the feature gates are wrong, otherwise "".
	About string `json:"about"`
	Text  string `json:"text"`
}

// About has the data that the page needs before its first question.
type About struct {
	// Releases has the known releases, the oldest first.
	Releases []string `json:"releases"`
	// Rules has the titles of the rules by ID.
	Rules map[string]string `json:"rules"`
	// MaxText is the maximal size of a text in bytes.
	MaxText int `json:"maxText"`
}

// Handle answers a request. The request and the reply are JSON.
func Handle(ctx context.Context, message []byte) []byte {
	var r request
	var result any
	err := json.Unmarshal(message, &r)
	if err == nil {
		result, err = r.answer(ctx)
	}
	answer := reply{Result: result}
	if err != nil {
		answer = reply{Error: &failure{Text: err.Error()}}
		if errors.As(err, new(*GatesError)) {
			answer.Error.About = "gates"
		}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return []byte(`{"error": {"about": "", "text": "the answer cannot be written"}}`) // not possible: replies have only texts and numbers
	}
	return out
}

func (r *request) answer(ctx context.Context) (any, error) {
	switch r.Do {
	case "about":
		return about(), nil
	case "lint":
		return Lint(ctx, r.Question)
	case "server":
		return Answer(ctx, r.Question)
	case "fix":
		return Fix(ctx, r.Question, r.Which)
	}
	return nil, fmt.Errorf("unknown request %.20q", r.Do)
}

func about() *About {
	a := &About{Rules: map[string]string{}, MaxText: MaxText}
	for m := lifecycle.Oldest; m <= lifecycle.Newest; m++ {
		a.Releases = append(a.Releases, m.String())
	}
	for _, r := range manifestRules() {
		a.Rules[r.ID] = r.Title
	}
	return a
}
