package audithook

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	maxSize   = flag.String("maxsize", "1", "size in MB at which the server rotates the log that TestFollow follows")
	compress  = flag.Bool("compress", false, "whether the server compresses rotated logs")
	maxBackup = flag.String("maxbackup", "0", "how many rotated logs the server keeps; 0 for all. With few, TestFollow expects that a loss is reported")
)

// TestFollow checks that --follow counts each event in the server's log once,
// although the server rotates the log and the program is killed under load.
func TestFollow(t *testing.T) {
	r := newRig(t)
	if err := os.Mkdir(r.file("log"), 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(r.file("log"), "audit.log")
	tail := &program{t: t, name: "follow", stderr: r.file("follow.err"), args: []string{r.file("kubevet"), "audit", "--follow", "--state", r.file("follow.kvs"), log}}
	tail.start()
	defer tail.kill()
	args := []string{"--audit-policy-file=" + r.write("policy.json", policy), "--audit-log-path=" + log, "--audit-log-maxsize=" + *maxSize, "--audit-log-maxbackup=" + *maxBackup}
	if *compress {
		args = append(args, "--audit-log-compress")
	}
	at, stop := r.server(args...)
	defer stop()
	loaded := make(chan int, 1)
	begun := time.Now()
	go func() { loaded <- load(t.Context(), at, *rate, *duration) }()
	down := time.Duration(0)
	for range *kills {
		time.Sleep(*duration / time.Duration(*kills+1))
		tail.kill()
		pause := time.Duration(rand.IntN(15_000)) * time.Millisecond
		down += pause
		t.Logf("%v: killed follow, which starts again after %v", time.Since(begun).Round(time.Second), pause)
		time.Sleep(pause)
		tail.start()
	}
	sent := <-loaded
	stop()
	if *maxBackup != "0" {
		tail.kill() // if events were lost, its exit status is 3
		text, err := os.ReadFile(r.file("follow.err"))
		if err != nil || !strings.Contains(string(text), "was truncated or is gone") {
			t.Errorf("no loss is reported: %v %s", err, text)
		}
		return
	}
	time.Sleep(5 * time.Second)
	tail.stop()

	logs, err := filepath.Glob(filepath.Join(r.file("log"), "audit*"))
	if err != nil {
		t.Fatal(err)
	}
	want := report(t, r.file("kubevet"), logs...)
	got := report(t, r.file("kubevet"), r.file("follow.kvs"))
	t.Logf("sent %d requests in %v; %d log files with %d requests in %d events; %d kills, %v down", sent, time.Since(begun).Round(time.Second), len(logs), want.Summary.Requests, want.Summary.Events, *kills, down)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("follow counts something else than the log has (-log +follow):\n%s", d)
	}
	if want.Summary.Requests < int64(sent) || len(logs) < 2 {
		t.Errorf("the log has %d requests in %d files, but %d were sent", want.Summary.Requests, len(logs), sent)
	}
}
