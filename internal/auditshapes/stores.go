package auditshapes

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	ofLoki    = "https://grafana.com/docs/loki/latest/query/logcli/"
	ofLokiAPI = "https://grafana.com/docs/loki/latest/reference/loki-http-api/"
	ofElastic = "https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search"
	ofSplunk  = "https://docs.splunk.com/Documentation/Splunk/latest/RESTREF/RESTsearch"
	ofDatadog = "https://docs.datadoghq.com/api/latest/logs/"
)

func unmarshal(data string, into any) {
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	check(d.Decode(into))
}

// stores returns the formats of systems that store logs and answer queries.
func stores() []Shape {
	hit := func(i int, e Event, source any) object {
		return object{"_index": "audit-2026.11.21", "_id": fmt.Sprint("h", i), "_score": 1.0, "_source": source}
	}
	labels := `{app="kube-apiserver", cluster="shop", filename="/var/log/audit.log"}`
	long := `{filename="/var/log/audit.log", ` + strings.Repeat(`a_label_with_a_long_name="and a value that is long", `, 14) + `job="audit"}`
	values := func(l Log) [][]any {
		out := [][]any{}
		for _, e := range l {
			out = append(out, []any{fmt.Sprint(e.Time.UnixNano()), e.Line})
		}
		return out
	}
	datadog := func(i int, e Event) object {
		return object{"id": fmt.Sprint("AwAAAY", i), "type": "log", "attributes": object{
			"timestamp": e.Time.Format(time.RFC3339Nano), "status": "info", "service": "kube-apiserver", "host": "cp-0", "tags": []string{"env:prod"}, "attributes": e.raw(),
		}}
	}
	return []Shape{
		singleFile("loki-logcli", ofLoki, "logcli.txt", each(func(_ int, e Event) string { return e.Time.Format(time.RFC3339) + " " + labels + " " + e.Line })),
		singleFile("loki-logcli-long-labels", ofLoki, "logcli.txt", each(func(_ int, e Event) string { return e.Time.Format(time.RFC3339) + " " + long + " " + e.Line })),
		singleFile("loki-logcli-jsonl", ofLoki, "logcli.jsonl", each(func(_ int, e Event) string {
			return text(object{"labels": object{"app": "kube-apiserver"}, "line": e.Line, "timestamp": e.Time.Format(time.RFC3339Nano)})
		})),
		singleFile("loki-logcli-raw", ofLoki, "raw.txt", lines),
		singleFile("loki-query-range", ofLokiAPI, "range.json", func(l Log) string {
			return text(object{"status": "success", "data": object{"resultType": "streams", "result": []object{{"stream": object{"app": "kube-apiserver"}, "values": values(l)}}, "stats": object{}}})
		}),
		singleFile("loki-push", ofLokiAPI, "push.json", func(l Log) string {
			return text(object{"streams": []object{{"stream": object{"app": "kube-apiserver"}, "values": values(l)}}})
		}),
		singleFile("loki-tail", ofLokiAPI, "tail.json", each(func(_ int, e Event) string {
			return text(object{"streams": []object{{"stream": object{"app": "kube-apiserver"}, "values": values(Log{e})}}})
		})),
		singleFile("grafana-txt", "https://grafana.com/docs/grafana/latest/explore/logs-integration/", "Explore-logs.txt", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05.000Z") + "\t" + e.Line
		})),
		singleFile("grafana-json", "https://grafana.com/docs/grafana/latest/explore/logs-integration/", "Explore-logs.json", func(l Log) string {
			all := []object{}
			for _, e := range l {
				all = append(all, object{"line": e.Line, "timestamp": fmt.Sprint(e.Time.UnixNano()), "date": e.Time.Format(time.RFC3339Nano), "fields": object{"app": "kube-apiserver"}})
			}
			return indented(text(all), "  ")
		}),
		singleFile("grafana-csv", "https://grafana.com/docs/grafana/latest/explore/logs-integration/", "Explore-logs.csv", func(l Log) string {
			return "\ufeff" + allQuoted([]string{"labels", "Time", "Line", "tsNs", "id"}, l, func(i int, e Event) []string {
				return []string{`{"app":"kube-apiserver"}`, e.Time.Format("2006-01-02 15:04:05.000"), e.Line, fmt.Sprint(e.Time.UnixNano()), fmt.Sprint(i)}
			})
		}),
		singleFile("elasticsearch-message", ofElastic, "search.json", func(l Log) string {
			hits := []object{}
			for i, e := range l {
				hits = append(hits, hit(i, e, object{"@timestamp": e.Time.Format(time.RFC3339Nano), "message": e.Line}))
			}
			return text(object{"took": 3, "timed_out": false, "_shards": object{"total": 1}, "hits": object{"total": object{"value": len(l), "relation": "eq"}, "max_score": 1.0, "hits": hits}})
		}),
		singleFile("elasticsearch-parsed", ofElastic, "search.json", func(l Log) string {
			hits := []object{}
			for i, e := range l {
				hits = append(hits, hit(i, e, e.raw()))
			}
			return text(object{"took": 3, "hits": object{"hits": hits}})
		}),
		singleFile("elasticdump", "https://github.com/elasticsearch-dump/elasticsearch-dump", "dump.json", each(func(i int, e Event) string { return text(hit(i, e, e.raw())) })),
		singleFile("elasticsearch-bulk", "https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk", "bulk.ndjson", each(func(i int, e Event) string {
			return text(object{"index": object{"_index": "audit", "_id": fmt.Sprint(i)}}) + "\n" + e.Line
		})),
		singleFile("elastic-integration", "https://www.elastic.co/docs/reference/integrations/kubernetes/audit-logs", "audit.ndjson", each(func(_ int, e Event) string {
			return text(object{"@timestamp": e.Time.Format(time.RFC3339Nano), "data_stream": object{"dataset": "kubernetes.audit_logs"}, "kubernetes": object{"audit": e.raw()}})
		})),
		singleFile("kibana-csv", "https://www.elastic.co/docs/explore-analyze/report-and-share", "Untitled discover search.csv", func(l Log) string {
			return allQuoted([]string{"@timestamp", "message"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("Jan 2, 2006 @ 15:04:05.000"), e.Line}
			})
		}),
		singleFile("splunk-hec", "https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector", "hec.json", each(func(_ int, e Event) string {
			return text(object{"time": float64(e.Time.UnixMilli()) / 1e3, "host": "cp-0", "source": "audit", "sourcetype": "kube:audit", "event": e.raw()})
		})),
		singleFile("splunk-hec-strings", "https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector", "hec.json", func(l Log) string {
			return strings.TrimRight(strings.ReplaceAll(each(func(_ int, e Event) string {
				return text(object{"time": millis(e.Time) / 1000, "event": e.Line})
			})(l), "\n", ""), "\n")
		}),
		singleFile("splunk-export", ofSplunk, "export.json", each(func(i int, e Event) string {
			return text(object{"preview": false, "offset": i, "result": object{"_raw": e.Line, "_time": e.Time.Format("2006-01-02T15:04:05.000-07:00"), "host": "cp-0", "linecount": "1", "sourcetype": "kube:audit"}})
		})),
		singleFile("splunk-export-fields", ofSplunk, "export.json", each(func(i int, e Event) string {
			return text(object{"preview": false, "offset": i, "result": object{"_raw": e.Line, "_time": e.Time.Format("2006-01-02T15:04:05.000-07:00"), "auditID": e.AuditID, "kind": "Event", "apiVersion": "audit.k8s.io/v1", "verb": e.Verb, "stage": e.Stage, "user.username": "x", "level": e.Level}})
		})),
		singleFile("splunk-results", ofSplunk, "results.json", func(l Log) string {
			all := []object{}
			for _, e := range l {
				all = append(all, object{"_raw": e.Line, "_time": e.Time.Format("2006-01-02T15:04:05.000-07:00")})
			}
			return text(object{"preview": false, "init_offset": 0, "messages": []any{}, "fields": []object{{"name": "_raw"}, {"name": "_time"}}, "results": all})
		}),
		singleFile("splunk-rows", ofSplunk, "rows.json", func(l Log) string {
			all := [][]string{}
			for _, e := range l {
				all = append(all, []string{e.Time.Format("2006-01-02T15:04:05.000-07:00"), e.Line})
			}
			return text(object{"preview": false, "init_offset": 0, "messages": []any{}, "fields": []string{"_time", "_raw"}, "rows": all})
		}),
		singleFile("splunk-csv", ofSplunk, "export.csv", func(l Log) string {
			return allQuoted([]string{"_serial", "_time", "source", "sourcetype", "host", "_raw"}, l, func(i int, e Event) []string {
				return []string{fmt.Sprint(i), e.Time.Format("2006-01-02 15:04:05.000 MST"), "audit", "kube:audit", "cp-0", e.Line}
			})
		}),
		singleFile("splunk-raw", ofSplunk, "raw.txt", lines),
		singleFile("datadog-search", ofDatadog, "search.json", func(l Log) string {
			all := []object{}
			for i, e := range l {
				all = append(all, datadog(i, e))
			}
			return indented(text(object{"data": all, "meta": object{"page": object{"after": "x"}, "status": "done"}}), "  ")
		}),
		singleFile("datadog-search-message", ofDatadog, "search.json", func(l Log) string {
			all := []object{}
			for i, e := range l {
				d := datadog(i, e)
				a := d["attributes"].(object)
				a["message"], a["attributes"] = e.Line, object{}
				all = append(all, d)
			}
			return text(object{"data": all})
		}),
		singleFile("datadog-archive", "https://docs.datadoghq.com/logs/log_configuration/archives/", "archive_100000.1234.json.gz", func(l Log) string {
			return string(gzipped(each(func(i int, e Event) string {
				return text(object{"_id": fmt.Sprint("AwAAAY", i), "date": e.Time.Format("2006-01-02T15:04:05.000Z"), "service": "kube-apiserver", "host": "cp-0", "attributes": e.raw(), "status": "info", "tags": []string{"env:prod"}})
			})(l)))
		}),
		singleFile("datadog-csv", "https://docs.datadoghq.com/logs/explorer/export/", "extract.csv", func(l Log) string {
			return table([]string{"Date", "Host", "Service", "Message"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("2006-01-02T15:04:05.000Z"), "cp-0", "kube-apiserver", e.Line}
			})
		}),
		singleFile("sumologic-csv", "https://help.sumologic.com/docs/search/get-started-with-search/search-basics/export-search-results/", "search-results.csv", func(l Log) string {
			return allQuoted([]string{"_messagetimems", "_messagetime", "_raw"}, l, func(_ int, e Event) []string {
				return []string{fmt.Sprint(millis(e.Time)), e.Time.Format("01/02/2006 03:04:05.000 PM -0700"), e.Line}
			})
		}),
		singleFile("newrelic-json", "https://docs.newrelic.com/docs/logs/ui-data/use-logs-ui/", "results.json", func(l Log) string {
			all := []object{}
			for _, e := range l {
				all = append(all, object{"message": e.Line, "timestamp": millis(e.Time), "messageId": e.AuditID, "newrelic.source": "logs.kubernetes"})
			}
			return text(all)
		}),
		singleFile("clickhouse-tsv", "https://clickhouse.com/docs/interfaces/formats/TabSeparated", "out.tsv", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02 15:04:05") + "\t" + strings.ReplaceAll(strings.ReplaceAll(e.Line, `\`, `\\`), "\t", `\t`)
		})),
		singleFile("clickhouse-json-each-row", "https://clickhouse.com/docs/interfaces/formats/JSONEachRow", "rows.ndjson", each(func(_ int, e Event) string {
			return text(object{"timestamp": e.Time.Format("2006-01-02 15:04:05"), "body": e.Line})
		})),
		singleFile("victorialogs", "https://docs.victoriametrics.com/victorialogs/querying/", "vl.ndjson", each(func(_ int, e Event) string {
			return text(object{"_msg": e.Line, "_stream": labels, "_time": e.Time.Format(time.RFC3339Nano)})
		})),
		singleFile("semicolon-csv", "https://support.microsoft.com/office/import-or-export-text-txt-or-csv-files", "excel.csv", func(l Log) string {
			return strings.ReplaceAll(allQuoted([]string{"time", "message"}, l, func(_ int, e Event) []string { return []string{e.Time.Format(time.RFC3339), e.Line} }), `Z","{`, `Z";"{`)
		}),
	}
}
