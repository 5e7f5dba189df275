// Package audithook sends the audit events of a released kube-apiserver under load to
// `kubevet audit serve` and to `kubevet audit --follow`. It kills these programs a few
// times, and compares their reports with the server's audit log. Its tests run if
// KUBEVET_ORACLE_SERVERS names a directory with kube-apiservers.
package audithook

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	duration = flag.Duration("load", 40*time.Second, "how long requests are sent")
	rate     = flag.Int("rate", 50, "requests per second")
	kills    = flag.Int("kills", 4, "how often serve or follow is killed")
	keep     = flag.String("keep", "", "directory for all files, which stay")
)

const policy = `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitStages":["RequestReceived"],"rules":[
	{"level":"RequestResponse","resources":[{"group":"","resources":["configmaps"]}]},{"level":"Metadata"}]}`

// TestLoad checks that serve counts each event in the server's log once, although it is
// killed under load.
func TestLoad(t *testing.T) {
	r := newRig(t)
	file, write := r.file, r.write
	keys, err := writeCertificates(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	port, metrics := freePort(t), freePort(t)
	kubeconfig := write("webhook.json", fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"kubevet",
		"clusters":[{"name":"kubevet","cluster":{"server":"https://127.0.0.1:%d/audit","certificate-authority":%q}}],
		"users":[{"name":"kube-apiserver","user":{"client-certificate":%q,"client-key":%q}}],
		"contexts":[{"name":"kubevet","context":{"cluster":"kubevet","user":"kube-apiserver"}}]}`, port, keys.ca, keys.clientCert, keys.clientKey))
	policyFile, log := write("policy.json", policy), file("audit.log")

	hook := &program{t: t, name: "serve", stderr: file("serve.err"), args: []string{file("kubevet"), "audit", "serve",
		"--listen", fmt.Sprintf("127.0.0.1:%d", port), "--metrics-listen", fmt.Sprintf("127.0.0.1:%d", metrics),
		"--tls-cert", keys.serverCert, "--tls-key", keys.serverKey, "--client-ca", keys.ca, "--client-name", "kube-apiserver", "--state", file("serve.kvs")}}
	hook.start()
	defer hook.kill()

	at, stop := r.server("--audit-policy-file="+policyFile, "--audit-log-path="+log, "--audit-log-maxsize=10",
		"--audit-webhook-config-file="+kubeconfig, "--audit-webhook-batch-max-wait=2s", "--audit-webhook-initial-backoff=5s")
	defer stop()
	loaded := make(chan int, 1)
	begun := time.Now()
	go func() { loaded <- load(t.Context(), at, *rate, *duration) }()
	killed := 0
	for killed < *kills {
		time.Sleep(*duration / time.Duration(*kills+1))
		hook.kill()
		pause := time.Duration(rand.IntN(15_000)) * time.Millisecond
		t.Logf("%v: killed serve, which starts again after %v", time.Since(begun).Round(time.Second), pause)
		time.Sleep(pause)
		hook.start()
		killed++
	}
	sent := <-loaded
	stop() // its log and the batches are complete only after it has ended
	counters := lines(t, metrics, "/metrics", "kubevet_audit_serve_", "kubevet_audit_requests_total")
	const gap = "kubevet did not run from "
	if notes := strings.Join(lines(t, metrics, "/", gap), ""); strings.Count(notes, gap) != min(killed, 20) {
		t.Errorf("the report does not say %d times when kubevet did not run: %q", killed, notes)
	}
	hook.stop()

	logs, err := filepath.Glob(file("audit*.log"))
	if err != nil {
		t.Fatal(err)
	}
	want := report(t, file("kubevet"), logs...)
	got := report(t, file("kubevet"), file("serve.kvs"))
	// When the server ends, its log gets the ends of open watches, but its webhook does
	// not. They are not additional requests.
	want.Summary.Events, got.Summary.Events = 0, 0
	t.Logf("sent %d requests in %v; %d log files with %d requests; %d kills", sent, time.Since(begun).Round(time.Second), len(logs), want.Summary.Requests, killed)
	for _, name := range counters {
		t.Log(name)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("serve counts something else than the log has (-log +serve):\n%s", d)
	}
	if want.Summary.Requests < int64(sent) {
		t.Errorf("the log has %d requests, but %d were sent", want.Summary.Requests, sent)
	}
}
