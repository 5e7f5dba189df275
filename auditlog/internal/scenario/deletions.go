package scenario

import "time"

// Delete deletes the object. An object with finalizers stays until an update
// removes the last one.
func (s *Server) Delete(c Client, t Target) {
	if o := s.store[t.key()]; o != nil && len(finalizers(o)) > 0 {
		meta(o)["deletionTimestamp"] = s.now.Format(time.RFC3339)
	} else {
		s.remove(t)
	}
	s.log(c, t, request{verb: "delete", code: 200, named: true, body: Object{"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"},
		answer: Object{"kind": "Status", "apiVersion": "v1", "metadata": Object{}, "status": "Success"}})
}

func (s *Server) remove(t Target) {
	delete(s.store, t.key())
	delete(s.managed, t.key())
}

func finalizers(o Object) []any {
	list, _ := meta(o)["finalizers"].([]any)
	return list
}

// DeleteAll deletes all objects of the target's kind in its namespace.
func (s *Server) DeleteAll(c Client, t Target) {
	o := s.stored(t)
	s.remove(t)
	t.Name = ""
	s.log(c, t, request{verb: "deletecollection", code: 200, body: Object{"kind": "DeleteOptions", "apiVersion": "v1"},
		answer: Object{"kind": t.Kind + "List", "apiVersion": t.apiVersion(), "metadata": Object{}, "items": []any{o}}})
}
