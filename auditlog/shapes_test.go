package auditlog

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// wraps are the formats that lose no information. Each function wraps the lines
// of a log.
func wraps(t testing.TB) map[string]func(lines []string) string {
	plain := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	field := func(key string, more m) func([]string) string {
		return func(lines []string) string {
			return jsonl(lines, func(i int, line string) any {
				out := m{key: line}
				for k, v := range more {
					out[k] = v
				}
				return out
			})
		}
	}
	utf16 := func(order unicode.Endianness, bom unicode.BOMPolicy) func([]string) string {
		return func(lines []string) string {
			s, err := unicode.UTF16(order, bom).NewEncoder().String(strings.Join(lines, "\r\n"))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	prefixed := func(prefix string) func([]string) string {
		return func(lines []string) string {
			return each(lines, func(i int, line string) string { return prefix + line + "\n" })
		}
	}
	list := func(lines []string) m {
		return m{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": m{}, "items": all(lines, func(_ int, line string) any { return object(line) })}
	}
	return map[string]func(lines []string) string{
		"plain":              plain,
		"no last line break": func(lines []string) string { return strings.Join(lines, "\n") },
		"CRLF and BOM":       func(lines []string) string { return "\ufeff" + strings.Join(lines, "\r\n") },
		"sorted keys":        func(lines []string) string { return jsonl(lines, func(_ int, line string) any { return object(line) }) },
		"no line breaks":     func(lines []string) string { return strings.Join(lines, "") },
		"two on a line":      func(lines []string) string { return strings.Join(lines[:2], "") + "\n" + plain(lines[2:]) },
		"two on a later line": func(lines []string) string {
			return plain(lines[:30]) + strings.Join(lines[30:32], "") + "\n" + plain(lines[32:])
		},
		"pretty": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return pretty(object(line)) + "\n" })
		},
		"words, then pretty": func(lines []string) string {
			return "Found:\n" + each(lines, func(_ int, line string) string { return pretty(object(line)) + "\n" })
		},
		"array": func(lines []string) string { return "[" + strings.Join(lines, ",") + "]" },
		"array on lines": func(lines []string) string {
			return "[\n" + strings.Join(lines[:3], ",\n") + ",\n" + strings.Join(lines[3:], ",\n") + "\n]\n"
		},
		"short array on lines": func(lines []string) string {
			return "[\n" + strings.Join(lines[:3], ",\n") + "\n]\n" + plain(lines[3:])
		},
		"list":             func(lines []string) string { return js(list(lines)) },
		"pretty list":      func(lines []string) string { return pretty(list(lines)) },
		"list in a string": func(lines []string) string { return js(m{"body": js(list(lines))}) },
		"lists on lines":   func(lines []string) string { return js(list(lines[:9])) + "\n" + js(list(lines[9:])) + "\n" },
		"JSON strings":     func(lines []string) string { return jsonl(lines, func(_ int, line string) any { return line }) },
		"escaped slashes":  func(lines []string) string { return strings.ReplaceAll(plain(lines), "/", `\/`) },
		"node names":       prefixed("master-0.example.invalid "),
		"syslog":           prefixed("<134>1 2026-11-21T10:00:00Z cp-0 audit - - [x@1 a=\"{b\"] "),
		"octet counts": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return fmt.Sprint(len(line)+10) + " <134>1 - - " + line })
		},
		"NULs":   prefixed(strings.Repeat("\x00", 1000)),
		"labels": prefixed(`2026-11-21T10:00:00Z {job="audit", x="` + strings.Repeat("y", 600) + `"} `),
		"text behind": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return "x\t" + line + "\tcp-0\tkube:audit\n" })
		},
		"CRI": prefixed("2026-11-21T10:00:00.000000000Z stdout F "),
		"a word, then CRI": func(lines []string) string {
			return "==> audit.log <==\n" + prefixed("2026-11-21T10:00:00.000000000Z stdout F ")(lines)
		},
		"fluentd":    prefixed("2026-11-21T10:00:00+00:00\tkube.audit\t"),
		"Fluent Bit": field("log", m{"date": 1.5}),
		"Fluent Bit, stdout": func(lines []string) string {
			return each(lines, func(i int, line string) string {
				return fmt.Sprintf("[%d] kube.audit: [[1700000000.123456789, {}], {\"log\"=>\"%s\"}]\n", i, line)
			})
		},
		"Fluent Bit, old stdout": func(lines []string) string {
			return each(lines, func(i int, line string) string {
				return fmt.Sprintf("[%d] kube.audit: [1700000000.123456789, {\"log\"=>\"%s\"}]\n", i, line)
			})
		},
		"fluentd forward": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any { return []any{"tag", 17, object(line), m{}} })
		},
		"rubydebug": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return rocket(m{"message": line, "@version": "1", "x": nil}) + "\n" })
		},
		"rubydebug, parsed": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return rocket(object(line)) + "\n" })
		},
		"Vector": field("message", m{"file": "/x", "host": "cp", "source_type": "file"}),
		"Docker": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any {
				return m{"log": line + "\n", "stream": "stdout", "time": "2026-11-21T10:00:00Z"}
			})
		},
		"journalctl": field("MESSAGE", m{"_TRANSPORT": "stdout", "__CURSOR": "s=1"}),
		"journalctl, bytes": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any {
				var list []int
				for _, c := range []byte(line) {
					list = append(list, int(c))
				}
				return m{"MESSAGE": list, "_TRANSPORT": "stdout"}
			})
		},
		"Splunk export": func(lines []string) string {
			return jsonl(lines, func(i int, line string) any {
				return m{"preview": false, "offset": i, "result": m{"_raw": line, "host": "cp", "tag": []any{"a"}}}
			})
		},
		"Splunk results": func(lines []string) string {
			return js(m{"preview": false, "init_offset": 0, "messages": []any{}, "fields": []any{m{"name": "_raw"}}, "results": all(lines, func(_ int, line string) any { return m{"_raw": line} })})
		},
		"Splunk rows": func(lines []string) string {
			return js(m{"preview": false, "fields": []any{"_time", "_raw"}, "rows": all(lines, func(_ int, line string) any { return []any{"1", line} })})
		},
		"Splunk columns": func(lines []string) string {
			return js(m{"fields": []any{"_raw"}, "columns": []any{all(lines, func(_ int, line string) any { return line })}})
		},
		"Splunk HEC": func(lines []string) string {
			return each(lines, func(_ int, line string) string {
				return js(m{"event": object(line), "sourcetype": "kube:audit", "time": 1.5})
			})
		},
		"Splunk CSV": func(lines []string) string {
			return sheet(',', []string{"_time", "_raw", "host"}, lines, func(line string) []string { return []string{"1", line, "cp"} })
		},
		"Loki": func(lines []string) string {
			return js(m{"status": "success", "data": m{"resultType": "streams", "result": []any{m{"stream": m{"job": "x"}, "values": all(lines, func(i int, line string) any { return []any{"17", line} })}}, "stats": m{}}})
		},
		"logcli": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any {
				return m{"labels": m{"a": "b"}, "line": line, "timestamp": "2026-11-21T10:00:00Z"}
			})
		},
		"Grafana CSV": func(lines []string) string {
			return sheet(',', []string{"Time", "Line", "labels", "tsNs"}, lines, func(line string) []string { return []string{"2026-11-21 10:00:00.000", line, `{"job":"audit"}`, "17"} })
		},
		"Elasticsearch": func(lines []string) string {
			return js(m{"took": 1, "hits": m{"total": m{"value": 3}, "hits": all(lines, func(_ int, line string) any {
				return m{"_index": "x", "_source": m{"message": line, "log": m{"file": m{"path": "x"}}}}
			})}})
		},
		"bulk": func(lines []string) string {
			return each(lines, func(_ int, line string) string { return `{"index":{"_index":"x"}}` + "\n" + line + "\n" })
		},
		"Datadog": func(lines []string) string {
			return js(m{"data": all(lines, func(_ int, line string) any {
				return m{"id": "x", "type": "log", "attributes": m{"message": line, "service": "audit", "tags": []any{"a:b"}, "attributes": m{"level": "Metadata"}}}
			}), "meta": m{"page": m{}}})
		},
		"Datadog, parsed": func(lines []string) string {
			return js(m{"data": all(lines, func(_ int, line string) any {
				return m{"id": "x", "type": "log", "attributes": m{"message": "", "attributes": object(line), "tags": []any{"a:b"}}}
			})})
		},
		"CloudWatch": func(lines []string) string {
			return pretty(m{"events": all(lines, func(_ int, line string) any {
				return m{"logStreamName": "kube-apiserver-audit-1", "message": line, "timestamp": 1}
			}), "searchedLogStreams": []any{}})
		},
		"Insights": func(lines []string) string {
			return pretty(m{"status": "Complete", "statistics": m{"recordsMatched": 1.0}, "results": all(lines, func(_ int, line string) any {
				return []any{m{"field": "@timestamp", "value": "2026-11-21 10:00:00.000"}, m{"field": "@message", "value": line}, m{"field": "@ptr", "value": "Cl"}}
			})})
		},
		"Insights CSV": func(lines []string) string {
			return sheet(',', []string{"@timestamp", "@message"}, lines, func(line string) []string { return []string{"2026-11-21 10:00:00.000", line} })
		},
		"Insights CSV, one column": func(lines []string) string {
			return sheet(',', []string{"@message"}, lines, func(line string) []string { return []string{line} })
		},
		"CSV without a header": func(lines []string) string {
			return sheet(',', nil, lines, func(line string) []string { return []string{"1", line} })
		},
		"CSV with semicolons": func(lines []string) string {
			return sheet(';', []string{"time", "message"}, lines, func(line string) []string { return []string{"1", line} })
		},
		"TSV": func(lines []string) string {
			return sheet('\t', []string{"time", "message", "x"}, lines, func(line string) []string { return []string{"1", line, ""} })
		},
		"CSV with pretty cells": func(lines []string) string {
			return sheet(',', []string{"time", "message"}, lines, func(line string) []string { return []string{"1", pretty(object(line))} })
		},
		"subscription": func(lines []string) string {
			return js(m{"messageType": "CONTROL_MESSAGE", "logEvents": []any{}}) + js(m{"messageType": "DATA_MESSAGE", "logEvents": all(lines, func(_ int, line string) any { return m{"id": "1", "message": line} })})
		},
		"Lambda": func(lines []string) string {
			return js(m{"awslogs": m{"data": b64(string(gz(t, js(m{"messageType": "DATA_MESSAGE", "logEvents": all(lines, func(_ int, line string) any { return m{"message": line} })}))))}})
		},
		"Kinesis": func(lines []string) string {
			return js(m{"Records": []any{m{"Data": b64(string(gz(t, js(m{"logEvents": all(lines, func(_ int, line string) any { return m{"message": line} })})))), "PartitionKey": "x"}}})
		},
		"export task": prefixed("2026-11-21T10:00:00.000Z "),
		"Pub/Sub": func(lines []string) string {
			return pretty(m{"receivedMessages": all(lines, func(i int, line string) any {
				return m{"ackId": "x", "message": m{"data": b64(line), "messageId": fmt.Sprint(i), "publishTime": "2026-11-21T10:00:00Z"}}
			})})
		},
		"gcloud pubsub": func(lines []string) string {
			return pretty(all(lines, func(i int, line string) any {
				return m{"ackId": "x", "message": m{"data": b64(line), "messageId": fmt.Sprint(i)}}
			}))
		},
		"URL-safe base64": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any { return m{"data": base64.RawURLEncoding.EncodeToString([]byte(line))} })
		},
		"kcat": field("payload", m{"topic": "audit", "offset": 3, "key": nil}),
		"Event Hub": func(lines []string) string {
			return js(m{"records": all(lines, func(_ int, line string) any {
				return m{"category": "kube-audit", "properties": m{"log": line, "stream": "stdout"}}
			})})
		},
		"tables": func(lines []string) string {
			return pretty(m{"tables": []any{m{"name": "PrimaryResult", "columns": []any{m{"name": "TimeGenerated", "type": "datetime"}, m{"name": "log_s", "type": "string"}}, "rows": all(lines, func(_ int, line string) any { return []any{"2026-11-21T10:00:00Z", line} })}}})
		},
		"portal CSV": func(lines []string) string {
			return "\ufeff" + sheet(',', []string{"TenantId", "TimeGenerated [UTC]", "log_s"}, lines, func(line string) []string { return []string{"x", "11/21/2026, 10:00:00.000 AM", line} })
		},
		"OpenTelemetry": func(lines []string) string {
			return js(m{"resourceLogs": []any{m{"resource": m{"attributes": []any{}}, "scopeLogs": []any{m{"scope": m{}, "logRecords": all(lines, func(_ int, line string) any {
				return m{"timeUnixNano": "17", "body": m{"stringValue": line}, "attributes": []any{m{"key": "a", "value": m{"stringValue": "b"}}}}
			})}}}}}) + "\n"
		},
		"OpenTelemetry, parsed": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any {
				return m{"resourceLogs": []any{m{"scopeLogs": []any{m{"logRecords": []any{m{"body": otel(object(line))}}}}}}}
			})
		},
		"any wrapper": func(lines []string) string {
			return js(m{"x": m{"y": all(lines, func(_ int, line string) any { return m{"z": []any{m{"q": line}}} })}})
		},
		"wrapper on lines": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any { return m{"a": 1, "whatever": m{"else": object(line)}} })
		},
		"map": func(lines []string) string {
			out := m{}
			for i, line := range lines {
				out[fmt.Sprintf("%03d", i)] = object(line)
			}
			return pretty(out)
		},
		"ViaQ": func(lines []string) string {
			return jsonl(lines, func(_ int, line string) any {
				o := object(line)
				o["k8s_audit_level"] = o["level"]
				o["level"] = "default"
				o["@timestamp"] = "2026-11-21T10:00:00Z"
				o["openshift"] = m{"cluster_id": "x"}
				return o
			})
		},
		"UTF-16LE":             utf16(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16BE":             utf16(unicode.BigEndian, unicode.UseBOM),
		"UTF-16LE without BOM": utf16(unicode.LittleEndian, unicode.IgnoreBOM),
		"gzip":                 func(lines []string) string { return string(gz(t, plain(lines[:9]), plain(lines[9:]))) },
		"zstd":                 func(lines []string) string { return string(zst(t, plain(lines))) },
		"xz":                   func(lines []string) string { return xzed(t, plain(lines[:9])) + xzed(t, plain(lines[9:])) },
		"lz4":                  func(lines []string) string { return lz4ed(t, plain(lines[:9])) + lz4ed(t, plain(lines[9:])) },
		"tar":                  func(lines []string) string { return tarred(t, plain(lines[:9]), "", plain(lines[9:])) },
		"tar.gz":               func(lines []string) string { return string(gz(t, tarred(t, plain(lines[:9]), plain(lines[9:])))) },
		"gz in tar.xz": func(lines []string) string {
			return xzed(t, tarred(t, string(gz(t, plain(lines[:9]))), plain(lines[9:])))
		},
		"zip":        func(lines []string) string { return zipped(t, plain(lines[:9]), plain(lines[9:])) },
		"tar in zip": func(lines []string) string { return zipped(t, tarred(t, plain(lines))) },
		"zip in tar": func(lines []string) string { return tarred(t, zipped(t, plain(lines))) },
	}
}
