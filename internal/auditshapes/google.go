package auditshapes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	ofGKE    = "https://cloud.google.com/kubernetes-engine/docs/how-to/audit-logging"
	ofEntry  = "https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry"
	ofPubSub = "https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage"
)

// google returns the formats in which Cloud Logging exports logs. It has one entry for
// each request, without earlier stages.
func google() []Shape {
	entryLines := func(l Log) string {
		var b strings.Builder
		for _, e := range entries(l) {
			b.WriteString(text(e) + "\n")
		}
		return b.String()
	}
	return []Shape{
		partialFile("gke-read-json", ofGKE, Requests, "read.json", func(l Log) string { return indented(text(entries(l)), "  ") }),
		partialFile("gke-sink-storage", "https://cloud.google.com/logging/docs/export/storage", Requests, "10:00:00_10:59:59_S0.json", entryLines),
		partialFile("gke-entries-list", "https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list", Requests, "list.json", func(l Log) string {
			return indented(text(object{"entries": entries(l), "nextPageToken": "x"}), "  ")
		}),
		partialFile("gke-read-yaml", "https://cloud.google.com/sdk/gcloud/reference/logging/read", Requests, "read.yaml", func(l Log) string {
			var b strings.Builder
			for _, e := range entries(l) {
				b.WriteString("---\n" + yamlOf(text(e)))
			}
			return b.String()
		}),
		partialFile("gke-pubsub-pull", ofPubSub, Requests, "pull.json", func(l Log) string {
			out := []object{}
			for i, e := range entries(l) {
				out = append(out, object{"ackId": fmt.Sprint("ack", i), "message": message(i, text(e))})
			}
			return indented(text(out), "  ")
		}),
		partialFile("gke-pubsub-rest", ofPubSub, Requests, "rest.json", func(l Log) string {
			out := []object{}
			for i, e := range entries(l) {
				out = append(out, object{"ackId": fmt.Sprint("ack", i), "message": message(i, text(e))})
			}
			return text(object{"receivedMessages": out})
		}),
		partialFile("gke-pubsub-push", "https://cloud.google.com/pubsub/docs/push", Requests, "push.json", func(l Log) string {
			var b strings.Builder
			for i, e := range entries(l) {
				b.WriteString(text(object{"message": message(i, text(e)), "subscription": "projects/shop/subscriptions/audit"}) + "\n")
			}
			return b.String()
		}),
		singleFile("pubsub-of-events", ofPubSub, "pull.json", func(l Log) string {
			out := []object{}
			for i, e := range l {
				out = append(out, object{"ackId": fmt.Sprint("ack", i), "message": message(i, e.Line)})
			}
			return indented(text(out), "  ")
		}),
		singleFile("cloud-logging-json-payload", ofEntry, "payload.json", func(l Log) string {
			out := []object{}
			for _, e := range l {
				out = append(out, object{"insertId": e.AuditID + e.Stage, "jsonPayload": e.raw(), "logName": "projects/shop/logs/kube-apiserver", "resource": object{"type": "k8s_container"}, "timestamp": e.Time.Format(time.RFC3339Nano)})
			}
			return indented(text(out), "  ")
		}),
		singleFile("cloud-logging-text-payload", ofEntry, "payload.jsonl", each(func(_ int, e Event) string {
			return text(object{"insertId": e.AuditID + e.Stage, "textPayload": e.Line, "logName": "projects/shop/logs/kube-apiserver", "resource": object{"type": "k8s_container"}, "timestamp": e.Time.Format(time.RFC3339Nano)})
		})),
		partialFile("gke-bigquery-json", "https://cloud.google.com/logging/docs/export/bigquery", Requests, "bq.json", func(l Log) string {
			var b strings.Builder
			for _, e := range entries(l) {
				b.WriteString(text(bigQuery(e)) + "\n")
			}
			return b.String()
		}),
		partialFile("gke-bigquery-array", "https://cloud.google.com/bigquery/docs/bq-command-line-tool", Requests, "bq.json", func(l Log) string {
			var all []object
			for _, e := range entries(l) {
				all = append(all, bigQuery(e))
			}
			return indented(text(all), "  ")
		}),
		partialFile("gke-bigquery-columns", "https://cloud.google.com/logging/docs/export/bigquery", Nothing, "bq.json", func(l Log) string {
			var b strings.Builder
			for _, e := range entries(l) {
				p := e["protoPayload"].(object)
				b.WriteString(text(object{"logName": e["logName"], "timestamp": e["timestamp"], "insertId": e["insertId"], "protopayload_auditlog": object{"serviceName": "k8s.io", "methodName": p["methodName"], "resourceName": p["resourceName"], "requestJson": "{}"}}) + "\n")
			}
			return b.String()
		}),
		partialFile("gke-log-analytics", "https://cloud.google.com/logging/docs/log-analytics", Requests, "analytics.json", func(l Log) string {
			var all []object
			for _, e := range entries(l) {
				p := e["protoPayload"].(object)
				meta := p["requestMetadata"].(object)
				log := object{
					"service_name": "k8s.io", "method_name": p["methodName"], "resource_name": p["resourceName"], "status": p["status"], "authentication_info": object{"principal_email": p["authenticationInfo"].(object)["principalEmail"]},
					"request_metadata": object{"caller_ip": meta["callerIp"], "caller_supplied_user_agent": meta["callerSuppliedUserAgent"]}, "request": p["request"], "response": p["response"],
				}
				all = append(all, object{
					"insert_id": e["insertId"], "log_name": e["logName"], "timestamp": e["timestamp"], "labels": e["labels"], "operation": e["operation"], "resource": e["resource"], "proto_payload": object{"type": p["@type"], "audit_log": log},
				})
			}
			return indented(text(all), "  ")
		}),
		partialFile("gke-explorer-csv", "https://cloud.google.com/logging/docs/view/logs-explorer-interface", Some, "downloaded-logs.csv", func(l Log) string {
			all := entries(l)
			head := []string{"insertId", "timestamp", "logName", "protoPayload.authenticationInfo.principalEmail", "protoPayload.methodName", "protoPayload.resourceName", "protoPayload.serviceName", "protoPayload.status.code", "protoPayload.requestMetadata.callerSuppliedUserAgent"}
			return table(head, make(Log, len(all)), func(i int, _ Event) []string {
				e := all[i]
				p := e["protoPayload"].(object)
				return []string{e["insertId"].(string), e["timestamp"].(string), e["logName"].(string), p["authenticationInfo"].(object)["principalEmail"].(string), p["methodName"].(string), p["resourceName"].(string), "k8s.io", fmt.Sprint(p["status"].(object)["code"]), p["requestMetadata"].(object)["callerSuppliedUserAgent"].(string)}
			})
		}),
	}
}

// bigQuery returns an entry in the form that a sink writes to BigQuery, in which bodies
// are strings.
func bigQuery(e object) object {
	log := object{}
	for k, v := range e["protoPayload"].(object) {
		switch k {
		case "@type":
		case "request", "response":
			log[k+"Json"] = string(v.(json.RawMessage))
		default:
			log[k] = v
		}
	}
	out := object{"protopayload_auditlog": log}
	for k, v := range e {
		if k != "protoPayload" && k != "labels" {
			out[k] = v
		}
	}
	labels := object{}
	for k, v := range e["labels"].(map[string]any) {
		labels[strings.NewReplacer(".", "_", "/", "_", "-", "_").Replace(k)] = v
	}
	out["labels"] = labels
	return out
}

func message(i int, data string) object {
	return object{"data": base64.StdEncoding.EncodeToString([]byte(data)), "messageId": fmt.Sprint(7_000_000_000 + i), "publishTime": "2026-11-21T10:00:00Z", "attributes": object{"logging.googleapis.com/timestamp": "2026-11-21T10:00:00Z"}}
}

// entries returns the log entries of a GKE cluster, which has only completed requests for
// resources.
func entries(l Log) []object {
	var out []object
	for _, e := range l {
		var ref struct{ Resource, Subresource, Namespace, Name, APIGroup, APIVersion string }
		if e.Stage != "ResponseComplete" || e.ObjectRef == nil {
			continue
		}
		check(json.Unmarshal(e.ObjectRef, &ref))
		var user struct{ Username string }
		check(json.Unmarshal(e.User, &user))
		var status struct {
			Code    int
			Message string
		}
		if e.Status != nil {
			check(json.Unmarshal(e.Status, &status))
		}
		group := ref.APIGroup
		if group == "" {
			group = "core"
		}
		method := []string{"io.k8s", strings.TrimSuffix(group, ".k8s.io"), ref.APIVersion, ref.Resource}
		name := group + "/" + ref.APIVersion
		if ref.Namespace != "" {
			name += "/namespaces/" + ref.Namespace
		}
		name += "/" + ref.Resource
		if ref.Name != "" {
			name += "/" + ref.Name
		}
		if ref.Subresource != "" {
			method = append(method, ref.Subresource)
			name += "/" + ref.Subresource
		}
		labels := map[string]any{}
		if e.Annotations != nil {
			check(json.Unmarshal(e.Annotations, &labels))
		}
		code := map[bool]int{true: 0, false: 7}[status.Code < 400]
		payload := object{
			"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "authenticationInfo": object{"principalEmail": user.Username},
			"authorizationInfo": []object{{"granted": true, "permission": strings.Join(append(method, e.Verb), "."), "resource": name}},
			"methodName":        strings.Join(append(method, e.Verb), "."), "requestMetadata": object{"callerIp": e.SourceIPs[0], "callerSuppliedUserAgent": e.UserAgent},
			"resourceName": name, "serviceName": "k8s.io", "status": object{"code": code},
		}
		if e.Request != nil {
			payload["request"] = e.Request
		}
		if e.Response != nil {
			payload["response"] = e.Response
		}
		out = append(out, object{
			"insertId": e.AuditID, "labels": labels, "logName": "projects/shop/logs/cloudaudit.googleapis.com%2Factivity",
			"operation": object{"first": true, "id": e.AuditID, "last": true, "producer": "k8s.io"}, "protoPayload": payload,
			"receiveTimestamp": e.Time.Format(time.RFC3339Nano), "resource": object{"labels": object{"cluster_name": "shop", "location": "europe-west1", "project_id": "shop"}, "type": "k8s_cluster"},
			"timestamp": e.Received.Format(time.RFC3339Nano),
		})
	}
	return out
}
