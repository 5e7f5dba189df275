package dryrun

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// Name is how a source is called in a message: "dryRun", "o.DryRun
// (--dry-run)", "--dry-run".
func (s *Source) Name() string {
	name := s.Object.Name()
	switch {
	case s.Kind == Local && s.Flag != "" && s.called:
		return "--" + s.Flag
	case s.called:
		return name + "()"
	case s.Base != nil && s.Base.Name() != "" && s.Base.Name() != "_":
		name = s.Base.Name() + "." + name
	}
	if s.Flag != "" {
		name += " (--" + s.Flag + ")"
	}
	return name
}

// Cure says how a write is made a dry run.
func Cure(c *apicall.Call) string {
	if c == nil {
		return "hand the dry run on, or leave the call out"
	}
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource:
		return "leave it out or pass client.DryRunAll"
	case apicall.CreateOr:
		return "leave it out or use client.NewDryRunClient"
	case apicall.Helper:
		return "leave it out or call DryRun(true) on the helper"
	case apicall.Wrapper:
		return "leave it out or ask it for a dry run"
	}
	if !c.HasOptions {
		return "leave it out"
	}
	return "leave it out or set DryRun: []string{metav1.DryRunAll}"
}

// Here reports whether the source is declared in the package that is analysed,
// so that a message can point at it.
func (s *Source) Here() bool { return s.here }

// Describe says what a write does, such as "deletes a Pod" or, where the kind
// is not known, "deletes an object".
func Describe(c *apicall.Call) string {
	kind := c.GVK.Kind
	if n := namedOf(c.ObjectType); kind == "" && n != nil {
		if _, iface := n.Underlying().(*types.Interface); !iface && !strings.HasPrefix(n.Obj().Name(), "Unstructured") {
			kind = n.Obj().Name()
		}
	}
	kind = strings.TrimSuffix(kind, "ApplyConfiguration")
	what := "an object"
	switch {
	case kind != "" && strings.ContainsRune("AEIOU", rune(kind[0])):
		what = "an " + kind
	case kind != "":
		what = "a " + kind
	}
	switch c.Verb {
	case apicall.VerbCreate:
		return "creates " + what
	case apicall.VerbUpdate:
		return "updates " + what
	case apicall.VerbPatch:
		return "patches " + what
	case apicall.VerbApply:
		return "applies " + what
	case apicall.VerbDelete:
		return "deletes " + what
	case apicall.VerbDeleteCollection:
		if kind == "" {
			return "deletes objects"
		}
		return "deletes every matching " + kind
	case apicall.VerbScale:
		return "scales " + what
	case apicall.VerbEvict:
		return "evicts a Pod"
	case apicall.VerbBind:
		return "binds a Pod"
	case apicall.VerbApproval:
		return "approves " + what
	case apicall.VerbCreateOrUpdate:
		return "creates or updates " + what
	case apicall.VerbCreateOrPatch:
		return "creates or patches " + what
	}
	return "writes " + what
}
