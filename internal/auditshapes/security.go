package auditshapes

import (
	"encoding/json"
	"fmt"
	"time"
)

// security returns the formats of tools that watch requests.
func security() []Shape {
	return []Shape{
		partialFile("falco-alerts", "https://falco.org/docs/concepts/outputs/", Some, "falco.jsonl", func(l Log) string {
			return each(func(_ int, e Event) string {
				var user struct{ Username string }
				check(json.Unmarshal(e.User, &user))
				return text(object{
					"hostname": "cp-0", "output": "kube audit", "priority": "Notice", "rule": "Any", "source": "k8s_audit", "tags": []string{"k8s"}, "time": e.Time.Format("2006-01-02T15:04:05.000000000Z"),
					"output_fields": object{"jevt.time": e.Time.Format("15:04:05.000000000"), "evt.time": e.Time.UnixNano(), "ka.auditid": e.AuditID, "ka.stage": e.Stage, "ka.uri": e.RequestURI, "ka.verb": e.Verb, "ka.user.name": user.Username, "ka.useragent": e.UserAgent},
				})
			})(l)
		}),
		partialFile("kube-audit-rest", "https://github.com/RichardoC/kube-audit-rest", Some, "kube-audit-rest.log", func(l Log) string {
			return each(func(i int, e Event) string { return text(review(i, e)) })(admissionEvents(l))
		}),
		partialFile("kube-audit-rest-array", "https://github.com/RichardoC/kube-audit-rest", Some, "kube-audit-rest.json", func(l Log) string {
			var all []object
			for i, e := range admissionEvents(l) {
				all = append(all, review(i, e))
			}
			return text(all)
		}),
		partialFile("admission-reviews", "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/", Some, "reviews.jsonl", func(l Log) string {
			return each(func(i int, e Event) string {
				r := review(i, e)
				delete(r, "requestReceivedTimestamp")
				return text(r)
			})(admissionEvents(l))
		}),
	}
}

// admissionEvents returns the events of successful requests that admission webhooks see.
func admissionEvents(l Log) Log {
	var out Log
	for _, e := range l {
		switch e.Verb {
		case "create", "update", "patch", "delete":
			if e.Stage == "ResponseComplete" && e.ObjectRef != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// review returns the AdmissionReview that the API server sends to a webhook, with the
// time that kube-audit-rest adds.
func review(i int, e Event) object {
	var ref struct{ Resource, Subresource, Namespace, Name, APIGroup, APIVersion string }
	check(json.Unmarshal(e.ObjectRef, &ref))
	verbs := map[string]string{"create": "CREATE", "update": "UPDATE", "patch": "UPDATE", "delete": "DELETE"}
	resource := object{"group": ref.APIGroup, "version": ref.APIVersion, "resource": ref.Resource}
	request := object{
		"uid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "kind": object{"group": ref.APIGroup, "version": ref.APIVersion, "kind": "X"}, "resource": resource,
		"requestKind": object{"group": ref.APIGroup, "version": ref.APIVersion, "kind": "X"}, "requestResource": resource,
		"name": ref.Name, "operation": verbs[e.Verb], "userInfo": e.User, "dryRun": false, "options": object{"apiVersion": "meta.k8s.io/v1", "kind": "UpdateOptions"},
	}
	if ref.Namespace != "" {
		request["namespace"] = ref.Namespace
	}
	if ref.Subresource != "" {
		request["subResource"] = ref.Subresource
	}
	if e.Response != nil {
		request["object"] = e.Response
	}
	return object{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request, "requestReceivedTimestamp": e.Received.Format(time.RFC3339Nano)}
}
