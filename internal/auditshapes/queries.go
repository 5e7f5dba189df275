package auditshapes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"
)

const (
	ofKusto = "https://learn.microsoft.com/kusto/api/rest/response"
	ofSQL   = "https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-sql-query"
	ofSumo  = "https://help.sumologic.com/docs/api/search-job/"
	ofNRQL  = "https://docs.newrelic.com/docs/logs/ui-data/long-logs-blobs"
)

// queries returns the formats of query results: tables, pages and exports.
func queries() []Shape {
	column := func(l Log, more ...any) [][]any {
		rows := [][]any{}
		for _, e := range l {
			rows = append(rows, append([]any{e.Time.Format(time.RFC3339Nano), e.Line}, more...))
		}
		return rows
	}
	list := func(l Log, one func(i int, e Event) object) []object {
		out := []object{}
		for i, e := range l {
			out = append(out, one(i, e))
		}
		return out
	}
	kustoColumns := func(kind string) []object {
		return []object{{"ColumnName": "TimeGenerated", kind: "datetime"}, {"ColumnName": "log_s", kind: "string"}}
	}
	return []Shape{
		singleFile("kusto-v1", ofKusto, "kusto.json", func(l Log) string {
			return text(object{"Tables": []object{{"TableName": "Table_0", "Columns": kustoColumns("DataType"), "Rows": column(l)}}})
		}),
		singleFile("kusto-v2", ofKusto+"-v2", "kusto.json", func(l Log) string {
			return text([]object{
				{"FrameType": "DataSetHeader", "IsProgressive": false, "Version": "v2.0"},
				{"FrameType": "DataTable", "TableId": 0, "TableKind": "QueryProperties", "TableName": "@ExtendedProperties", "Columns": []object{{"ColumnName": "TableId", "ColumnType": "int"}, {"ColumnName": "Key", "ColumnType": "string"}, {"ColumnName": "Value", "ColumnType": "dynamic"}}, "Rows": [][]any{{1, "Visualization", `{"Visualization":null}`}}},
				{"FrameType": "DataTable", "TableId": 1, "TableKind": "PrimaryResult", "TableName": "PrimaryResult", "Columns": kustoColumns("ColumnType"), "Rows": column(l)},
				{"FrameType": "DataSetCompletion", "HasErrors": false, "Cancelled": false},
			})
		}),
		singleFile("elasticsearch-esql", "https://www.elastic.co/docs/reference/query-languages/esql/esql-rest", "esql.json", func(l Log) string {
			return text(object{"took": 28, "is_partial": false, "columns": []object{{"name": "@timestamp", "type": "date"}, {"name": "message", "type": "text"}}, "values": column(l)})
		}),
		singleFile("elasticsearch-sql", ofSQL, "sql.json", func(l Log) string {
			return text(object{"columns": []object{{"name": "@timestamp", "type": "datetime"}, {"name": "message", "type": "text"}}, "rows": column(l), "cursor": "c2FsYQ=="})
		}),
		singleFile("elasticsearch-sql-columnar", ofSQL, "sql.json", func(l Log) string {
			var times, messages []any
			for _, e := range l {
				times, messages = append(times, e.Time.Format(time.RFC3339Nano)), append(messages, e.Line)
			}
			return text(object{"columns": []object{{"name": "@timestamp", "type": "datetime"}, {"name": "message", "type": "text"}}, "values": [][]any{times, messages}})
		}),
		singleFile("opensearch-ppl", "https://docs.opensearch.org/latest/search-plugins/sql/response-formats/", "ppl.json", func(l Log) string {
			return indented(text(object{"schema": []object{{"name": "@timestamp", "type": "timestamp"}, {"name": "message", "type": "string"}}, "datarows": column(l), "total": len(l), "size": len(l), "status": 200}), "  ")
		}),
		singleFile("opensearch-cloudwatch", "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_OpenSearch_Stream.html", "hits.json", func(l Log) string {
			return text(object{"hits": object{"hits": list(l, func(i int, e Event) object {
				source := object{}
				unmarshal(e.Line, &source)
				source["@id"], source["@timestamp"], source["@message"], source["@owner"], source["@log_group"], source["@log_stream"] = fmt.Sprint(i), e.Time.Format(time.RFC3339Nano), e.Line, "111122223333", "/aws/eks/shop/cluster", stream
				return object{"_index": "cwl-2026.11.21", "_id": fmt.Sprint(i), "_source": source}
			})}})
		}),
		singleFile("elastic-agent-original", "https://www.elastic.co/docs/reference/integrations/kubernetes/audit-logs", "audit.ndjson", each(func(_ int, e Event) string {
			return text(object{"@timestamp": e.Time.Format(time.RFC3339Nano), "event": object{"kind": "event", "original": e.Line}, "kubernetes": object{"audit": e.raw()}})
		})),
		singleFile("kibana-csv-original", "https://www.elastic.co/docs/explore-analyze/report-and-share", "discover.csv", func(l Log) string {
			return "\ufeff" + allQuoted([]string{"@timestamp", "kubernetes.audit.auditID", "kubernetes.audit.verb", "event.original"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("Jan 2, 2006 @ 15:04:05.000"), e.AuditID, e.Verb, e.Line}
			})
		}),
		singleFile("kibana-fields", "https://www.elastic.co/docs/reference/elasticsearch/rest-apis/retrieve-selected-fields", "fields.json", func(l Log) string {
			return text(object{"hits": object{"hits": list(l, func(i int, e Event) object {
				return object{"_index": "audit", "_id": fmt.Sprint(i), "fields": object{"@timestamp": []string{e.Time.Format(time.RFC3339Nano)}, "message": []string{e.Line}}}
			})}})
		}),
		singleFile("splunk-xml", ofSplunk, "export.xml", func(l Log) string {
			var b strings.Builder
			b.WriteString("<?xml version='1.0' encoding='UTF-8'?>\n<results preview='0'>\n<meta>\n<fieldOrder>\n<field>_raw</field>\n<field>_time</field>\n</fieldOrder>\n</meta>\n")
			for i, e := range l {
				fmt.Fprintf(&b, "\t<result offset='%d'>\n\t\t<field k='_raw'><v xml:space='preserve' trim='0'>%s</v></field>\n\t\t<field k='_time'>\n\t\t\t<value><text>%s</text></value>\n\t\t</field>\n\t</result>\n", i, html.EscapeString(e.Line), e.Time.Format("2006-01-02T15:04:05.000-07:00"))
			}
			return b.String() + "</results>\n"
		}),
		singleFile("splunk-json-cols", ofSplunk, "cols.json", func(l Log) string {
			var times, raws []string
			for _, e := range l {
				times, raws = append(times, e.Time.Format(time.RFC3339)), append(raws, e.Line)
			}
			return text(object{"preview": false, "init_offset": 0, "messages": []any{}, "fields": []string{"_time", "_raw"}, "columns": [][]string{times, raws}})
		}),
		singleFile("splunk-csv-fields", ofSplunk, "export.csv", func(l Log) string {
			return allQuoted([]string{"_raw", "_time", "auditID", "kind", "apiVersion", "verb", "stage", "level", "user.username", "sourceIPs{}"}, l, func(i int, e Event) []string {
				return []string{e.Line, e.Time.Format("2006-01-02T15:04:05.000-0700"), e.AuditID, "Event", "audit.k8s.io/v1", e.Verb, e.Stage, e.Level, "x", e.SourceIPs[0]}
			})
		}),
		singleFile("sumologic-messages", ofSumo, "messages.json", func(l Log) string {
			return indented(text(object{"fields": []object{{"name": "_messageid", "fieldType": "long", "keyField": false}, {"name": "_raw", "fieldType": "string", "keyField": false}}, "messages": list(l, func(i int, e Event) object {
				return object{"map": object{"_messageid": fmt.Sprint(i), "_messagetime": fmt.Sprint(millis(e.Time)), "_raw": e.Line, "_collector": "shop"}}
			})}), "  ")
		}),
		singleFile("dynatrace-export", "https://docs.dynatrace.com/docs/dynatrace-api/environment-api/log-monitoring-v2/git-export-logs", "export.json", func(l Log) string {
			return text(object{"totalCount": len(l), "pageSize": 1000, "nextPageKey": nil, "results": list(l, func(i int, e Event) object {
				return object{"timestamp": millis(e.Time), "status": "NONE", "content": e.Line, "eventType": "K8S", "additionalColumns": object{"loglevel": []string{"NONE"}, "log.source": []string{"audit"}}}
			})})
		}),
		singleFile("dynatrace-grail", "https://docs.dynatrace.com/docs/discover-dynatrace/platform/grail/dynatrace-query-language", "grail.json", func(l Log) string {
			return text(object{"state": "SUCCEEDED", "progress": 100, "result": object{"records": list(l, func(i int, e Event) object {
				return object{"timestamp": e.Time.Format("2006-01-02T15:04:05.000000000Z"), "content": e.Line, "k8s.cluster.name": "shop", "loglevel": "NONE"}
			}), "types": []object{{"indexRange": []int{0, len(l)}, "mappings": object{"content": object{"type": "string"}}}}, "metadata": object{"grail": object{"query": "fetch logs"}}}})
		}),
		singleFile("newrelic-nrql", "https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial/", "nrql.json", func(l Log) string {
			return text(object{"data": object{"actor": object{"account": object{"nrql": object{"results": list(l, func(i int, e Event) object {
				return object{"message": e.Line, "timestamp": millis(e.Time), "newrelic.source": "api.logs"}
			})}}}}})
		}),
		partialFile("newrelic-blob", ofNRQL, Cut, "blob.json", func(l Log) string {
			return text(list(l, func(i int, e Event) object {
				out := object{"timestamp": millis(e.Time), "message": e.Line}
				if len(e.Line) > 1000 {
					out["message"], out["newrelic.ext.message"] = e.Line[:1000], base64.StdEncoding.EncodeToString([]byte(e.Line[1000:]))
				}
				return out
			}))
		}),
		singleFile("datadog-csv-attributes", "https://docs.datadoghq.com/logs/explorer/export/", "extract.csv", func(l Log) string {
			return allQuoted([]string{"Date", "Host", "Service", "@auditID", "@verb", "Message"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format(time.RFC3339Nano), "cp-0", "kube-apiserver", e.AuditID, e.Verb, e.Line}
			})
		}),
		singleFile("mezmo-export", "https://docs.mezmo.com/docs/exporting-logs", "export.jsonl", each(func(i int, e Event) string {
			return text(object{"_line": e.Line, "_ts": millis(e.Time), "_app": "kube-apiserver", "_host": "cp-0", "_id": fmt.Sprint(i), "_level": "INFO"})
		})),
		singleFile("papertrail-tsv", "https://www.papertrail.com/help/permanent-log-archives/", "2026-11-21.tsv.gz", func(l Log) string {
			return string(gzipped(each(func(i int, e Event) string {
				at := e.Time.Format(time.RFC3339)
				return strings.Join([]string{fmt.Sprint(50342052 + i), at, at, "31181206", "cp-0", "10.0.0.1", "Local3", "Info", "kube-apiserver", e.Line}, "\t")
			})(l)))
		}),
		singleFile("wazuh-alerts", "https://wazuh.com/blog/auditing-kubernetes-with-wazuh", "alerts.json", each(func(i int, e Event) string {
			data := object{}
			unmarshal(e.Line, &data)
			return text(object{"timestamp": e.Time.Format("2006-01-02T15:04:05.000-0700"), "rule": object{"level": 5, "id": "110002"}, "agent": object{"id": "000"}, "manager": object{"name": "wazuh"}, "id": fmt.Sprint(i), "full_log": e.Line, "decoder": object{"name": "json"}, "data": stringValues(data), "location": "k8s"})
		})),
		singleFile("alibaba-sls-json", "https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/work-with-cluster-auditing", "sls.json", each(func(_ int, e Event) string {
			var parts map[string]json.RawMessage
			unmarshal(e.Line, &parts)
			out := object{"__source__": "10.0.0.1", "__time__": fmt.Sprint(e.Time.Unix()), "__topic__": ""}
			for key, raw := range parts {
				out[key] = cell(raw)
			}
			return text(out)
		})),
		singleFile("alibaba-sls-csv", "https://www.alibabacloud.com/help/en/sls/download-logs", "sls.csv", func(l Log) string {
			head := []string{"__source__", "__time__", "kind", "apiVersion", "level", "auditID", "stage", "requestURI", "verb", "user", "impersonatedUser", "sourceIPs", "userAgent", "objectRef", "responseStatus", "requestObject", "responseObject", "requestReceivedTimestamp", "stageTimestamp", "annotations"}
			return table(head, l, func(_ int, e Event) []string {
				var parts map[string]json.RawMessage
				unmarshal(e.Line, &parts)
				row := []string{"10.0.0.1", fmt.Sprint(e.Time.Unix())}
				for _, key := range head[2:] {
					row = append(row, cell(parts[key]))
				}
				return row
			})
		}),
		singleFile("loki-pack", "https://grafana.com/docs/loki/latest/send-data/promtail/stages/pack/", "pack.txt", each(func(_ int, e Event) string {
			return text(object{"_entry": e.Line, "container": "kube-apiserver", "pod": pod})
		})),
		singleFile("loki-structured-metadata", ofLokiAPI, "range.json", func(l Log) string {
			values := [][]any{}
			for _, e := range l {
				values = append(values, []any{fmt.Sprint(e.Time.UnixNano()), e.Line, object{"structuredMetadata": object{"detected_level": "unknown"}, "parsed": object{"auditID": e.AuditID, "verb": e.Verb, "stage": e.Stage, "user_username": "x"}}})
			}
			return text(object{"status": "success", "data": object{"resultType": "streams", "encodingFlags": []string{"categorize-labels"}, "result": []object{{"stream": object{"app": "kube-apiserver"}, "values": values}}}})
		}),
		singleFile("grafana-inspector-csv", "https://grafana.com/docs/grafana/latest/panels-visualizations/panel-inspector/", "Logs-data.csv", func(l Log) string {
			return "\ufeff\"sep=,\"\n" + allQuoted([]string{"labels", "Time", "Line", "tsNs", "id"}, l, func(i int, e Event) []string {
				return []string{"{\n  \"app\": \"kube-apiserver\"\n}", e.Time.Format("2006-01-02 15:04:05.000"), e.Line, fmt.Sprint(e.Time.UnixNano()), fmt.Sprint(i)}
			})
		}),
		singleFile("grafana-query-frames", "https://grafana.com/docs/grafana/latest/developers/http_api/data_source/", "frames.json", func(l Log) string {
			var labels, times, bodies, ns []any
			for _, e := range l {
				labels, times, bodies, ns = append(labels, object{"app": "kube-apiserver"}), append(times, millis(e.Time)), append(bodies, e.Line), append(ns, fmt.Sprint(e.Time.UnixNano()))
			}
			return text(object{"results": object{"A": object{"status": 200, "frames": []object{{"schema": object{"refId": "A", "fields": []object{{"name": "labels"}, {"name": "Time"}, {"name": "Line"}, {"name": "tsNs"}}}, "data": object{"values": [][]any{labels, times, bodies, ns}}}}}}})
		}),
	}
}

// cell returns a value for a store that has only texts. Strings have no quotes, other
// values are JSON.
func cell(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// stringValues converts all numbers and booleans in v to strings.
func stringValues(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = stringValues(x)
		}
	case []any:
		for i, x := range v {
			v[i] = stringValues(x)
		}
	case bool, json.Number:
		return fmt.Sprint(v)
	}
	return v
}
