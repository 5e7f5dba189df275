package apicall

import (
	"fmt"
	"go/constant"
	"strings"
)

// String returns the name of a family as in the documentation, such as "typed" or "runtime
// subresource". It is "unknown" for the zero value.
func (f Family) String() string {
	return name(int(f), "unknown", "typed", "dynamic", "metadata", "scale", "rest", "runtime", "runtime subresource", "createor", "helper", "wrapper")
}

// String returns the name of a verb in Kubernetes, such as "deletecollection". It is
// "unknown" for the zero value.
func (v Verb) String() string {
	return name(int(v), "unknown", "create", "update", "patch", "apply", "delete", "deletecollection", "scale", "evict", "bind", "token", "approval", "createorupdate", "createorpatch")
}

// String returns the name of a state: "unknown", "unset", "set" or "passed".
func (s State) String() string { return name(int(s), "unknown", "unset", "set", "passed") }

func name(i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprint(i)
	}
	return names[i]
}

// String describes a setting for people who debug rules: its state, and the known parts of
// its value.
func (s Setting) String() string {
	var b strings.Builder
	b.WriteString(s.State.String())
	switch {
	case s.Constant != nil && s.Constant.Kind() == constant.String:
		fmt.Fprintf(&b, "=%s", constant.StringVal(s.Constant))
	case s.Constant != nil:
		fmt.Fprintf(&b, "=%s", s.Constant)
	case s.Complete:
		fmt.Fprintf(&b, "=[%s]", strings.Join(s.Elements, " "))
	}
	if s.Param != nil {
		fmt.Fprintf(&b, ":%s", s.Param.Name())
	}
	if s.Field != nil {
		fmt.Fprintf(&b, ".%s", s.Field.Name())
	}
	if s.Sometimes {
		b.WriteString("?")
	}
	if s.By == ClientOptions {
		b.WriteString("(client)")
	}
	return b.String()
}

// String describes a call for people who debug rules: the called function, and the known
// parts of its settings.
func (c *Call) String() string {
	parts := []string{c.Family.String(), c.Verb.String()}
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+value)
		}
	}
	add("patch=", c.Patch)
	add("sub=", c.Subresource)
	if c.GVK != (GVK{}) {
		add("", strings.TrimLeft(c.GVK.Group+"/"+c.GVK.Version+"/"+c.GVK.Kind, "/"))
	}
	add("fm=", c.FieldManager.String())
	add("force=", c.Force.String())
	add("dryrun=", c.DryRun.String())
	add("validation=", c.FieldValidation.String())
	if c.CallerOptions != nil {
		add("caller=", c.CallerOptions.Name())
	}
	if c.Instr == nil {
		parts = append(parts, "unreachable")
	}
	return strings.Join(parts, " ")
}
