package auditshapes

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

const ofYAML = "https://yaml.org/spec/1.2.2/"

// printed returns events in the forms in which languages, databases and tools print
// values.
func printed() []Shape {
	doubled := func(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }
	return []Shape{
		singleFile("json-strings", ofJQ, "strings.json", each(func(_ int, e Event) string { return text(e.Line) })),
		singleFile("json-strings-array", ofJQ, "strings.json", func(l Log) string {
			all := []string{}
			for _, e := range l {
				all = append(all, e.Line)
			}
			return indented(text(all), "  ")
		}),
		singleFile("yaml-documents", ofYAML, "events.yaml", func(l Log) string {
			var b strings.Builder
			for _, e := range l {
				b.WriteString("---\n" + yamlOf(e.Line))
			}
			return b.String()
		}),
		singleFile("yaml-list", ofYAML, "events.yaml", func(l Log) string { return yamlOf(eventList(l)) }),
		singleFile("yaml-configmap", "https://kubernetes.io/docs/concepts/configuration/configmap/", "configmap.yaml", func(l Log) string {
			return "apiVersion: v1\ndata:\n  audit.log: |\n" + each(func(_ int, e Event) string { return "    " + e.Line })(l) + "kind: ConfigMap\nmetadata:\n  name: audit\n"
		}),
		singleFile("aws-filter-log-events-yaml", "https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-output-format.html", "filter.yaml", func(l Log) string {
			var b strings.Builder
			b.WriteString("events:\n")
			for i, e := range l {
				fmt.Fprintf(&b, "- eventId: '3730%052d'\n  ingestionTime: %d\n  logStreamName: %s\n  message: '%s'\n  timestamp: %d\n", i, millis(e.Time)+1800, stream, strings.ReplaceAll(e.Line, "'", "''"), millis(e.Time))
			}
			return b.String() + "searchedLogStreams: []\n"
		}),
		singleFile("python-boto3", "https://boto3.amazonaws.com/v1/documentation/api/latest/reference/services/logs/client/filter_log_events.html", "print.txt", each(func(i int, e Event) string {
			return fmt.Sprintf("{'logStreamName': '%s', 'timestamp': %d, 'message': '%s', 'ingestionTime': %d, 'eventId': '%d'}", stream, millis(e.Time), strings.ReplaceAll(doubled(e.Line), "'", `\'`), millis(e.Time), i)
		})),
		singleFile("python-dict", "https://docs.python.org/3/library/functions.html#repr", "dict.txt", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			var b strings.Builder
			pythonOf(&b, v)
			return b.String()
		})),
		singleFile("logfmt", "https://vector.dev/docs/reference/configuration/sinks/file/#encoding.codec", "vector.logfmt", each(func(_ int, e Event) string {
			return `file=/var/log/audit.log host=cp-0 message="` + strings.ReplaceAll(doubled(e.Line), `"`, `\"`) + `" source_type=file timestamp=` + e.Time.Format(time.RFC3339Nano)
		})),
		singleFile("vector-native-json", "https://vector.dev/docs/reference/configuration/sinks/file/#encoding.codec", "native.json", each(func(_ int, e Event) string {
			return text(object{"log": object{"file": "/var/log/audit.log", "host": "cp-0", "message": e.Line, "source_type": "file", "timestamp": object{"timestamp": e.Time.Format(time.RFC3339Nano)}}})
		})),
		singleFile("spark-csv", "https://spark.apache.org/docs/latest/sql-data-sources-csv.html", "part-00000.csv", func(l Log) string {
			return "time,message\n" + each(func(_ int, e Event) string {
				return e.Time.Format(time.RFC3339Nano) + `,"` + strings.ReplaceAll(doubled(e.Line), `"`, `\"`) + `"`
			})(l)
		}),
		singleFile("postgres-aligned", "https://www.postgresql.org/docs/current/app-psql.html", "psql.txt", func(l Log) string {
			return "             at             |   event\n----------------------------+-----------\n" + each(func(_ int, e Event) string {
				return " " + e.Time.Format("2006-01-02 15:04:05.000000") + " | " + e.Line
			})(l) + fmt.Sprintf("(%d rows)\n\n", len(l))
		}),
		singleFile("postgres-copy", "https://www.postgresql.org/docs/current/sql-copy.html", "copy.tsv", each(func(i int, e Event) string { return fmt.Sprint(i) + "\t" + doubled(e.Line) })),
		singleFile("postgres-insert", "https://www.postgresql.org/docs/current/app-pgdump.html", "dump.sql", func(l Log) string {
			return "--\n-- PostgreSQL database dump\n--\n\n" + each(func(i int, e Event) string {
				return fmt.Sprintf("INSERT INTO public.audit VALUES (%d, '%s');", i, strings.ReplaceAll(e.Line, "'", "''"))
			})(l)
		}),
		singleFile("mysql-dump", "https://dev.mysql.com/doc/refman/8.4/en/mysqldump.html", "dump.sql", func(l Log) string {
			var b strings.Builder
			b.WriteString("-- MySQL dump 10.13\n")
			batches(l, 20, func(first int, part Log) {
				b.WriteString("INSERT INTO `audit` VALUES ")
				for i, e := range part {
					if i > 0 {
						b.WriteByte(',')
					}
					fmt.Fprintf(&b, "(%d,'%s')", first+i, strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`).Replace(e.Line))
				}
				b.WriteString(";\n")
			})
			return b.String()
		}),
		singleFile("mysql-table", "https://dev.mysql.com/doc/refman/8.4/en/mysql.html", "mysql.txt", func(l Log) string {
			rule := "+----+----------+\n"
			return rule + "| id | event    |\n" + rule + each(func(i int, e Event) string { return fmt.Sprintf("| %2d | %s |", i, e.Line) })(l) + rule
		}),
		singleFile("csv-pretty-cells", "RFC 4180", "pretty.csv", func(l Log) string {
			return table([]string{"time", "event"}, l, func(_ int, e Event) []string { return []string{e.Time.Format(time.RFC3339), indented(e.Line, "  ")} })
		}),
		singleFile("powershell-export-csv", "https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/export-csv", "results.csv", func(l Log) string {
			return "#TYPE Selected.System.Management.Automation.PSCustomObject\r\n" + allQuoted([]string{"TimeGenerated", "log_s"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("1/2/2006 3:04:05 PM"), e.Line}
			})
		}),
		singleFile("powershell-convertto-json", "https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/convertto-json", "results.json", func(l Log) string {
			all := []object{}
			for _, e := range l {
				all = append(all, object{"TimeGenerated": e.Time.Format(time.RFC3339Nano), "log_s": e.Line})
			}
			s := strings.ReplaceAll(indented(text(all), "    "), "\n", "\r\n")
			return utf16Text(strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).Replace(s)+"\r\n", false)
		}),
		singleFile("az-tsv", "https://learn.microsoft.com/cli/azure/format-output-azure-cli", "query.tsv", each(func(_ int, e Event) string {
			return "PrimaryResult\t" + e.Time.Format(time.RFC3339Nano) + "\t" + e.Line
		})),
		singleFile("kafka-key-json", "https://kafka.apache.org/documentation/", "kafka.txt", each(func(i int, e Event) string {
			return text(object{"id": i}) + "\t" + e.Line
		})),
		singleFile("kafka-console-headers", "https://kafka.apache.org/documentation/", "kafka.txt", each(func(i int, e Event) string {
			return fmt.Sprintf("CreateTime:%d\tPartition:0\tOffset:%d\tcontent-type:application/json\tnull\t%s", millis(e.Time), i, e.Line)
		})),
		singleFile("kafka-connect-schema", "https://docs.confluent.io/platform/current/connect/concepts.html#converters", "part.json", each(func(_ int, e Event) string {
			return text(object{"schema": object{"type": "string", "optional": false}, "payload": e.Line})
		})),
		singleFile("fluentbit-cri", "https://docs.fluentbit.io/manual/pipeline/parsers/regular-expression", "cri.json", each(func(_ int, e Event) string {
			var b strings.Builder
			rest, tag := e.Line, "P"
			for rest != "" {
				n := min(len(rest), 4<<10)
				if n == len(rest) {
					tag = "F"
				}
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(text(object{"date": float64(e.Time.UnixMilli()) / 1e3, "stream": "stdout", "logtag": tag, "log": rest[:n]}))
				rest = rest[n:]
			}
			return b.String()
		})),
		singleFile("docker-fluentd-partial", "https://docs.docker.com/engine/logging/drivers/fluentd/", "fluentd.log", each(func(i int, e Event) string {
			if len(e.Line) <= 16<<10 {
				return text(object{"container_id": "c0ffee", "source": "stdout", "log": e.Line})
			}
			var b strings.Builder
			for part, rest := 1, e.Line; rest != ""; part++ {
				n := min(len(rest), 16<<10)
				if part > 1 {
					b.WriteByte('\n')
				}
				b.WriteString(text(object{"container_id": "c0ffee", "source": "stdout", "log": rest[:n], "partial_message": "true", "partial_id": fmt.Sprintf("%064d", i), "partial_ordinal": fmt.Sprint(part), "partial_last": fmt.Sprint(n == len(rest))}))
				rest = rest[n:]
			}
			return b.String()
		})),
		singleFile("journal-line-max", "https://www.freedesktop.org/software/systemd/man/latest/systemd.journal-fields.html", "journal.json", each(func(i int, e Event) string {
			var b strings.Builder
			for rest := e.Line; rest != ""; {
				n := min(len(rest), 48<<10)
				o := object{"__CURSOR": fmt.Sprint("s=", i, n), "_TRANSPORT": "stdout", "_STREAM_ID": "4f0b", "SYSLOG_IDENTIFIER": "kube-apiserver", "MESSAGE": rest[:n]}
				if n < len(rest) {
					o["_LINE_BREAK"] = "line-max"
				}
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(text(o))
				rest = rest[n:]
			}
			return b.String()
		})),
		singleFile("otlp-body-and-attributes", ofOTLP, "otlp.jsonl", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			record := object{"timeUnixNano": fmt.Sprint(e.Time.UnixNano()), "body": object{"stringValue": e.Line}, "attributes": anyValue(v)["kvlistValue"].(object)["values"]}
			return text(object{"resourceLogs": []object{{"resource": object{}, "scopeLogs": []object{{"scope": object{}, "logRecords": []object{record}}}}}})
		})),
		singleFile("otlp-attributes", ofOTLP, "otlp.jsonl", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			record := object{"timeUnixNano": fmt.Sprint(e.Time.UnixNano()), "body": object{}, "attributes": anyValue(v)["kvlistValue"].(object)["values"]}
			return text(object{"resourceLogs": []object{{"resource": object{}, "scopeLogs": []object{{"scope": object{}, "logRecords": []object{record}}}}}})
		})),
		partialFile("jq-projection", ofJQ, Nothing, "some.json", each(func(_ int, e Event) string {
			return text(object{"time": e.Time.Format(time.RFC3339Nano), "verb": e.Verb, "uri": e.RequestURI, "agent": e.UserAgent})
		})),
		partialFile("jq-projection-of-fields", ofJQ, Some, "some.json", each(func(_ int, e Event) string {
			return text(object{"auditID": e.AuditID, "stage": e.Stage, "verb": e.Verb, "user": e.User, "requestURI": e.RequestURI, "objectRef": e.ObjectRef, "stageTimestamp": e.Time})
		})),
		partialFile("gron", "https://github.com/tomnomnom/gron", Nothing, "gron.txt", each(func(_ int, e Event) string {
			return "json = {};\njson.auditID = " + text(e.AuditID) + ";\njson.verb = " + text(e.Verb) + ";\njson.requestURI = " + text(e.RequestURI) + ";"
		})),
	}
}

// plainYAML matches a string that needs no quotes in YAML.
var plainYAML = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// yamlOf returns JSON as YAML in block style, as gcloud and kubectl print it.
func yamlOf(data string) string {
	var v any
	unmarshal(data, &v)
	var b strings.Builder
	writeYAML(&b, v, "", false)
	return b.String()
}

// writeYAML writes a value. inline is true after the dash of a list item.
func writeYAML(b *strings.Builder, v any, indent string, inline bool) {
	switch v := v.(type) {
	case map[string]any:
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 || !inline {
				b.WriteString(indent)
			}
			b.WriteString(scalarYAML(k) + ":")
			nestYAML(b, v[k], indent)
		}
	case []any:
		for i, x := range v {
			if i > 0 || !inline {
				b.WriteString(indent)
			}
			b.WriteString("-")
			switch x := x.(type) {
			case map[string]any:
				if len(x) > 0 {
					b.WriteString(" ")
					writeYAML(b, x, indent+"  ", true)
					continue
				}
			case []any:
				if len(x) > 0 {
					b.WriteString(" ")
					writeYAML(b, x, indent+"  ", true)
					continue
				}
			}
			nestYAML(b, x, indent)
		}
	}
}

// nestYAML writes the value of a key, or a scalar in a list.
func nestYAML(b *strings.Builder, v any, indent string) {
	switch x := v.(type) {
	case map[string]any:
		if len(x) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteString("\n")
		writeYAML(b, x, indent+"  ", false)
	case []any:
		if len(x) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteString("\n")
		writeYAML(b, x, indent, false)
	default:
		b.WriteString(" " + scalarYAML(v) + "\n")
	}
}

func scalarYAML(v any) string {
	s, is := v.(string)
	switch {
	case v == nil:
		return "null"
	case !is:
		return fmt.Sprint(v)
	case plainYAML.MatchString(s) && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)):
		return s
	case strings.ContainsAny(s, "\n\t\r\\") || strings.HasPrefix(s, " "):
		return text(s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// pythonOf writes a value in the form of Python's repr.
func pythonOf(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(", ")
			}
			pythonOf(b, k)
			b.WriteString(": ")
			pythonOf(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			pythonOf(b, x)
		}
		b.WriteByte(']')
	case string:
		s := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(v)
		if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
			b.WriteString(`"` + s + `"`)
		} else {
			b.WriteString("'" + strings.ReplaceAll(s, "'", `\'`) + "'")
		}
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case nil:
		b.WriteString("None")
	case json.Number:
		b.WriteString(v.String())
	}
}
