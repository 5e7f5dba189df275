package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/columns"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type apiRow struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespaced bool   `json:"namespaced"`
	// Class is "resource", "list" or "subresource".
	Class string `json:"class"`
	// Introduced, Deprecated and Removed are the minors, such as "1.25", in which the API
	// is introduced, deprecated and removed. An empty string means never. Removed may be
	// a future minor.
	Introduced string `json:"introduced,omitempty"`
	Deprecated string `json:"deprecated,omitempty"`
	Removed    string `json:"removed,omitempty"`
	// Replacement is the API to use instead, such as "networking.k8s.io/v1 Ingress", or
	// empty. It is the replacement in the newest minor of the target that has the old
	// API. If no minor of the target has the old API, it is the replacement in the newest
	// minor of the target.
	Replacement string `json:"replacement,omitempty"`
	// States are the states of the API in the minors of the target, oldest first.
	States []apiState `json:"states"`
	// Warning is the text of the Warning header for this API in the newest minor of the
	// target that has the API. It is empty if that server sends no warning.
	Warning string `json:"warning,omitempty"`
}

// apiState is a state of an API, with the minors of the target that have this state.
type apiState struct {
	State  string `json:"state"`
	Minors string `json:"minors"`
	// Gate is the feature gate that disables the API because the gate is off. Otherwise
	// it is empty.
	Gate string `json:"gate,omitempty"`

	minors lifecycle.Minors
}

func newAPIRow(api lifecycle.API, t lifecycle.Target) apiRow {
	r := apiRow{
		APIVersion: api.GroupVersion(),
		Kind:       api.Kind(),
		Resource:   api.Resource(),
		Namespaced: api.Namespaced(),
		Class:      api.Class().String(),
		Introduced: api.Introduced().String(),
		Deprecated: api.Deprecated().String(),
		Removed:    api.Removed().String(),
	}
	at := t.To
	if has := (api.ServedMinors(t) | api.DisabledMinors(t)).Newest(); has != 0 {
		at = has
		r.Warning = api.Warning(has)
	}
	if r.Deprecated != "" || r.Removed != "" {
		if replacement, _ := api.ReplacementAt(at, t); !replacement.IsZero() {
			r.Replacement = replacement.String()
		}
	}
	for m := range t.All() {
		s := apiState{State: api.State(m, t).String(), minors: lifecycle.Minors(0).With(m)}
		if s.State == lifecycle.Disabled.String() {
			s.Gate = api.DisabledBy(m, t)
		}
		i := slices.IndexFunc(r.States, func(o apiState) bool { return o.State == s.State && o.Gate == s.Gate })
		if i < 0 {
			r.States = append(r.States, s)
		} else {
			r.States[i].minors = r.States[i].minors.With(m)
		}
	}
	for i := range r.States {
		r.States[i].Minors = r.States[i].minors.String()
	}
	return r
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// minorsText returns a set of minors such as "1.31..1.33", or "" for all minors of the
// target.
func minorsText(minors lifecycle.Minors, t lifecycle.Target) string {
	if minors == t.Minors() {
		return ""
	}
	return " " + strings.ReplaceAll(minors.String(), ",", ", ")
}

// stateText returns the states of an API in the target, such as "served", or "served
// 1.31..1.33, removed 1.34..1.37".
func (r apiRow) stateText(t lifecycle.Target) string {
	parts := make([]string, len(r.States))
	for i, s := range r.States {
		parts[i] = s.State + minorsText(s.minors, t)
		if s.Gate != "" {
			parts[i] += " (feature gate " + s.Gate + ")"
		}
	}
	return strings.Join(parts, ", ")
}

// writeAPIs prints rows and custom in a format. The table formats print nothing for an
// empty list.
func writeAPIs(a *app.App, rows []apiRow, custom []projectRow, t lifecycle.Target, format string, color bool) error {
	switch format {
	case "json":
		return a.WriteJSON(struct {
			Target string   `json:"target"`
			APIs   []apiRow `json:"apis"`
			// ProjectAPIs are custom resources of well-known projects, such as
			// cert-manager.
			ProjectAPIs []projectRow `json:"projectAPIs,omitempty"`
		}{t.String(), append([]apiRow{}, rows...), custom})
	case "jsonl":
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		for _, r := range rows {
			if err := encoder.Encode(r); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
		}
		for _, r := range custom {
			if err := encoder.Encode(r); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
		}
		return a.Write(b.String())
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		cells[i] = []string{r.APIVersion, r.Kind, r.stateText(t), orDash(r.Deprecated), orDash(r.Removed), orDash(r.Replacement)}
	}
	text, err := apiTable([]string{"API", "KIND", "STATE", "DEPRECATED", "REMOVED", "REPLACEMENT"}, cells, format, color)
	if err != nil {
		return err
	}
	cells = make([][]string, len(custom))
	for i, r := range custom {
		cells[i] = []string{r.APIVersion, r.Kind, r.Project, r.stateText(), orDash(r.Deprecated), orDash(r.Removed), orDash(r.Replacement)}
	}
	more, err := apiTable([]string{"API", "KIND", "PROJECT", "STATE", "DEPRECATED", "REMOVED", "REPLACEMENT"}, cells, format, color)
	if err != nil {
		return err
	}
	if text != "" && more != "" {
		text += "\n"
	}
	return a.Write(text + more)
}

// apiTable returns a table in a format, or "" if there are no rows.
func apiTable(header []string, cells [][]string, format string, color bool) (string, error) {
	if len(cells) == 0 {
		return "", nil
	}
	if format == "markdown" {
		return columns.Markdown(header, cells, columns.Escape), nil
	}
	return columns.Text(header, cells, color)
}
