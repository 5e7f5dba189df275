package contention

import (
	"testing"
)

// TestAdvice checks the texts about each mechanism. They depend on what each
// writer does to the field.
func TestAdvice(t *testing.T) {
	value := func(text string) []Value { return []Value{{Kind: ValueJSON, Text: text}} }
	absent := []Value{{Kind: ValueAbsent}}
	a := Side{Writer: Writer{User: "a", Agent: "a-operator"}}
	b := Side{Writer: Writer{User: "b", Agent: "b-operator"}}
	hook := Side{Writer: Writer{User: "config", Agent: "w.example.com", Webhook: true}, How: []How{HowWebhook}}
	argo := Side{Writer: Writer{User: "argo", Agent: "argocd-application-controller"}}
	hpa := Side{Writer: Writer{User: "system:serviceaccount:kube-system:horizontal-pod-autoscaler", Agent: "kube-controller-manager/horizontal-pod-autoscaler"}}
	sealed := Side{Writer: Writer{User: "system:serviceaccount:kube-system:sealed-secrets-controller", Agent: "controller"}}
	kcm := Side{Writer: Writer{User: "system:serviceaccount:kube-system:deployment-controller", Agent: "kube-controller-manager/deployment-controller"}}
	by := func(s Side, how How) Side { s.How = []How{how}; return s }
	reads := func(s Side) Side { s.How, s.rereads = []How{HowUpdate}, true; return s }
	same := func(s Side, how How) Side { s.Manager, s.How = "shared", []How{how}; return s }
	for _, c := range []struct {
		name      string
		mechanism Mechanism
		sides     []Side
		values    [][]Value // nil if the field is unknown
		text, fix string
	}{
		{"both update, both set", FullUpdate, []Side{by(a, HowUpdate), reads(b)}, [][]Value{value("3"), value("5")},
			"a-operator and b-operator set spec.x, each to a value of its own (both by full update)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator or b-operator: send the value of the field as it was read, or patch other fields only",
		},
		{"an update omits what a patch sets", FullUpdate, []Side{by(a, HowUpdate), by(b, HowMergePatch)}, [][]Value{absent, value("5")},
			"a-operator updates the whole object without spec.x, and so removes what b-operator writes",
			"have a-operator apply or patch only the fields that it owns, or keep in its update what it reads",
		},
		{"an update of what was read removes what a patch sets", FullUpdate, []Side{reads(a), by(b, HowMergePatch)}, [][]Value{absent, value("5")},
			"b-operator sets spec.x, and a-operator removes it (a-operator by full update, b-operator by merge patch)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator: send the value of the field as it was read, or patch other fields only. For b-operator: leave the field out of the patch",
		},
		{"an update sets what a patch removes", FullUpdate, []Side{by(a, HowUpdate), by(b, HowJSONPatch)}, [][]Value{value("3"), absent},
			"a-operator sets spec.x, and b-operator removes it (a-operator by full update, b-operator by JSON patch)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator: send the value of the field as it was read, or patch other fields only. For b-operator: leave the field out of the patch",
		},
		{"an update and a patch set", FullUpdate, []Side{by(a, HowUpdate), by(b, HowMergePatch)}, [][]Value{value("3"), value("5")},
			"a-operator and b-operator set spec.x, each to a value of its own (a-operator by full update, b-operator by merge patch)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator: send the value of the field as it was read, or patch other fields only. For b-operator: leave the field out of the patch",
		},
		{"an update and an apply set", FullUpdate, []Side{by(a, HowUpdate), by(argo, HowForcedApply)}, [][]Value{value("3"), value("5")},
			"a-operator and argocd-application-controller set spec.x, each to a value of its own (a-operator by full update, argocd-application-controller by forced apply)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator: send the value of the field as it was read, or patch other fields only. For argocd-application-controller: add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"an update omits what two set", FullUpdate, []Side{by(a, HowUpdate), by(b, HowPatch), by(argo, HowForcedApply)}, [][]Value{absent, value("3"), value("5")},
			"a-operator updates the whole object without spec.x, and so removes what b-operator and argocd-application-controller write",
			"have a-operator apply or patch only the fields that it owns, or keep in its update what it reads",
		},
		{"updates, fields unknown", FullUpdate, []Side{by(a, HowUpdate), by(b, HowPatch)}, nil,
			"a-operator and b-operator write the object in turn (a-operator by full update, b-operator by patch); this log does not show which fields",
			"log the object at level Request or RequestResponse to see the fields and values. If they write the same field, decide which of them sets it; if not, a-operator should apply or patch only its own fields",
		},
		{"both force", ForcedApply, []Side{by(argo, HowForcedApply), by(b, HowForcedApply)}, [][]Value{value("3"), value("5")},
			"argocd-application-controller and b-operator set spec.x, each to a value of its own (both by forced apply); force takes the field from its owner without a conflict",
			"decide which of the two sets spec.x, and let the other give it up. For argocd-application-controller: add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true. For b-operator: leave the field out of the applied configuration. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"one forces, one patches", ForcedApply, []Side{by(argo, HowForcedApply), by(b, HowMergePatch)}, [][]Value{value("3"), value("5")},
			"argocd-application-controller and b-operator set spec.x, each to a value of its own (argocd-application-controller by forced apply, b-operator by merge patch); force takes the field from its owner without a conflict",
			"decide which of the two sets spec.x, and let the other give it up. For argocd-application-controller: add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true. For b-operator: leave the field out of the patch. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"one forces, one removes", ForcedApply, []Side{by(a, HowForcedApply), by(b, HowJSONPatch)}, [][]Value{value("3"), absent},
			"a-operator sets spec.x, and b-operator removes it (a-operator by forced apply, b-operator by JSON patch); force takes the field from its owner without a conflict",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator: leave the field out of the applied configuration. For b-operator: leave the field out of the patch. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"one forces, fields unknown", ForcedApply, []Side{by(a, HowForcedApply), by(b, HowPatch)}, nil,
			"a-operator and b-operator write the object in turn (a-operator by forced apply, b-operator by patch); this log does not show which fields",
			"log the object at level Request or RequestResponse to see the fields and values. If they write the same field, decide which of them sets it; if not, they do not fight",
		},
		{"both patch", Patches, []Side{by(a, HowMergePatch), by(b, HowJSONPatch)}, [][]Value{value("3"), value("5")},
			"a-operator and b-operator set spec.x, each to a value of its own (a-operator by merge patch, b-operator by JSON patch)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator or b-operator: leave the field out of the patch",
		},
		{"three patch", Patches, []Side{by(a, HowMergePatch), by(b, HowMergePatch), by(argo, HowMergePatch)}, [][]Value{value("3"), value("5"), value("7")},
			"a-operator, b-operator and argocd-application-controller set spec.x, each to a value of its own (all by merge patch)",
			"decide which of them sets spec.x, and let the others give it up. For a-operator or b-operator: leave the field out of the patch. For argocd-application-controller: add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true",
		},
		{"patches, values unknown", Patches, []Side{by(a, HowMergePatch), by(b, HowMergePatch)}, [][]Value{nil, nil},
			"a-operator and b-operator write different values of spec.x (both by merge patch)",
			"decide which of the two sets spec.x, and let the other give it up. For a-operator or b-operator: leave the field out of the patch",
		},
		{"patches, fields unknown", Patches, []Side{by(a, HowPatch), by(b, HowPatch)}, nil,
			"a-operator and b-operator write the object in turn (both by patch); this log does not show which fields",
			"log the object at level Request or RequestResponse to see the fields and values. If they write the same field, decide which of them sets it; if not, they do not fight",
		},
		{"one manager", SharedManager, []Side{same(a, HowForcedApply), same(b, HowForcedApply)}, [][]Value{value("3"), value("5")},
			"a-operator and b-operator write under one field manager, so that the server takes them for one writer and reports no conflict",
			"give each program a field manager of its own. Then decide which of the two sets spec.x, and let the other give it up. For a-operator or b-operator: leave the field out of the applied configuration. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"a webhook adds", ByWebhook, []Side{hook, by(a, HowUpdate)}, [][]Value{value("1"), absent},
			"webhook w.example.com sets spec.x, which a-operator leaves out of every full update",
			"have a-operator change only its own fields, by apply or by a patch, or send the webhook's value as well; or exempt the object in the selectors or matchConditions of the webhook",
		},
		{"a webhook overwrites", ByWebhook, []Side{hook, by(a, HowUpdate)}, [][]Value{value("1"), value("2")},
			"webhook w.example.com overwrites the value of spec.x that a-operator sends",
			"decide which of them sets spec.x: remove it from what a-operator sends or send the webhook's value; or exempt the object in the selectors or matchConditions of the webhook",
		},
		{"a webhook, values unknown", ByWebhook, []Side{hook, by(a, HowUpdate)}, nil,
			"webhook w.example.com changes the object in every update of a-operator",
			"log the object at level Request or higher to see the fields. Have a-operator change only its own fields, by apply or by a patch; or exempt the object in the selectors or matchConditions of the webhook",
		},
		{"an autoscaler and an apply", Scale, []Side{by(hpa, HowScale), by(argo, HowForcedApply)}, [][]Value{value("3"), value("5")},
			"kube-controller-manager/horizontal-pod-autoscaler scales the object, and argocd-application-controller sets spec.replicas again",
			"leave spec.replicas to kube-controller-manager/horizontal-pod-autoscaler. For argocd-application-controller: add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true. Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner",
		},
		{"an autoscaler and an update", Scale, []Side{by(hpa, HowScale), by(a, HowUpdate)}, [][]Value{value("3"), value("5")},
			"kube-controller-manager/horizontal-pod-autoscaler scales the object, and a-operator sets spec.replicas again",
			"leave spec.replicas to kube-controller-manager/horizontal-pod-autoscaler. For a-operator: send the value of the field as it was read, or patch other fields only",
		},
		{"delete and create", DeleteRecreate, []Side{by(a, HowDelete), by(b, HowCreate)}, [][]Value{absent, value("")},
			"a-operator deletes the object, and b-operator creates it again",
			"decide whether the object is to exist: remove it from what b-operator creates, or exempt it from what a-operator deletes",
		},
		{"an apply of what was read", ApplyOfFetched, []Side{by(a, HowForcedApply), by(b, HowForcedApply)}, [][]Value{value("3"), value("5")},
			"a-operator and b-operator apply the object as it was read, and so take every field of it",
			"build what is applied from scratch, with only the fields that the program is to set",
		},
		{"an atomic list", AtomicList, []Side{by(a, HowForcedApply), by(b, HowForcedApply)}, [][]Value{value("[3]"), value("[5]")},
			"spec.x is an atomic list: a write of one item replaces the whole list",
			"let one writer own the list, and the other give it up. For a-operator or b-operator: leave the field out of the applied configuration",
		},
		{"one writer", Self, []Side{by(a, HowUpdate)}, [][]Value{value("3")},
			"a-operator writes one value of spec.x and then another, again and again",
			"look for two code paths, replicas or settings of this program that want different values, and for a value that each run computes differently",
		},
		{"an apply removes", ForcedApply, []Side{by(a, HowForcedApply), by(b, HowMergePatch)}, [][]Value{absent, value("5")},
			"a-operator removes spec.x by applying without it, and b-operator sets it again",
			"let b-operator set the field by server-side apply, under a field manager of its own: an apply without a field removes it only if no other manager owns it",
		},
		{"an operator of a namespace", FullUpdate, []Side{by(sealed, HowUpdate), by(b, HowUpdate)}, [][]Value{value("3"), value("5")},
			"controller and b-operator set spec.x, each to a value of its own (both by full update)",
			"decide which of the two sets spec.x, and let the other give it up. For controller or b-operator: send the value of the field as it was read, or patch other fields only",
		},
		{"a controller of Kubernetes", Scale, []Side{by(a, HowScale), by(kcm, HowScale)}, [][]Value{value("3"), value("5")},
			"a-operator and kube-controller-manager/deployment-controller scale the object, each to a number of its own",
			"decide which of the two sets spec.replicas, and let the other give it up. For a-operator: stop scaling the object. kube-controller-manager/deployment-controller is a controller of Kubernetes and follows the object that owns this one: change that instead",
		},
		{"a scaling job", Scale, []Side{by(a, HowScale), by(b, HowMergePatch)}, [][]Value{value("3"), value("5")},
			"a-operator scales the object, and b-operator sets spec.replicas again",
			"decide which of the two sets spec.replicas, and let the other give it up. For a-operator: stop scaling the object. For b-operator: leave the field out of the patch",
		},
		{"delete what a controller creates", DeleteRecreate, []Side{by(a, HowDelete), by(kcm, HowCreate)}, [][]Value{absent, value("")},
			"a-operator deletes the object, and kube-controller-manager/deployment-controller creates it again",
			"decide whether the object is to exist: change or delete the object that owns it, for which kube-controller-manager/deployment-controller creates it, or exempt it from what a-operator deletes",
		},
	} {
		f := &Fight{Sides: c.sides}
		if c.values != nil {
			f.Fields = []Field{{Path: "spec.x", Values: c.values}}
		}
		got := advise(c.mechanism, f)
		if got.Text != c.text || got.Fix != c.fix {
			t.Errorf("%s:\n\t%s\n\t%s\nwant\n\t%s\n\t%s", c.name, got.Text, got.Fix, c.text, c.fix)
		}
	}
}

// TestAdviceForParts checks the advice for writers that remove each other's items of a
// list.
func TestAdviceForParts(t *testing.T) {
	set, absent := []Value{{Kind: ValueJSON, Text: "1"}}, []Value{{Kind: ValueAbsent}}
	f := &Fight{
		Sides: []Side{{Writer: Writer{Agent: "a"}, How: []How{HowMergePatch}}, {Writer: Writer{Agent: "b"}, How: []How{HowMergePatch}}},
		Fields: []Field{
			{Path: "spec.listeners[name=http].port", Values: [][]Value{set, absent}}, {Path: "spec.listeners[name=https].port", Values: [][]Value{absent, set}},
		},
	}
	got := advise(Patches, f)
	if want := "a and b set different parts of spec.listeners, and each removes the other's (both by merge patch)"; got.Text != want {
		t.Errorf("%s, want %s", got.Text, want)
	}
	if want := "keep what the other set: by server-side apply if the list has keys (x-kubernetes-list-type: map), or by an update of the object as it was read; or let one writer own all of spec.listeners"; got.Fix != want {
		t.Errorf("%s, want %s", got.Fix, want)
	}
}
