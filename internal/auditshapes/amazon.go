package auditshapes

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"strings"
)

const (
	ofLogs     = "https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/"
	ofInsights = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData.html"
	ofStream   = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html"
	stream     = "kube-apiserver-audit-7f3e5a0d1c2b4e6f8091a2b3c4d5e6f7"
)

// amazon returns the formats in which CloudWatch Logs exports logs.
func amazon() []Shape {
	return []Shape{
		singleFile("aws-filter-log-events", ofLogs+"API_FilterLogEvents.html", "filter.json", func(l Log) string {
			events := []object{}
			for i, e := range l {
				events = append(events, object{"logStreamName": stream, "timestamp": millis(e.Time), "message": e.Line, "ingestionTime": millis(e.Time) + 1800, "eventId": fmt.Sprintf("3730%052d", i)})
			}
			return indented(text(object{"events": events, "searchedLogStreams": []any{}}), "    ")
		}),
		singleFile("aws-filter-log-events-pages", ofLogs+"API_FilterLogEvents.html", "pages.json", func(l Log) string {
			var b strings.Builder
			batches(l, 300, func(first int, part Log) {
				events := []object{}
				for _, e := range part {
					events = append(events, object{"logStreamName": stream, "timestamp": millis(e.Time), "message": e.Line, "ingestionTime": millis(e.Time)})
				}
				b.WriteString(text(object{"events": events, "nextToken": fmt.Sprint("token", first)}))
			})
			return b.String()
		}),
		singleFile("aws-filter-log-events-text", "https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-output-format.html", "filter.txt", each(func(i int, e Event) string {
			return fmt.Sprintf("EVENTS\t3730%052d\t%d\t%s\t%s\t%d", i, millis(e.Time)+1800, stream, e.Line, millis(e.Time))
		})),
		singleFile("aws-get-log-events", ofLogs+"API_GetLogEvents.html", "get.json", func(l Log) string {
			events := []object{}
			for _, e := range l {
				events = append(events, object{"timestamp": millis(e.Time), "message": e.Line, "ingestionTime": millis(e.Time) + 1800})
			}
			return indented(text(object{"events": events, "nextForwardToken": "f/1/s", "nextBackwardToken": "b/1/s"}), "    ")
		}),
		singleFile("aws-messages-query", "https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-filter.html", "messages.json", func(l Log) string {
			messages := []string{} // the output of --query 'events[].message'
			for _, e := range l {
				messages = append(messages, e.Line)
			}
			return indented(text(messages), "    ")
		}),
		singleFile("aws-messages-query-text", "https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-filter.html", "messages.txt", func(l Log) string {
			messages := []string{}
			for _, e := range l {
				messages = append(messages, e.Line)
			}
			return strings.Join(messages, "\t") + "\n"
		}),
		singleFile("aws-tail", "https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html", "tail.txt", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05.000000-07:00") + " " + stream + " " + e.Line
		})),
		singleFile("aws-tail-short", "https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html", "short.txt", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05") + " " + e.Line
		})),
		singleFile("aws-tail-json", "https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html", "tailjson.txt", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05.000000-07:00") + " " + stream + " \n" + indented(e.Line, "    ")
		})),
		singleFile("aws-insights-results", ofLogs+"API_GetQueryResults.html", "results.json", func(l Log) string {
			rows := []any{}
			for i, e := range l {
				rows = append(rows, []object{
					{"field": "@timestamp", "value": e.Time.Format("2006-01-02 15:04:05.000")},
					{"field": "@message", "value": e.Line},
					{"field": "@ptr", "value": fmt.Sprintf("CmUKJgoiNTM%06d", i)},
				})
			}
			return indented(text(object{"results": rows, "statistics": object{"recordsMatched": float64(len(l)), "recordsScanned": float64(len(l)), "bytesScanned": 1}, "status": "Complete"}), "    ")
		}),
		singleFile("aws-insights-console-json", ofInsights, "logs-insights-results.json", func(l Log) string {
			rows := []object{}
			for _, e := range l {
				rows = append(rows, object{"@timestamp": e.Time.Format("2006-01-02 15:04:05.000"), "@message": e.raw()})
			}
			return text(rows)
		}),
		singleFile("aws-insights-console-json-strings", ofInsights, "logs-insights-results.json", func(l Log) string {
			rows := []object{}
			for _, e := range l {
				rows = append(rows, object{"@timestamp": e.Time.Format("2006-01-02 15:04:05.000"), "@message": e.Line})
			}
			return text(rows)
		}),
		singleFile("aws-insights-console-csv", ofInsights, "logs-insights-results.csv", func(l Log) string {
			return table([]string{"@timestamp", "@message", "@logStream", "@log"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("2006-01-02 15:04:05.000"), e.Line, stream, "111122223333:/aws/eks/shop/cluster"}
			})
		}),
		partialFile("aws-insights-csv-of-columns", ofInsights, Nothing, "columns.csv", func(l Log) string {
			return table([]string{"@timestamp", "verb", "requestURI", "userAgent"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("2006-01-02 15:04:05.000"), e.Verb, e.RequestURI, e.UserAgent}
			})
		}),
		partialFile("aws-insights-stats", ofInsights, Nothing, "stats.json", func(l Log) string {
			return text(object{"results": []any{[]object{{"field": "user.username", "value": "dev"}, {"field": "count(*)", "value": fmt.Sprint(len(l))}}}, "status": "Complete"})
		}),
		singleFile("aws-export-task", "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/S3Export.html", "exports/000000.gz", func(l Log) string {
			return string(gzipped(each(func(_ int, e Event) string { return e.Time.Format("2006-01-02T15:04:05.000Z") + " " + e.Line })(l)))
		}),
		singleFile("aws-firehose", ofStream, "shop-1-2026-11-21-10-00-00", func(l Log) string {
			var b bytes.Buffer
			batches(l, 40, func(first int, part Log) { b.Write(gzipped(subscription(first, part))) })
			return b.String()
		}),
		singleFile("aws-firehose-decompressed", "https://docs.aws.amazon.com/firehose/latest/dev/writing-with-cloudwatch-logs-decompression.html", "firehose.json", func(l Log) string {
			var b strings.Builder
			batches(l, 40, func(first int, part Log) { b.WriteString(subscription(first, part)) })
			return b.String()
		}),
		singleFile("aws-firehose-extracted", "https://docs.aws.amazon.com/firehose/latest/dev/Message_extraction.html", "extracted.json", lines),
		singleFile("aws-lambda", ofStream, "events.json", func(l Log) string {
			var b strings.Builder
			batches(l, 40, func(first int, part Log) {
				b.WriteString(text(object{"awslogs": object{"data": base64.StdEncoding.EncodeToString(gzipped(subscription(first, part)))}}) + "\n")
			})
			return b.String()
		}),
		singleFile("aws-kinesis", "https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html", "kinesis.json", func(l Log) string {
			var records []object
			batches(l, 40, func(first int, part Log) {
				records = append(records, object{
					"kinesis":     object{"kinesisSchemaVersion": "1.0", "partitionKey": "p", "sequenceNumber": fmt.Sprint(first), "data": base64.StdEncoding.EncodeToString(gzipped(subscription(first, part))), "approximateArrivalTimestamp": 1763719200.5},
					"eventSource": "aws:kinesis", "eventName": "aws:kinesis:record", "awsRegion": "eu-west-1",
				})
			})
			return text(object{"Records": records})
		}),
		singleFile("aws-athena-csv", "https://docs.aws.amazon.com/athena/latest/ug/querying.html", "athena.csv", func(l Log) string {
			return allQuoted([]string{"time", "message"}, l, func(_ int, e Event) []string { return []string{fmt.Sprint(millis(e.Time)), e.Line} })
		}),
	}
}

// subscription returns the JSON that CloudWatch Logs sends to a subscriber.
func subscription(first int, l Log) string {
	events := []object{}
	for i, e := range l {
		events = append(events, object{"id": fmt.Sprintf("3730%052d", first+i), "timestamp": millis(e.Time), "message": e.Line})
	}
	return text(object{"messageType": "DATA_MESSAGE", "owner": "111122223333", "logGroup": "/aws/eks/shop/cluster", "logStream": stream, "subscriptionFilters": []string{"all"}, "logEvents": events})
}

// table returns a CSV file, with quotes where RFC 4180 requires them.
func table(head []string, l Log, row func(int, Event) []string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	check(w.Write(head))
	for i, e := range l {
		check(w.Write(row(i, e)))
	}
	w.Flush()
	return b.String()
}

// allQuoted returns a CSV file in which every cell is quoted.
func allQuoted(head []string, l Log, row func(int, Event) []string) string {
	var b strings.Builder
	write := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(c, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	write(head)
	for i, e := range l {
		write(row(i, e))
	}
	return b.String()
}
