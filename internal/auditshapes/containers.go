package auditshapes

import (
	"fmt"
	"strings"
	"time"
)

const (
	ofCRI   = "https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md"
	ofStern = "https://github.com/stern/stern"
	ofLogs2 = "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/"
	pod     = "kube-apiserver-cp-0"
)

// containers returns the formats of container logs, for an API server that writes its
// audit log to standard output.
func containers() []Shape {
	stamp := func(e Event) string { return e.Time.UTC().Format("2006-01-02T15:04:05.000000000Z") }
	cri := func(size int, noise bool) func(Log) string {
		return each(func(i int, e Event) string {
			var b strings.Builder
			rest := e.Line
			for len(rest) > size {
				fmt.Fprintf(&b, "%s stdout P %s\n", stamp(e), rest[:size])
				if rest = rest[size:]; noise {
					fmt.Fprintf(&b, "%s stderr F I1121 10:00:00.000000       1 trace.go:236] Trace[%d]: \"List\" {\"x\":1}\n", stamp(e), i)
				}
			}
			return b.String() + fmt.Sprintf("%s stdout F %s", stamp(e), rest)
		})
	}
	docker := func(size int) func(Log) string {
		return func(l Log) string {
			var b strings.Builder
			for _, e := range l {
				rest := e.Line + "\n"
				for rest != "" {
					n := min(size, len(rest))
					b.WriteString(text(object{"log": rest[:n], "stream": "stdout", "time": stamp(e)}) + "\n")
					rest = rest[n:]
				}
			}
			return b.String()
		}
	}
	return []Shape{
		singleFile("cri", ofCRI, "0.log", cri(1<<30, false)),
		singleFile("cri-partial", ofCRI, "0.log", cri(16<<10, false)),
		singleFile("cri-partial-small", ofCRI, "0.log", cri(512, false)),
		singleFile("cri-with-stderr", ofCRI, "0.log", cri(4<<10, true)),
		singleFile("docker-json-file", "https://docs.docker.com/engine/logging/drivers/json-file/", "c-json.log", docker(1<<30)),
		singleFile("docker-json-file-split", "https://docs.docker.com/engine/logging/drivers/json-file/", "c-json.log", docker(16<<10)),
		singleFile("kubectl-logs", ofLogs2, "server.log", func(l Log) string {
			return each(func(i int, e Event) string {
				if i%20 == 0 {
					return "I1121 10:00:00.123456       1 controller.go:667] quota admission added evaluator for: {deployments.apps}\n" + e.Line
				}
				return e.Line
			})(l)
		}),
		singleFile("kubectl-logs-prefix", ofLogs2, "prefix.log", each(func(_ int, e Event) string { return "[pod/" + pod + "/kube-apiserver] " + e.Line })),
		singleFile("kubectl-logs-timestamps", ofLogs2, "stamps.log", each(func(_ int, e Event) string { return stamp(e) + " " + e.Line })),
		singleFile("kubectl-logs-both", ofLogs2, "both.log", each(func(_ int, e Event) string { return "[pod/" + pod + "/kube-apiserver] " + stamp(e) + " " + e.Line })),
		singleFile("stern", ofStern, "stern.log", each(func(_ int, e Event) string { return pod + " kube-apiserver " + e.Line })),
		singleFile("stern-color", ofStern, "color.log", each(func(_ int, e Event) string {
			return "\x1b[36m" + pod + "\x1b[0m \x1b[96mkube-apiserver\x1b[0m " + e.Line
		})),
		singleFile("stern-json", ofStern, "stern.json", each(func(_ int, e Event) string {
			return text(object{"message": e.Line, "nodeName": "cp-0", "namespace": "kube-system", "podName": pod, "containerName": "kube-apiserver"})
		})),
		singleFile("stern-extjson", ofStern, "ext.json", each(func(_ int, e Event) string {
			return `{"pod": "` + pod + `", "container": "kube-apiserver", "message": ` + e.Line + "}"
		})),
		singleFile("docker-compose", "https://docs.docker.com/reference/cli/docker/compose/logs/", "compose.log", each(func(_ int, e Event) string { return "apiserver-1  | " + e.Line })),
		singleFile("kind-export", "https://kind.sigs.k8s.io/docs/user/auditing/", "kind-control-plane/audit.log", each(func(_ int, e Event) string { return e.Time.Format(time.RFC3339Nano) + " stdout F " + e.Line })),
	}
}
