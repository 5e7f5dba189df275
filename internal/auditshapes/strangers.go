package auditshapes

import (
	"fmt"
	"strings"
)

// notAuditLogs returns files without a readable event, which a reader must refuse.
func notAuditLogs() []Shape {
	s := func(name, file, data string) Shape {
		return partialFile(name, "", Nothing, file, func(Log) string { return data })
	}
	return []Shape{
		s("empty", "audit.log", ""),
		s("blank", "audit.log", "\n\n  \n"),
		s("nul", "audit.log", strings.Repeat("\x00", 4096)),
		s("html", "page.html", "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"),
		s("klog", "apiserver.log", strings.Repeat("I1121 10:00:00.123456       1 controller.go:667] quota admission added evaluator for: {deployments.apps}\n", 20)),
		s("manifest", "web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n"),
		s("events", "events.json", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Event","metadata":{"name":"a.1"},"reason":"Started","involvedObject":{"kind":"Pod"}}]}`+"\n"),
		s("metrics", "metrics.txt", "# TYPE apiserver_request_total counter\napiserver_request_total{code=\"200\"} 5\n"),
		s("policy", "policy.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n"),
		s("cloudtrail", "trail.json", `{"Records":[{"eventVersion":"1.08","eventSource":"eks.amazonaws.com","eventName":"DescribeCluster","userIdentity":{"type":"Root"}}]}`),
		s("parquet", "audit.parquet", "PAR1"+strings.Repeat("\x15\x04\x15", 300)+"PAR1"),
		s("avro", "capture.avro", "Obj\x01\x04\x14avro.codec\x08null\x16avro.schema\x02{\x00"+strings.Repeat("\x01\x02", 300)),
		s("sevenzip", "audit.7z", "7z\xbc\xaf\x27\x1c\x00\x04"+strings.Repeat("\x9a\x01", 300)),
		s("rar", "audit.rar", "Rar!\x1a\x07\x01\x00"+strings.Repeat("\x9a\x01", 300)),
		s("snappy", "audit.sz", "\xff\x06\x00\x00sNaPpY"+strings.Repeat("\x9a\x01", 300)),
		s("sqlite", "audit.db", "SQLite format 3\x00"+strings.Repeat("\x00\x01", 300)),
		s("msgpack", "audit.msgpack", strings.Repeat("\x92\xd7\x00\x68\x20\x00\x00\x00\x00\x00\x00\x81\xa3log\xa3abc", 50)),
		s("one-number", "one.json", "1\n"),
		s("array-of-numbers", "numbers.json", "[1,2,3]\n"),
		partialFile("server-legacy", "https://github.com/kubernetes/apiserver/blob/master/pkg/audit/format.go", Some, "audit.log", func(l Log) string {
			return each(func(_ int, e Event) string {
				return fmt.Sprintf("%s AUDIT: id=%q stage=%q ip=%q method=%q user=%q groups=%q as=\"<self>\" asgroups=\"<lookup>\" user-agent=%q namespace=\"<none>\" uri=%q response=%q",
					e.Time.Format("2006-01-02T15:04:05.000000000Z"), e.AuditID, e.Stage, e.SourceIPs[0], e.Verb, "u", "g", e.UserAgent, e.RequestURI, "200")
			})(l)
		}),
	}
}
