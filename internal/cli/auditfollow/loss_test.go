package auditfollow

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// lines returns the lines of the recorded log from index from to index to, without the
// line at to.
func (g *rig) lines(from, to int) string {
	g.t.Helper()
	var b strings.Builder
	for _, line := range recorded(g.t)[from:to] {
		b.Write(line)
	}
	return b.String()
}

// complains checks that the messages of the run contain the parts. Then it deletes the
// messages.
func (g *rig) complains(parts ...string) {
	g.t.Helper()
	all := strings.Join(g.complaints, "\n")
	for _, part := range parts {
		if !strings.Contains(all, part) {
			g.t.Errorf("complaints %q lack %q", all, part)
		}
	}
	g.complaints = nil
}

// failures checks the number of failures in the report.
func (g *rig) failures(want int) {
	g.t.Helper()
	d, err := g.run.analysis.Document()
	g.check(err)
	if n := len(d.Summary.Unreadable); n != want {
		g.t.Errorf("the report has %d failures, want %d: %v", n, want, d.Summary.Unreadable)
	}
}

// TestTruncated truncates a log without a copy.
func TestTruncated(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20) + `{"kind`)
	g.poll()
	g.check(os.Truncate(g.path("audit.log"), 0))
	g.append(g.lines(20, 30))
	g.poll()
	g.complains("audit.log: a file that was read up to byte", "was truncated or is gone")
	g.failures(1)
	if n := g.run.analysis.Events(); n != 30 || g.run.lost != (lost{Files: 1, Bytes: 6}) {
		t.Errorf("%d events, lost %+v", n, g.run.lost)
	}
	if !g.run.incomplete {
		t.Error("the run is complete")
	}
	g.poll()
	g.save()
	g.start()
	g.poll()
	if len(g.complaints) > 0 || g.run.lost.Files != 1 {
		t.Errorf("%q, %+v", g.complaints, g.run.lost)
	}
	g.failures(1)
}

// TestGone removes rotated files while the program does not run.
func TestGone(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20))
	g.poll()
	g.save()
	g.append(g.lines(20, 30))
	g.check(os.Remove(g.path(g.turnRename())))
	g.append(g.lines(30, 40))
	g.start()
	g.poll()
	g.complains("was truncated or is gone")
	if n := g.run.analysis.Events(); n != 30 {
		t.Errorf("%d events", n)
	}
}

// TestRemoved removes a file while the run has it open. No text must be missing.
func TestRemoved(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20))
	g.poll()
	g.append(g.lines(20, 30))
	g.check(os.Remove(g.path("audit.log")))
	g.poll()
	g.next()
	g.append(g.lines(30, 40))
	g.settle()
	g.compare()
}

// TestCut truncates a log to a part of its size.
func TestCut(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 40))
	g.poll()
	g.check(os.Truncate(g.path("audit.log"), int64(len(g.lines(0, 30)))))
	g.poll()
	g.poll()
	if len(g.complaints) > 0 {
		t.Errorf("complaints %q", g.complaints)
	}
	g.poll()
	g.complains("audit.log: was cut to ")
	g.append(g.lines(40, 50))
	g.poll()
	if n := g.run.analysis.Events(); n != 50 {
		t.Errorf("%d events", n)
	}
}

// TestDamagedCopy rotates a log to a compressed file that ends too early.
func TestDamagedCopy(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20))
	g.poll()
	g.save()
	g.append(g.lines(20, 300))
	name := g.turnRename()
	g.zip(name)
	whole, err := os.ReadFile(g.path(name + ".gz"))
	g.check(err)
	g.write(name+".gz", string(whole[:len(whole)*3/4]))
	g.start()
	g.poll()
	if n := g.run.analysis.Events(); n < 100 || n > 280 || len(g.complaints) > 0 {
		t.Errorf("%d events, complaints %q", n, g.complaints)
	}
	// Another program still writes the file, and completes it here. So nothing must be
	// missing.
	g.write(name+".gz", string(whole))
	g.poll()
	g.compare()

	g.append(g.lines(300, 600))
	g.save()
	name = g.turnRename()
	g.zip(name)
	whole, err = os.ReadFile(g.path(name + ".gz"))
	g.check(err)
	g.write(name+".gz", string(whole[:len(whole)*3/4]))
	g.start()
	g.settle()
	g.complains("was rotated to " + name + ".gz, which ends too early or is damaged")
	g.failures(1)
}

// TestBefore checks that the run ignores files that were rotated before its first start,
// and other logs.
func TestBefore(t *testing.T) {
	g := newRig(t)
	for _, name := range []string{"audit.log.1", "audit-2026-11-22T10-00-00.000.log", "audit.log.bak"} {
		g.write(name, g.lines(100+len(name), 130+len(name)))
	}
	g.poll()
	g.append(g.lines(0, 20))
	g.poll()
	g.write("audit-openshift.log", g.lines(200, 220))
	g.write("audit-1.log", g.lines(220, 240))
	g.rename("audit.log.1", "audit.log.2")
	g.zip("audit.log.2")
	g.rename("audit.log", "audit.log.1")
	g.next()
	g.append(g.lines(20, 30))
	g.poll()
	g.save()
	g.start()
	g.settle()
	g.compare()
}

// TestGlob follows a log and its rotated files, as if the shell had expanded audit*.
func TestGlob(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20))
	g.turnNumber()
	g.append(g.lines(20, 40))
	g.zip(g.turnNumber())
	g.append(g.lines(40, 60))
	start := func() {
		g.start()
		g.run.logs = nil
		for _, name := range []string{"audit.log", "audit.log.1.gz", "audit.log.2"} {
			g.run.logs = append(g.run.logs, &log{Log: Log{Name: "audit.log", Path: g.path(name)}})
		}
	}
	start()
	for range 3 {
		g.poll()
		g.turnNumber()
		g.append(g.lines(20*(len(g.texts)-1), 20*len(g.texts)))
		g.poll()
		g.save()
		start()
	}
	g.settle()
	g.compare(orderDependent)
}

// TestWait starts a run before the log exists.
func TestWait(t *testing.T) {
	g := newRig(t)
	g.check(os.Remove(g.path("audit.log")))
	g.poll()
	g.poll()
	if len(g.complaints) != 1 {
		t.Errorf("complaints %q", g.complaints)
	}
	g.complains("waiting for audit.log, which does not exist yet")
	g.append(g.lines(0, 20))
	g.poll()
	g.compare()
}

// TestShape checks that a log that cannot be read in pieces is refused.
func TestShape(t *testing.T) {
	g := newRig(t)
	g.append("hello\n")
	g.poll()
	g.append("\x1f\x8b\x08\x00 and so on")
	g.poll()
	g.append("more\n")
	g.poll()
	g.complains("audit.log holds no audit event so far: it ", "audit.log: it grows, but is compressed or an archive")
	g.failures(1)
	if !g.run.incomplete {
		t.Error("the run is complete")
	}
}

// TestManyLogs checks that a state does not keep the positions in all logs of earlier runs.
func TestManyLogs(t *testing.T) {
	g := newRig(t)
	g.append(g.lines(0, 20))
	g.poll()
	for i := range maxKnown + 1 {
		path := fmt.Sprintf("/log%05d", i)
		g.run.known[path] = true
		g.run.table.add(path, []byte(path), 0)
	}
	g.run.unsaved = true
	g.save()
	g.start()
	g.complains("the positions in 4097 logs that this run does not follow were dropped to bound the state, such as /log00000")
	if len(g.run.known) != 1 || len(g.run.table.all) != 1 {
		t.Errorf("%d logs, %d positions", len(g.run.known), len(g.run.table.all))
	}
	g.poll()
	g.compare()
}

// TestForeignState checks that states of other kinds of runs are refused.
func TestForeignState(t *testing.T) {
	g := newRig(t)
	g.save()
	o := g.run.Options
	if _, err := newRun(o, usual, g.run.now); err != nil {
		t.Error(err)
	}
	o.Analysis.Tally.Filter.Users = []string{"x"}
	if _, err := newRun(o, usual, g.run.now); err == nil || !strings.Contains(err.Error(), "filters (user x)") {
		t.Error(err)
	}
	g.write("state.kvs", "x")
	if _, err := newRun(o, usual, g.run.now); err == nil {
		t.Error("a damaged state is accepted")
	}
}
