package auditshapes

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

const (
	ofVector  = "https://vector.dev/docs/reference/configuration/sources/file/"
	ofFluent  = "https://docs.fluentbit.io/manual/"
	ofFluentd = "https://docs.fluentd.org/output/file"
	ofOTLP    = "https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/"
)

func shippers() []Shape {
	parsed := func(e Event, more object) object {
		out := object{}
		unmarshal(e.Line, &out)
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	return []Shape{
		singleFile("vector-file", ofVector, "vector.json", each(func(_ int, e Event) string {
			return text(object{"file": "/var/log/audit.log", "host": "cp-0", "message": e.Line, "source_type": "file", "timestamp": e.Time.Format(time.RFC3339Nano)})
		})),
		singleFile("vector-parsed", ofVector, "vector.json", each(func(_ int, e Event) string {
			return text(parsed(e, object{"file": "/var/log/audit.log", "host": "cp-0", "source_type": "file", "timestamp": e.Time.Format(time.RFC3339Nano)}))
		})),
		singleFile("vector-nested", ofVector, "vector.json", each(func(_ int, e Event) string {
			return text(object{"host": "cp-0", "message": e.raw(), "source_type": "file", "timestamp": e.Time.Format(time.RFC3339Nano)})
		})),
		singleFile("vector-array", ofVector, "vector.json", func(l Log) string {
			var all []object
			for _, e := range l {
				all = append(all, object{"host": "cp-0", "message": e.Line, "timestamp": e.Time.Format(time.RFC3339Nano)})
			}
			return text(all)
		}),
		singleFile("fluentbit-file", ofFluent+"pipeline/outputs/file", "audit", each(func(_ int, e Event) string {
			return "kube.audit: [" + fmt.Sprintf("%.9f", float64(e.Time.UnixNano())/1e9) + ", " + text(object{"log": e.Line}) + "]"
		})),
		singleFile("fluentbit-stdout", ofFluent+"pipeline/outputs/standard-output", "stdout.log", each(func(i int, e Event) string {
			return fmt.Sprintf("[%d] kube.audit: [[%.9f, {}], {\"log\"=>\"%s\"}]", i%50, float64(e.Time.UnixNano())/1e9, strings.ReplaceAll(strings.ReplaceAll(e.Line, `\`, `\\`), `"`, `\"`))
		})),
		singleFile("fluentbit-stdout-json-lines", ofFluent+"pipeline/outputs/standard-output", "stdout.json", each(func(_ int, e Event) string {
			return text(object{"date": float64(e.Time.UnixMilli()) / 1e3, "log": e.Line})
		})),
		singleFile("fluentbit-stdout-json", ofFluent+"pipeline/outputs/standard-output", "stdout.json", func(l Log) string {
			var b strings.Builder
			batches(l, 40, func(_ int, part Log) {
				var all []object
				for _, e := range part {
					all = append(all, object{"date": float64(e.Time.UnixMilli()) / 1e3, "log": e.Line})
				}
				b.WriteString(text(all) + "\n")
			})
			return b.String()
		}),
		singleFile("fluentbit-parsed", ofFluent+"pipeline/parsers/json", "parsed.json", each(func(_ int, e Event) string {
			return text(parsed(e, object{"date": float64(e.Time.UnixMilli()) / 1e3}))
		})),
		singleFile("fluentd-file", ofFluentd, "audit.20261121.log", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05-07:00") + "\tkube.audit\t" + e.Line
		})),
		singleFile("fluentd-file-message", ofFluentd, "audit.20261121.log", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05-07:00") + "\tkube.audit\t" + text(object{"message": e.Line})
		})),
		singleFile("fluentd-s3", "https://docs.fluentd.org/output/s3", "20261121_0.gz", func(l Log) string {
			return string(gzipped(each(func(_ int, e Event) string {
				return e.Time.Format("2006-01-02T15:04:05Z") + "\tkube.audit\t" + e.Line
			})(l)))
		}),
		singleFile("logstash", "https://www.elastic.co/docs/reference/logstash", "logstash.json", each(func(_ int, e Event) string {
			return text(object{"@timestamp": e.Time.Format(time.RFC3339Nano), "@version": "1", "event": object{"original": e.Line}, "host": object{"name": "cp-0"}, "message": e.Line})
		})),
		singleFile("filebeat", "https://www.elastic.co/docs/reference/beats/filebeat", "filebeat.ndjson", each(func(_ int, e Event) string {
			return text(object{"@timestamp": e.Time.Format(time.RFC3339Nano), "@metadata": object{"beat": "filebeat", "type": "_doc"}, "message": e.Line, "log": object{"file": object{"path": "/var/log/audit.log"}, "offset": 17}, "agent": object{"type": "filebeat"}})
		})),
		singleFile("filebeat-json-key", "https://www.elastic.co/docs/reference/beats/filebeat", "filebeat.ndjson", each(func(_ int, e Event) string {
			return text(object{"@timestamp": e.Time.Format(time.RFC3339Nano), "json": e.raw(), "log": object{"file": object{"path": "/var/log/audit.log"}}})
		})),
		singleFile("otlp-string", ofOTLP, "otlp.jsonl", otlp),
		singleFile("otlp-kvlist", ofOTLP, "kvlist.jsonl", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			record := object{"timeUnixNano": fmt.Sprint(e.Time.UnixNano()), "body": anyValue(v)}
			return text(object{"resourceLogs": []object{{"resource": object{}, "scopeLogs": []object{{"scope": object{}, "logRecords": []object{record}}}}}})
		})),
		singleFile("kafka-console", "https://kafka.apache.org/documentation/", "kafka.txt", each(func(_ int, e Event) string { return "CreateTime:" + fmt.Sprint(millis(e.Time)) + "\tcp-0\t" + e.Line })),
		singleFile("kcat-json", "https://github.com/edenhill/kcat", "kcat.json", each(func(i int, e Event) string {
			return text(object{"topic": "audit", "partition": 0, "offset": i, "tstype": "create", "ts": millis(e.Time), "broker": 1, "key": nil, "payload": e.Line})
		})),
		singleFile("kafka-rest", "https://docs.confluent.io/platform/current/kafka-rest/api.html", "rest.json", func(l Log) string {
			var all []object
			for i, e := range l {
				all = append(all, object{"topic": "audit", "key": nil, "value": e.raw(), "partition": 0, "offset": i})
			}
			return text(all)
		}),
		singleFile("gelf", "https://go2docs.graylog.org/current/getting_in_log_data/gelf.html", "gelf.json", each(func(_ int, e Event) string {
			return text(object{"version": "1.1", "host": "cp-0", "short_message": "audit", "full_message": e.Line, "timestamp": float64(e.Time.UnixMilli()) / 1e3, "level": 6})
		})),
		singleFile("cloudevents", "https://github.com/cloudevents/spec/blob/main/cloudevents/formats/json-format.md", "events.json", each(func(_ int, e Event) string {
			return text(object{"specversion": "1.0", "type": "audit", "source": "/apiserver", "id": e.AuditID + e.Stage, "datacontenttype": "application/json", "data": e.raw()})
		})),
	}
}

// anyValue returns a value in the form of OpenTelemetry.
func anyValue(v any) object {
	switch v := v.(type) {
	case map[string]any:
		pairs := []object{}
		for k, x := range v {
			pairs = append(pairs, object{"key": k, "value": anyValue(x)})
		}
		sort.Slice(pairs, func(i, j int) bool { return pairs[i]["key"].(string) < pairs[j]["key"].(string) })
		return object{"kvlistValue": object{"values": pairs}}
	case []any:
		all := []object{}
		for _, x := range v {
			all = append(all, anyValue(x))
		}
		return object{"arrayValue": object{"values": all}}
	case bool:
		return object{"boolValue": v}
	case nil:
		return object{}
	case string:
		return object{"stringValue": v}
	}
	return object{"intValue": fmt.Sprint(v)}
}
