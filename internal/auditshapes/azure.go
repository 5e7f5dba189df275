package auditshapes

import (
	"encoding/json"
	"strings"
	"time"
)

const (
	ofAKS    = "https://learn.microsoft.com/azure/aks/monitor-aks-reference"
	ofTable  = "https://learn.microsoft.com/azure/azure-monitor/reference/tables/AKSAudit"
	ofQuery  = "https://learn.microsoft.com/rest/api/loganalytics/query/get"
	ofPortal = "https://learn.microsoft.com/azure/azure-monitor/logs/log-analytics-overview"
	cluster  = "/SUBSCRIPTIONS/0/RESOURCEGROUPS/SHOP/PROVIDERS/MICROSOFT.CONTAINERSERVICE/MANAGEDCLUSTERS/SHOP"
)

// azure returns the formats in which Azure Monitor exports logs.
func azure() []Shape {
	auditHead := []string{"TenantId", "TimeGenerated", "Level", "AuditId", "Stage", "RequestUri", "Verb", "User", "SourceIps", "UserAgent", "ObjectRef", "ResponseStatus", "RequestObject", "ResponseObject", "RequestReceivedTime", "StageReceivedTime", "Annotations", "PodName", "SourceSystem", "Type", "_ResourceId"}
	diagnosticsHead := []string{"TenantId", "TimeGenerated", "ResourceId", "Category", "ResourceGroup", "OperationName", "pod_s", "stream_s", "containerID_s", "log_s", "Type"}
	diagnosticsRow := func(e Event) []any {
		return []any{"t", e.Time.Format(time.RFC3339Nano), cluster, "kube-audit", "SHOP", "Microsoft.ContainerService/managedClusters/diagnosticLogs/Read", "kube-apiserver-0", "stdout", "c0ffee", e.Line, "AzureDiagnostics"}
	}
	return []Shape{
		singleFile("aks-blob", ofAKS, "y=2026/m=11/d=21/h=10/m=00/PT1H.json", each(func(_ int, e Event) string { return text(record(e, e.Line)) })),
		singleFile("aks-blob-newline", ofAKS, "PT1H.json", each(func(_ int, e Event) string { return text(record(e, e.Line+"\n")) })),
		singleFile("aks-blob-object", ofAKS, "PT1H.json", each(func(_ int, e Event) string { return text(record(e, e.raw())) })),
		singleFile("aks-eventhub", ofAKS, "events.json", func(l Log) string {
			var b strings.Builder
			batches(l, 50, func(_ int, part Log) {
				records := []any{}
				for _, e := range part {
					records = append(records, record(e, e.Line))
				}
				b.WriteString(text(object{"records": records}) + "\n")
			})
			return b.String()
		}),
		singleFile("aks-eventhub-array", ofAKS, "messages.json", func(l Log) string {
			var all []any
			batches(l, 50, func(_ int, part Log) {
				records := []any{}
				for _, e := range part {
					records = append(records, record(e, e.Line))
				}
				all = append(all, object{"records": records})
			})
			return text(all)
		}),
		singleFile("aks-diagnostics-json", ofPortal, "query.json", func(l Log) string {
			rows := []object{}
			for _, e := range l {
				row := object{"TableName": "PrimaryResult"}
				for i, v := range diagnosticsRow(e) {
					row[diagnosticsHead[i]] = v
				}
				rows = append(rows, row)
			}
			return indented(text(rows), "  ")
		}),
		singleFile("aks-diagnostics-csv", ofPortal, "query_data.csv", func(l Log) string {
			return table([]string{"TimeGenerated [UTC]", "Category", "log_s", "pod_s"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("1/2/2006, 3:04:05.000 PM"), "kube-audit", e.Line, "kube-apiserver-0"}
			})
		}),
		singleFile("aks-diagnostics-csv-quoted", ofPortal, "query_data.csv", func(l Log) string {
			return "\ufeff" + allQuoted([]string{"TimeGenerated [UTC]", "Category", "log_s", "pod_s"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("1/2/2006, 3:04:05.000 PM"), "kube-audit", e.Line, "kube-apiserver-0"}
			})
		}),
		singleFile("aks-diagnostics-parsed", ofPortal, "event.csv", func(l Log) string {
			return table([]string{"TimeGenerated [UTC]", "event"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format("1/2/2006, 3:04:05.000 PM"), e.Line}
			})
		}),
		singleFile("aks-diagnostics-tables", ofQuery, "tables.json", func(l Log) string {
			rows := [][]any{}
			for _, e := range l {
				rows = append(rows, diagnosticsRow(e))
			}
			return tables(diagnosticsHead, rows)
		}),
		partialFile("aks-audit-json", ofTable, Requests, "audit.json", func(l Log) string {
			rows := []object{}
			for _, e := range l {
				rows = append(rows, columns(auditHead, auditRow(e, false)))
			}
			return indented(text(rows), "  ")
		}),
		partialFile("aks-audit-json-strings", ofTable, Requests, "audit.json", func(l Log) string {
			rows := []object{}
			for _, e := range l {
				rows = append(rows, columns(auditHead, auditRow(e, true)))
			}
			return text(rows)
		}),
		partialFile("aks-audit-export", "https://learn.microsoft.com/azure/azure-monitor/logs/logs-data-export", Requests, "PT05M.json", each(func(_ int, e Event) string {
			return text(columns(auditHead, auditRow(e, false)))
		})),
		partialFile("aks-audit-tables", ofQuery, Requests, "tables.json", func(l Log) string {
			rows := [][]any{}
			for _, e := range l {
				rows = append(rows, auditRow(e, true))
			}
			return tables(auditHead, rows)
		}),
		partialFile("aks-audit-csv", ofPortal, Requests, "query_data.csv", func(l Log) string {
			head := append([]string{}, auditHead...)
			for i, h := range head {
				if strings.Contains(h, "Time") {
					head[i] = h + " [UTC]"
				}
			}
			return table(head, l, func(_ int, e Event) []string {
				row := make([]string, 0, len(head))
				for i, v := range auditRow(e, true) {
					s := v.(string)
					if strings.HasSuffix(head[i], "[UTC]") {
						at, err := time.Parse(time.RFC3339Nano, s)
						check(err)
						s = at.Format("1/2/2006, 3:04:05.000 PM")
					}
					row = append(row, s)
				}
				return row
			})
		}),
		partialFile("aks-audit-too-big", ofTable, Requests, "audit.json", each(func(_ int, e Event) string {
			c := columns(auditHead, auditRow(e, false))
			c["RequestObject"], c["ResponseObject"] = "skipped-too-big-size-object", "skipped-too-big-size-object"
			return text(c)
		})),
		partialFile("aks-summary", ofPortal, Nothing, "summary.csv", func(l Log) string {
			return table([]string{"Verb", "count_"}, l[:3], func(_ int, e Event) []string { return []string{e.Verb, "17"} })
		}),
	}
}

func record(e Event, log any) object {
	return object{
		"time": e.Time.Format(time.RFC3339Nano), "resourceId": cluster, "category": "kube-audit", "operationName": "Microsoft.ContainerService/managedClusters/diagnosticLogs/Read",
		"serviceBuild": "na", "ccpNamespace": "65d1", "properties": object{"log": log, "stream": "stdout", "pod": "kube-apiserver-0", "containerID": "c0ffee"},
	}
}

// columns converts a row to an object with the names of the columns as keys. Empty cells
// are left out.
func columns(head []string, row []any) object {
	out := object{}
	for i, v := range row {
		out[head[i]] = v
	}
	return out
}

// auditRow returns a row of the table AKSAudit. If flat is true, dynamic columns are
// strings, otherwise objects.
func auditRow(e Event, flat bool) []any {
	dynamic := func(v json.RawMessage) any {
		switch {
		case v == nil && flat:
			return ""
		case v == nil:
			return nil
		case flat:
			return string(v)
		}
		return v
	}
	ips, err := json.Marshal(e.SourceIPs)
	check(err)
	level := e.Level
	return []any{
		"t", e.Time.Format(time.RFC3339Nano), level, e.AuditID, e.Stage, e.RequestURI, e.Verb, dynamic(e.User), dynamic(ips), e.UserAgent, dynamic(e.ObjectRef),
		dynamic(e.Status), dynamic(e.Request), dynamic(e.Response), e.Received.Format(time.RFC3339Nano), e.Time.Format(time.RFC3339Nano), dynamic(e.Annotations),
		"kube-apiserver-0", "Azure", "AKSAudit", strings.ToLower(cluster),
	}
}

// tables returns the answer of the query API.
func tables(head []string, rows [][]any) string {
	cols := []object{}
	for _, h := range head {
		kind := "string"
		switch {
		case strings.Contains(h, "Time"):
			kind = "datetime"
		case strings.Contains("User SourceIps ObjectRef ResponseStatus RequestObject ResponseObject Annotations", h):
			kind = "dynamic"
		}
		cols = append(cols, object{"name": h, "type": kind})
	}
	return text(object{"tables": []object{{"name": "PrimaryResult", "columns": cols, "rows": rows}}})
}
