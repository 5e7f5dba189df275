package tally

import (
	"fmt"
	"hash/fnv"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/auditlog/internal/jsonlist"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// State is a tally in a form that can be saved and added to other states. Equal
// counts result in equal states and equal JSON, in whatever order logs were
// read or states were merged.
//
// A request without a last event stays open in a state, because the next log
// may have this event. States must be made from different logs, because common
// events would be counted twice. Shared detects common events.
type State struct {
	// Config has the settings of the tally. Only states with the same Config
	// can be merged.
	Config StateConfig `json:"config"`

	Requests int64           `json:"requests"`
	Copies   int64           `json:"copies"`
	Stages   int64           `json:"stages"`
	Filtered int64           `json:"filtered"`
	First    int64           `json:"first"`
	Last     int64           `json:"last"`
	Server   lifecycle.Minor `json:"server"`
	Overflow Overflow        `json:"overflow"`

	// Clients and APIs are lists. Other fields refer to their elements by
	// index.
	Clients jsonlist.List[stateClient] `json:"clients"`
	APIs    jsonlist.List[stateAPI]    `json:"apis"`

	Uses      jsonlist.List[stateUse]      `json:"uses"`
	Groups    jsonlist.List[stateGroup]    `json:"groups"`
	Maybe     jsonlist.List[stateGroup]    `json:"maybe"`
	OldCRs    jsonlist.List[stateOld]      `json:"oldCustomResources"`
	Open      jsonlist.List[stateOpen]     `json:"open"`
	Ended     []uint64                     `json:"ended"`
	Conflicts jsonlist.List[stateConflict] `json:"conflicts"`
	Refused   jsonlist.List[stateRefused]  `json:"refused"`
	Bodies    jsonlist.List[stateBody]     `json:"bodies"`

	// Denials are the decisions of admission control; nil in a state that was saved before kubevet
	// recorded them.
	Denials *denial.State `json:"denials,omitempty"`

	// Sample is the data for Shared.
	Sample []uint64 `json:"sample"`

	// Objects are the objects that a tally with Config.Live needs to continue.
	// Other tallies have none, and ignore them.
	Objects jsonlist.List[stateObject] `json:"objects,omitempty"`
}

// StateConfig has the settings that must be equal for a merge.
type StateConfig struct {
	// Target is the target of the tally. Verdicts is a fingerprint of the
	// verdicts on all APIs, which depend on the target's settings and on
	// kubevet's version. Filter has the patterns of the filter; "" for none.
	// Bodies is set if the objects that clients sent were checked.
	Target   string `json:"target"`
	Verdicts string `json:"verdicts"`
	Filter   string `json:"filter"`
	Bodies   bool   `json:"bodies"`
}

type (
	stateClient struct {
		User         string   `json:"user"`
		Impersonated string   `json:"impersonated,omitempty"`
		Agent        string   `json:"agent"`
		SourceIP     string   `json:"sourceIP,omitempty"`
		LastIP       string   `json:"lastIP,omitempty"`
		Pod          string   `json:"pod,omitempty"`
		Groups       []string `json:"groups,omitempty"`
		Counts
		Unnamed  *mark            `json:"unnamedAt,omitempty"`
		Managers map[string]int64 `json:"managers,omitempty"`
	}
	stateAPI struct {
		Group       string `json:"group"`
		Version     string `json:"version"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource,omitempty"`
	}
	stateUse struct {
		Client int    `json:"client"`
		API    int    `json:"api"`
		Reads  uint32 `json:"reads,omitempty"`
		Lists  uint32 `json:"lists,omitempty"`
		Writes uint32 `json:"writes,omitempty"`
	}
	stateGroup struct {
		Client    int                    `json:"client"`
		API       int                    `json:"api"`
		Verb      Verb                   `json:"verb"`
		Code      int                    `json:"code"`
		Namespace string                 `json:"namespace,omitempty"`
		Name      string                 `json:"name,omitempty"`
		Removed   string                 `json:"removed,omitempty"`
		Count     int64                  `json:"count"`
		Derived   int64                  `json:"derived,omitempty"`
		Rejected  int64                  `json:"rejected,omitempty"`
		First     int64                  `json:"first,omitempty"`
		Last      int64                  `json:"last,omitempty"`
		Times     Times                  `json:"times"`
		At        mark                   `json:"at"`
		Examples  jsonlist.List[example] `json:"examples,omitempty"`
	}
	stateOld struct {
		API     int    `json:"api"`
		Removed string `json:"removed"`
	}
	stateOpen struct {
		Request   uint64         `json:"request"`
		Object    uint64         `json:"object,omitempty"`
		Client    int            `json:"client"`
		API       int            `json:"api"`
		Verb      Verb           `json:"verb"`
		Stage     auditlog.Stage `json:"stage"`
		Code      int16          `json:"code"`
		Flags     flags          `json:"flags,omitempty"`
		AuditID   string         `json:"auditID,omitempty"`
		Namespace string         `json:"namespace,omitempty"`
		Name      string         `json:"name,omitempty"`
		Removed   string         `json:"removed,omitempty"`
		Detail    bool           `json:"detail,omitempty"`
		At        mark           `json:"at"`
	}
	stateConflict struct {
		Client  int    `json:"client"`
		API     int    `json:"api"`
		Manager string `json:"manager"`
		Field   string `json:"field"`
		Count   int64  `json:"count"`
	}
	stateRefused struct {
		Client int     `json:"client"`
		Kind   Refusal `json:"kind"`
		Text   string  `json:"text"`
		Count  int64   `json:"count"`
	}
	stateBody struct {
		Client  int           `json:"client"`
		API     int           `json:"api"`
		Finding rules.Finding `json:"finding"`
		Count   int64         `json:"count"`
		At      mark          `json:"at"`
		Objects []string      `json:"objects"`
	}
	stateObject struct {
		Object  uint64 `json:"object"`
		Version uint64 `json:"version,omitempty"`
		Stamp   int64  `json:"stamp,omitempty"`
		Read    int64  `json:"read,omitempty"`
		Reader  int    `json:"reader,omitempty"`
	}
)

// config returns the settings that a state needs so that it can be merged.
func (t *Tally) config() StateConfig {
	h := fnv.New64a()
	for a := range lifecycle.All() {
		v := judge(a, t.cfg.Target)
		fmt.Fprintln(h, a.GroupVersion(), a.Kind(), v.removed, v.deprecated)
	}
	return StateConfig{
		Target: t.cfg.Target.String(), Verdicts: fmt.Sprintf("%016x", h.Sum64()), Filter: t.cfg.Filter.String(), Bodies: t.cfg.Judge != nil,
	}
}

// agree returns an error if two configurations differ.
func (c StateConfig) agree(want StateConfig) error {
	switch {
	case c == want:
		return nil
	case c.String() == want.String():
		return fmt.Errorf("the state was made with other feature gates or --runtime-config, or by another kubevet")
	}
	return fmt.Errorf("the state was made with %s, this run counts with %s", c, want)
}

// String describes the settings for a message.
func (c StateConfig) String() string {
	text := "--target " + c.Target
	if c.Filter != "" {
		text += " and filters (" + c.Filter + ")"
	}
	if !c.Bodies {
		text += " without a look at bodies"
	}
	return text
}
