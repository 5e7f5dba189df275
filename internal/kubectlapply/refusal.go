package kubectlapply

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// refusal is an error in two forms. kubectl prints alone if it is the only error, and
// among if there are more errors.
type refusal struct{ alone, among string }

func plainRefusal(text string) *refusal { return &refusal{"error: " + text, text} }

func (k *Apply) reportResult(warnings []apiserver.Warning, done string, refused *refusal) func(manifestlint.Event) error {
	return func(e manifestlint.Event) error {
		if k.ended == e.Input {
			return nil
		}
		for _, r := range k.Reports {
			for _, w := range warnings {
				if err := r.Warning(w.Text); err != nil {
					return err
				}
			}
			if refused != nil {
				r.Refused(refused.alone, refused.among)
			} else if err := r.Applied(done); err != nil {
				return err
			}
		}
		return nil
	}
}

// clientDecoding returns the text of an error about metadata, which kubectl decodes
// before it sends anything (cli-runtime, metadata_decoder.go). It returns false for other
// errors.
func clientDecoding(c apiserver.Cause) (string, bool) {
	at := strings.Index(c.Text, "json: cannot unmarshal ")
	if c.Code != http.StatusBadRequest || at < 0 || !strings.Contains(c.Text[at:], " into Go struct field ObjectMeta.metadata") {
		return "", false
	}
	return c.Text[at:], true
}

func (p place) nameless() string {
	if generate, ok := strings.CutSuffix(p.object.Name, "*"); ok {
		return fmt.Sprintf("from %s: cannot use generate name with apply", generate)
	}
	return fmt.Sprintf("error when retrieving current configuration of:\n%s\nfrom server for: %q: resource name may not be empty", p.info(), p.source)
}

// refusal returns the text that kubectl prints for the errors of the server.
func (p place) refusal(causes []apiserver.Cause) *refusal {
	doing := fmt.Sprintf("error when creating %q", p.source)
	if p.object.Old != nil {
		// kubectl computes the patch from three states of the object. One state is
		// unknown here, so "…" replaces the patch.
		doing = fmt.Sprintf("error when applying patch:\n…\nto:\n%s\nfor: %q: error when patching %q", p.info(), p.source, p.source)
		if _, strict, ok := strings.Cut(causes[0].Text, "strict decoding error: "); ok && causes[0].Code == http.StatusBadRequest {
			// See endpoints/handlers/patch.go.
			text := "patch: Invalid value: \"…\": strict decoding error: " + strict
			return &refusal{"The request is invalid: " + text, "Error from server (Invalid): " + doing + ":  \"\" is invalid: " + text}
		}
	}
	if denial := causes[0].Policy; denial != nil {
		text := fmt.Sprintf("Error from server (%s): %s: %s", denial.Reason, doing, denial.Message)
		if denial.Reason != "Invalid" {
			return &refusal{text, text}
		}
		// kubectl prints the resource of the server's status, and an empty field, because
		// the cause has none.
		return &refusal{fmt.Sprintf("The %s %q is invalid: : %s", p.resource.Plural, ownName(p.object), causes[0].Text), text}
	}
	if causes[0].Code != http.StatusUnprocessableEntity {
		text := "Error from server"
		if reason := reasonOf(causes[0].Code); reason != "" {
			text += " (" + reason + ")"
		}
		text += ": " + doing + ": " + causes[0].Text
		return &refusal{text, text}
	}
	group, _ := p.groupVersion()
	qualified := p.object.Kind
	if group != "" {
		qualified += "." + group
	}
	var once []string
	seen := map[string]bool{}
	for _, c := range causes {
		if text := c.Field + ": " + c.Text; !seen[text] {
			seen[text] = true
			once = append(once, text)
		}
	}
	alone := fmt.Sprintf("The %s %q is invalid: ", p.object.Kind, ownName(p.object))
	all := once[0]
	if len(once) == 1 {
		alone += once[0]
	} else {
		all = "[" + strings.Join(once, ", ") + "]"
		alone += "\n* " + strings.Join(once, "\n* ")
	}
	return &refusal{alone, fmt.Sprintf("Error from server (Invalid): %s: %s %q is invalid: %s", doing, qualified, ownName(p.object), all)}
}

// reasonOf returns the reason for a status code (apimachinery/pkg/api/errors).
func reasonOf(code int) string {
	switch code {
	case http.StatusBadRequest:
		return "BadRequest"
	case http.StatusForbidden:
		return "Forbidden"
	case http.StatusNotFound:
		return "NotFound"
	case http.StatusMethodNotAllowed:
		return "MethodNotAllowed"
	case http.StatusConflict:
		return "Conflict"
	case http.StatusRequestEntityTooLarge:
		return "RequestEntityTooLarge"
	case http.StatusInternalServerError:
		return "InternalError"
	}
	return ""
}
