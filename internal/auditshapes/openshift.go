package auditshapes

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	ofNodeLogs = "https://docs.openshift.com/container-platform/4.17/security/audit-log-view.html"
	ofViaQ     = "https://github.com/openshift/cluster-logging-operator/blob/master/docs/reference/datamodels/viaq/v1.adoc"
)

func openshift() []Shape {
	viaq := func(e Event, message bool) object {
		out := object{}
		check(json.Unmarshal([]byte(e.Line), &out))
		out["k8s_audit_level"], out["level"] = e.Level, "default"
		out["log_type"], out["log_source"] = "audit", "kubeAPI"
		out["hostname"], out["@timestamp"] = "master-0", e.Time.Format(time.RFC3339Nano)
		out["openshift"] = object{"cluster_id": "ad0f", "sequence": 17}
		out["viaq_index_name"] = "audit-write"
		if message {
			out["message"] = e.Line
		}
		return out
	}
	return []Shape{
		singleFile("openshift-node-logs", ofNodeLogs, "node.log", each(func(i int, e Event) string { return fmt.Sprintf("master-%d.shop.example.com %s", i%3, e.Line) })),
		{Name: "openshift-must-gather", Source: ofNodeLogs, Write: func(l Log) (Files, error) {
			n := len(l) / 2
			dir := "must-gather.local.1/quay-io-sha256-1/audit_logs/"
			return Files{
				dir + "kube-apiserver/master-0-audit.log.gz":                         gzipped(lines(l[:n])),
				dir + "kube-apiserver/master-1-audit-2026-11-21T10-00-00.000.log.gz": gzipped(lines(l[n:])),
				dir + "kube-apiserver.audit_logs_listing":                            []byte("master-0 audit.log\nmaster-1 audit.log\n"),
			}, nil
		}},
		singleFile("openshift-viaq", ofViaQ, "viaq.json", each(func(_ int, e Event) string { return text(viaq(e, true)) })),
		singleFile("openshift-viaq-no-message", ofViaQ, "viaq.json", each(func(_ int, e Event) string { return text(viaq(e, false)) })),
		singleFile("openshift-viaq-elasticsearch", ofViaQ, "viaq-hits.json", func(l Log) string {
			hits := []object{}
			for _, e := range l {
				hits = append(hits, object{"_index": "audit-000001", "_id": e.AuditID + e.Stage, "_source": viaq(e, false)})
			}
			return text(object{"took": 5, "timed_out": false, "hits": object{"total": object{"value": len(l), "relation": "eq"}, "hits": hits}})
		}),
		singleFile("openshift-otel", "https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/", "otlp.jsonl", func(l Log) string { return otlp(l) }),
	}
}

// otlp returns a file that an OpenTelemetry collector writes.
func otlp(l Log) string {
	var b strings.Builder
	batches(l, 50, func(_ int, part Log) {
		records := []object{}
		for _, e := range part {
			records = append(records, object{"timeUnixNano": fmt.Sprint(e.Time.UnixNano()), "observedTimeUnixNano": fmt.Sprint(e.Time.UnixNano()), "body": object{"stringValue": e.Line}, "attributes": []object{{"key": "log.file.name", "value": object{"stringValue": "audit.log"}}}})
		}
		b.WriteString(text(object{"resourceLogs": []object{{"resource": object{}, "scopeLogs": []object{{"scope": object{}, "logRecords": records}}}}}) + "\n")
	})
	return b.String()
}
