package auditshapes

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	ofPandas = "https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html"
	ofSQLite = "https://sqlite.org/cli.html#changing_output_formats"
	ofPsql   = "https://www.postgresql.org/docs/current/app-psql.html"
)

// databases returns the formats of events that were loaded into a database or a data
// frame and then exported.
func databases() []Shape {
	rows := func(l Log, row func(i int, e Event) object) []object {
		out := []object{}
		for i, e := range l {
			out = append(out, row(i, e))
		}
		return out
	}
	frame := func(l Log) (times, events object) {
		times, events = object{}, object{}
		for i, e := range l {
			times[fmt.Sprint(i)], events[fmt.Sprint(i)] = millis(e.Time), e.Line
		}
		return times, events
	}
	extracted := func(e Event) object {
		return object{"app": "kube-apiserver", "auditID": e.AuditID, "verb": e.Verb, "stage": e.Stage, "level": e.Level, "user_username": "x", "objectRef_resource": "y", "requestURI": e.RequestURI}
	}
	return []Shape{
		singleFile("pandas-columns", ofPandas, "frame.json", func(l Log) string {
			times, events := frame(l)
			return text(object{"time": times, "message": events})
		}),
		singleFile("pandas-split", ofPandas, "frame.json", func(l Log) string {
			var index, data []any
			for i, e := range l {
				index, data = append(index, i), append(data, []any{millis(e.Time), e.Line})
			}
			return text(object{"columns": []string{"time", "message"}, "index": index, "data": data})
		}),
		singleFile("pandas-index", ofPandas, "frame.json", func(l Log) string {
			out := object{}
			for i, e := range l {
				out[fmt.Sprint(i)] = object{"time": millis(e.Time), "message": e.Line}
			}
			return text(out)
		}),
		singleFile("pandas-table", ofPandas, "frame.json", func(l Log) string {
			return text(object{"schema": object{"fields": []object{{"name": "index", "type": "integer"}, {"name": "message", "type": "string"}}, "primaryKey": []string{"index"}}, "data": rows(l, func(i int, e Event) object {
				return object{"index": i, "message": e.Line}
			})})
		}),
		singleFile("pandas-values", ofPandas, "frame.json", func(l Log) string {
			var data []any
			for _, e := range l {
				data = append(data, []any{millis(e.Time), e.Line})
			}
			return text(data)
		}),
		singleFile("pandas-csv-of-fields", "https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_csv.html", "frame.csv", func(l Log) string {
			head := []string{"", "kind", "apiVersion", "level", "auditID", "stage", "requestURI", "verb", "user", "impersonatedUser", "sourceIPs", "userAgent", "objectRef", "responseStatus", "requestObject", "responseObject", "requestReceivedTimestamp", "stageTimestamp", "annotations"}
			return table(head, l, func(i int, e Event) []string {
				var parts map[string]any
				unmarshal(e.Line, &parts)
				row := []string{fmt.Sprint(i)}
				for _, key := range head[1:] {
					var b strings.Builder
					if s, is := parts[key].(string); is {
						b.WriteString(s)
					} else if parts[key] != nil {
						pythonOf(&b, parts[key])
					}
					row = append(row, b.String())
				}
				return row
			})
		}),
		singleFile("sqlite-json", ofSQLite, "out.json", func(l Log) string {
			parts := []string{}
			for i, e := range l {
				parts = append(parts, text(object{"id": i, "event": e.Line}))
			}
			return "[" + strings.Join(parts, ",\n") + "]\n"
		}),
		singleFile("sqlite-line", ofSQLite, "out.txt", each(func(i int, e Event) string { return fmt.Sprintf("   id = %d\nevent = %s\n", i, e.Line) })),
		singleFile("sqlite-quote", ofSQLite, "out.txt", each(func(i int, e Event) string {
			return fmt.Sprintf("%d,'%s'", i, strings.ReplaceAll(e.Line, "'", "''"))
		})),
		singleFile("sqlite-html", ofSQLite, "out.html", each(func(i int, e Event) string {
			return fmt.Sprintf("<TR><TD>%d</TD>\n<TD>%s</TD>\n</TR>", i, html.EscapeString(e.Line))
		})),
		singleFile("sqlite-tcl", ofSQLite, "out.tcl", each(func(i int, e Event) string {
			return fmt.Sprintf(`"%d" "%s"`, i, strings.ReplaceAll(strings.ReplaceAll(e.Line, `\`, `\\`), `"`, `\"`))
		})),
		singleFile("sqlite-markdown", ofSQLite, "out.md", func(l Log) string {
			return "| id | event |\n|----|-------|\n" + each(func(i int, e Event) string { return fmt.Sprintf("| %d | %s |", i, e.Line) })(l)
		}),
		singleFile("postgres-unaligned", ofPsql, "psql.txt", func(l Log) string {
			return "id|event\n" + each(func(i int, e Event) string { return fmt.Sprintf("%d|%s", i, e.Line) })(l) + fmt.Sprintf("(%d rows)\n", len(l))
		}),
		singleFile("postgres-expanded", ofPsql, "psql.txt", each(func(i int, e Event) string {
			return fmt.Sprintf("-[ RECORD %d ]----------\nid    | %d\nevent | %s", i+1, i, e.Line)
		})),
		singleFile("postgres-jsonb", "https://www.postgresql.org/docs/current/datatype-json.html", "jsonb.txt", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			var b strings.Builder
			jsonb(&b, v)
			return b.String()
		})),
		singleFile("postgres-hex", "https://www.postgresql.org/docs/current/datatype-binary.html", "bytea.csv", func(l Log) string {
			return table([]string{"id", "event"}, l, func(i int, e Event) []string {
				return []string{fmt.Sprint(i), `\x` + hex.EncodeToString([]byte(e.Line))}
			})
		}),
		singleFile("mongoexport", "https://www.mongodb.com/docs/database-tools/mongoexport/", "export.json", each(func(i int, e Event) string {
			return `{"_id":{"$oid":"` + fmt.Sprintf("%024x", i) + `"},` + e.Line[1:]
		})),
		singleFile("mongoexport-canonical", "https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/", "export.json", each(func(i int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			out := extendedJSON(v).(object)
			out["_id"] = object{"$oid": fmt.Sprintf("%024x", i)}
			return text(out)
		})),
		singleFile("dynamodb-export", "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html", "export.json", each(func(_ int, e Event) string {
			return text(object{"Item": object{"id": object{"S": e.AuditID + e.Stage}, "event": object{"S": e.Line}}})
		})),
		singleFile("dynamodb-attributes", "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html", "export.json", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			return text(object{"Item": dynamoDB(v).(object)["M"]})
		})),
		singleFile("loki-json-labels", ofLokiAPI, "range.json", func(l Log) string {
			result := []object{}
			for _, e := range l {
				result = append(result, object{"stream": extracted(e), "values": [][]string{{fmt.Sprint(e.Time.UnixNano()), e.Line}}})
			}
			return text(object{"status": "success", "data": object{"resultType": "streams", "result": result}})
		}),
		singleFile("loki-logcli-json-labels", ofLoki, "logcli.jsonl", each(func(_ int, e Event) string {
			return text(object{"labels": extracted(e), "line": e.Line, "timestamp": e.Time.Format(time.RFC3339Nano)})
		})),
		singleFile("grafana-json-labels", "https://grafana.com/docs/grafana/latest/explore/logs-integration/", "Explore-logs.json", func(l Log) string {
			return indented(text(rows(l, func(i int, e Event) object {
				return object{"line": e.Line, "timestamp": fmt.Sprint(e.Time.UnixNano()), "fields": extracted(e)}
			})), "  ")
		}),
		partialFile("kibana-csv-fields", "https://www.elastic.co/docs/explore-analyze/report-and-share", Some, "discover.csv", func(l Log) string {
			head := []string{"@timestamp", "kubernetes.audit.auditID", "kubernetes.audit.level", "kubernetes.audit.objectRef.apiGroup", "kubernetes.audit.objectRef.apiVersion", "kubernetes.audit.objectRef.name", "kubernetes.audit.objectRef.namespace", "kubernetes.audit.objectRef.resource", "kubernetes.audit.requestURI", "kubernetes.audit.responseStatus.code", "kubernetes.audit.sourceIPs", "kubernetes.audit.stage", "kubernetes.audit.user.username", "kubernetes.audit.userAgent", "kubernetes.audit.verb"}
			return allQuoted(head, l, func(_ int, e Event) []string {
				f := flatFields(e)
				row := []string{e.Time.Format("Jan 2, 2006 @ 15:04:05.000")}
				for _, h := range head[1:] {
					row = append(row, strings.Join(f[strings.TrimPrefix(h, "kubernetes.audit.")], ", "))
				}
				return row
			})
		}),
		partialFile("elasticsearch-fields", "https://www.elastic.co/docs/reference/elasticsearch/rest-apis/retrieve-selected-fields", Some, "fields.json", func(l Log) string {
			return text(object{"hits": object{"hits": rows(l, func(i int, e Event) object {
				fields := object{"@timestamp": []string{e.Time.Format(time.RFC3339Nano)}}
				for key, values := range flatFields(e) {
					fields["kubernetes.audit."+key] = values
				}
				return object{"_index": "audit", "_id": fmt.Sprint(i), "fields": fields}
			})}})
		}),
		singleFile("base64-lines", "https://docs.aws.amazon.com/cli/latest/reference/kinesis/get-records.html", "b64.txt", each(func(_ int, e Event) string { return base64.StdEncoding.EncodeToString([]byte(e.Line)) })),
		singleFile("base64-gzip-lines", "RFC 4648", "b64.txt", each(func(_ int, e Event) string { return base64.StdEncoding.EncodeToString(gzipped(e.Line)) })),
		singleFile("base64-file", "RFC 2045", "audit.b64", func(l Log) string {
			s := base64.StdEncoding.EncodeToString([]byte(lines(l)))
			var b strings.Builder
			for ; len(s) > 76; s = s[76:] {
				b.WriteString(s[:76] + "\n")
			}
			return b.String() + s + "\n"
		}),
		singleFile("kinesis-get-records", "https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html", "records.json", func(l Log) string {
			return indented(text(object{"Records": rows(l, func(i int, e Event) object {
				return object{"SequenceNumber": fmt.Sprint(i), "Data": base64.StdEncoding.EncodeToString([]byte(e.Line)), "PartitionKey": "p"}
			}), "NextShardIterator": "AAAA", "MillisBehindLatest": 0}), "    ")
		}),
		singleFile("sqs-messages", "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html", "messages.json", func(l Log) string {
			return indented(text(object{"Messages": rows(l, func(i int, e Event) object {
				return object{"MessageId": fmt.Sprint(i), "ReceiptHandle": "AQEB", "Body": text(object{"Type": "Notification", "Message": e.Line})}
			})}), "    ")
		}),
		singleFile("har-webhook", "http://www.softwareishard.com/blog/har-12-spec/", "capture.har", func(l Log) string {
			var entries []object
			batches(l, 50, func(_ int, part Log) {
				entries = append(entries, object{"request": object{"method": "POST", "url": "https://hook/", "postData": object{"mimeType": "application/json", "text": eventList(part)}}})
			})
			return indented(text(object{"log": object{"version": "1.2", "entries": entries}}), "  ")
		}),
		singleFile("http-dump", "https://curl.se/docs/manpage.html#--trace-ascii", "requests.txt", func(l Log) string {
			var b strings.Builder
			batches(l, 50, func(_ int, part Log) {
				body := eventList(part)
				fmt.Fprintf(&b, "POST / HTTP/1.1\r\nHost: hook\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n", len(body), body)
			})
			return b.String()
		}),
		singleFile("commas-between", "https://jsonlines.org", "list.txt", func(l Log) string {
			return strings.TrimSuffix(strings.ReplaceAll(lines(l), "\n", ",\n"), ",\n") + "\n"
		}),
		singleFile("javascript", "https://developer.mozilla.org/docs/Web/JavaScript", "events.js", func(l Log) string {
			return "const events = " + indented(list(l), "  ") + ";\nexport default events;\n"
		}),
		singleFile("jsonp", "https://developer.mozilla.org/docs/Glossary/JSONP", "events.js", func(l Log) string { return "callback(" + list(l) + ");\n" }),
		singleFile("markdown-fence", "https://spec.commonmark.org", "issue.md", func(l Log) string { return "Our audit log:\n\n```json\n" + lines(l) + "```\n\nThanks!\n" }),
		singleFile("script-session", "script(1)", "typescript", func(l Log) string {
			return "Script started on 2026-11-21 10:00:00+00:00\r\n\x1b[?2004h$ cat audit.log\r\n" + strings.ReplaceAll(lines(l), "\n", "\r\n") + "\x1b[?2004h$ exit\r\nScript done\r\n"
		}),
		singleFile("jq-color", ofJQ, "color.txt", each(func(_ int, e Event) string {
			var v any
			unmarshal(e.Line, &v)
			var b bytes.Buffer
			colored(&b, v)
			return b.String()
		})),
		singleFile("mime-mail", "RFC 2046", "mail.eml", func(l Log) string {
			s := base64.StdEncoding.EncodeToString(gzipped(lines(l)))
			var b strings.Builder
			b.WriteString("From: ops@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"x\"\r\n\r\n--x\r\nContent-Type: application/gzip; name=\"audit.log.gz\"\r\nContent-Transfer-Encoding: base64\r\n\r\n")
			for ; len(s) > 76; s = s[76:] {
				b.WriteString(s[:76] + "\r\n")
			}
			return b.String() + s + "\r\n--x--\r\n"
		}),
	}
}

// jsonb writes a value in the form of PostgreSQL's jsonb, which sorts shorter keys first.
func jsonb(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.SortedFunc(maps.Keys(v), func(x, y string) int {
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			return strings.Compare(x, y)
		})
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(text(k) + ": ")
			jsonb(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			jsonb(b, x)
		}
		b.WriteByte(']')
	default:
		b.WriteString(text(v))
	}
}

// extendedJSON adds types to numbers, as MongoDB does.
func extendedJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := object{}
		for k, x := range v {
			out[k] = extendedJSON(x)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, extendedJSON(x))
		}
		return out
	case json.Number:
		return object{"$numberInt": v.String()}
	}
	return v
}

// dynamoDB adds types to values, as DynamoDB does.
func dynamoDB(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := object{}
		for k, x := range v {
			out[k] = dynamoDB(x)
		}
		return object{"M": out}
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, dynamoDB(x))
		}
		return object{"L": out}
	case json.Number:
		return object{"N": v.String()}
	case bool:
		return object{"BOOL": v}
	case nil:
		return object{"NULL": true}
	}
	return object{"S": v}
}

// flatFields returns the fields of an event without its bodies, by path.
func flatFields(e Event) map[string][]string {
	var v object
	unmarshal(e.Line, &v)
	out := map[string][]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), x)
			}
		case []any:
			for _, x := range v {
				walk(path, x)
			}
		default:
			out[path] = append(out[path], fmt.Sprint(v))
		}
	}
	delete(v, "requestObject")
	delete(v, "responseObject")
	walk("", v)
	return out
}

// colored writes a value with the colours of jq -C.
func colored(b *bytes.Buffer, v any) {
	const key, str, punct, off = "\x1b[34;1m", "\x1b[0;32m", "\x1b[1;39m", "\x1b[0m"
	switch v := v.(type) {
	case map[string]any:
		b.WriteString(punct + "{")
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(punct + ",")
			}
			b.WriteString(off + key + text(k) + off + punct + ":" + off)
			colored(b, v[k])
		}
		b.WriteString(punct + "}" + off)
	case []any:
		b.WriteString(punct + "[")
		for i, x := range v {
			if i > 0 {
				b.WriteString(punct + ",")
			}
			colored(b, x)
		}
		b.WriteString(punct + "]" + off)
	default:
		b.WriteString(str + text(v) + off)
	}
}
