package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// managedEntry is one entry of managedFields. Its fields are keyed by path. The
// elements of a path have the form of FieldsV1, such as f:spec or
// k:{"name":"c"}.
type managedEntry struct {
	manager, operation, subresource, version string
	fields                                   map[string]bool
	time                                     string
}

const between = "\x00" // separates the elements of a path

// manage updates managedFields after a write changed the object from old to
// now. It has the same result as a server (structured-merge-diff,
// merge.Updater). A client that applies owns the fields in applied. A client
// that updates owns the fields that it changed. If a field has changed, its
// earlier owners lose it, unless they applied the same value.
func (s *Server) manage(t Target, c Client, sub string, old, now, applied Object) {
	manager := c.Manager
	if manager == "" {
		manager, _, _ = strings.Cut(c.Agent, "/")
	}
	before, after := leavesOf(old), leavesOf(now)
	entries := s.managed[t.key()]
	operation, owned := "Update", map[string]bool{}
	changed := map[string]bool{}
	for p, v := range after {
		if x, known := before[p]; !known || x != v {
			changed[p] = true
		}
	}
	if applied != nil {
		operation = "Apply"
		for p := range leavesOf(applied) {
			owned[p] = true
		}
	} else {
		owned = changed
	}
	mine := -1
	for i := range entries {
		e := &entries[i]
		if e.manager == manager && e.operation == operation && e.subresource == sub {
			mine = i
			continue
		}
		maps.DeleteFunc(e.fields, func(p string, _ bool) bool {
			_, there := after[p]
			return changed[p] || !there
		})
	}
	switch {
	case mine < 0 && len(owned) > 0:
		entries = append(entries, managedEntry{manager: manager, operation: operation, subresource: sub, version: t.apiVersion(), fields: owned, time: s.now.Format("2006-01-02T15:04:05Z")})
	case mine >= 0:
		e := &entries[mine]
		if operation == "Apply" {
			e.fields = owned
		} else {
			maps.DeleteFunc(e.fields, func(p string, _ bool) bool { _, there := after[p]; return !there })
			maps.Copy(e.fields, owned)
		}
		if len(changed) > 0 {
			e.time = s.now.Format("2006-01-02T15:04:05Z")
		}
	}
	entries = slices.DeleteFunc(entries, func(e managedEntry) bool { return len(e.fields) == 0 })
	if s.managed == nil {
		s.managed = map[string][]managedEntry{}
	}
	s.managed[t.key()] = entries
}

// removeUnapplied removes from an object the fields that an apply no longer
// contains, unless they have another owner.
func (s *Server) removeUnapplied(c Client, t Target, o, applied Object) {
	manager := c.Manager
	if manager == "" {
		manager, _, _ = strings.Cut(c.Agent, "/")
	}
	stated := leavesOf(applied)
	gone := map[string]bool{}
	for _, e := range s.managed[t.key()] {
		if e.manager == manager && e.operation == "Apply" {
			for p := range e.fields {
				if _, still := stated[p]; !still {
					gone[p] = true
				}
			}
		}
	}
	for _, e := range s.managed[t.key()] {
		if e.manager != manager || e.operation != "Apply" {
			for p := range e.fields {
				delete(gone, p)
			}
		}
	}
	for p := range gone {
		at := o
		steps := strings.Split(p, between)
		for i, step := range steps {
			name, field := strings.CutPrefix(step, "f:")
			if !field {
				break // list items are not removed
			}
			if i == len(steps)-1 {
				delete(at, name)
				break
			}
			below, _ := at[name].(Object)
			if below == nil {
				break
			}
			at = below
		}
	}
}

// managedFields returns the entries in the form of a response.
func (s *Server) managedFields(t Target) []any {
	var out []any
	for _, e := range s.managed[t.key()] {
		tree := Object{}
		for _, p := range slices.Sorted(maps.Keys(e.fields)) {
			at := tree
			for step := range strings.SplitSeq(p, between) {
				below, _ := at[step].(Object)
				if below == nil {
					below = Object{}
					at[step] = below
				}
				at = below
			}
		}
		out = append(out, managedText(e, tree))
	}
	return out
}

// managedText returns the JSON of an entry, with the keys in the server's
// order.
func managedText(e managedEntry, tree Object) json.RawMessage {
	sub := ""
	if e.subresource != "" {
		sub = `,"subresource":` + text(e.subresource)
	}
	return json.RawMessage(fmt.Sprintf(`{"manager":%s,"operation":%q,"apiVersion":%q,"time":%q,"fieldsType":"FieldsV1","fieldsV1":%s%s}`,
		text(e.manager), e.operation, e.version, e.time, text(tree), sub))
}

// leavesOf returns the fields of an object that can have an owner, and their
// values.
func leavesOf(o Object) map[string]string {
	out := map[string]string{}
	var walk func(path string, v any, depth int)
	walk = func(path string, v any, depth int) {
		switch x := v.(type) {
		case Object:
			if len(x) > 0 {
				for k, below := range x {
					p := "f:" + k
					if path != "" {
						p = path + between + p
					}
					if depth == 0 && (k == "apiVersion" || k == "kind") || path == "f:metadata" && k != "labels" && k != "annotations" && k != "finalizers" && k != "ownerReferences" {
						continue
					}
					walk(p, below, depth+1)
				}
				return
			}
		case []any:
			keyed := path != ""
			for _, item := range x {
				o, _ := item.(Object)
				keyed = keyed && o["name"] != nil
			}
			if keyed && len(x) > 0 {
				for _, item := range x {
					o := item.(Object)
					walk(path+between+`k:{"name":`+text(o["name"])+`}`, o, depth+1)
				}
				return
			}
		}
		out[path] = text(v)
	}
	walk("", o, 0)
	delete(out, "")
	return out
}
