package auditfollow

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// recorded returns the lines of the recorded log fights.log.gz.
func recorded(t testing.TB) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "testdata", "audit", "fights.log.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// rig is a test setup: a log that is written and rotated, and a run that follows it.
type rig struct {
	t     testing.TB
	dir   string
	clock time.Time
	run   *run
	// texts has the content of each file that was at the path of the log, the current one
	// last.
	texts []string
	// name is the name of the log in messages.
	name string
	// complaints has the messages of the run.
	complaints []string
	rotations  int
	// scheme is the scheme for names of rotated files in random steps.
	scheme int
}

func newRig(t testing.TB) *rig {
	g := &rig{t: t, dir: t.TempDir(), clock: time.Now(), texts: []string{""}, name: "audit.log"}
	g.write("audit.log", "")
	g.start()
	return g
}

func (g *rig) path(name string) string { return filepath.Join(g.dir, name) }

func (g *rig) check(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *rig) write(name, text string) {
	g.t.Helper()
	g.check(os.WriteFile(g.path(name), []byte(text), 0o600))
}

// append writes a text to the end of the log.
func (g *rig) append(text string) {
	g.t.Helper()
	f, err := os.OpenFile(g.path("audit.log"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	g.check(err)
	_, err = f.WriteString(text)
	g.check(err)
	g.check(f.Close())
	g.texts[len(g.texts)-1] += text
}

// start starts a run. An earlier run is dropped without saving, as if it was killed.
func (g *rig) start() {
	g.t.Helper()
	if g.run != nil {
		g.run.close()
	}
	var err error
	g.run, err = newRun(Options{
		Logs: []Log{{Name: "audit.log", Path: g.path("audit.log")}}, State: g.path("state.kvs"),
		Announce: func([]auditreport.News) error { return nil },
		Complain: func(format string, args ...any) {
			g.complaints = append(g.complaints, fmt.Sprintf(format, args...))
		},
	}, usual, func() time.Time { return g.clock })
	g.check(err)
}

// poll moves the clock by a second and makes the run poll once.
func (g *rig) poll() {
	g.t.Helper()
	g.clock = g.clock.Add(time.Second)
	g.check(g.run.poll(g.t.Context()))
}

// settle makes the run poll until rotated files are treated as complete.
func (g *rig) settle() {
	g.t.Helper()
	for range 3 {
		g.poll()
		g.clock = g.clock.Add(2 * usual.quiet)
	}
	g.poll()
}

func (g *rig) save() {
	g.t.Helper()
	g.check(g.run.save())
}

func (g *rig) rename(from, to string) {
	g.t.Helper()
	g.check(os.Rename(g.path(from), g.path(to)))
}

// zip replaces a file by a compressed file.
func (g *rig) zip(name string) {
	g.t.Helper()
	text, err := os.ReadFile(g.path(name))
	g.check(err)
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(text)
	g.check(z.Close())
	g.write(name+".gz", out.String())
	g.check(os.Remove(g.path(name)))
}

// next records that the log is a new file.
func (g *rig) next() { g.texts = append(g.texts, "") }

// turnRename rotates the log as the library lumberjack does: it renames the file.
func (g *rig) turnRename() string {
	g.t.Helper()
	g.rotations++
	name := fmt.Sprintf("audit-2026-11-23T10-%02d-%02d.000.log", g.rotations/60, g.rotations%60)
	g.rename("audit.log", name)
	g.write("audit.log", "")
	g.next()
	return name
}

// turnCopy rotates the log as logrotate does with copytruncate: it copies the file and
// truncates it.
func (g *rig) turnCopy() string {
	g.t.Helper()
	g.rotations++
	name := fmt.Sprintf("audit.log-20261123-10%02d%02d", g.rotations/60, g.rotations%60)
	g.copy(name)
	return name
}

// copy copies the log and truncates it.
func (g *rig) copy(name string) {
	g.t.Helper()
	text, err := os.ReadFile(g.path("audit.log"))
	g.check(err)
	g.write(name, string(text))
	g.check(os.Truncate(g.path("audit.log"), 0))
	g.next()
}

// turnNumber rotates the log as logrotate does without dates. The names are audit.log.1,
// audit.log.2.gz and so on.
func (g *rig) turnNumber() string {
	g.t.Helper()
	g.shift()
	g.rename("audit.log", "audit.log.1")
	g.write("audit.log", "")
	g.next()
	return "audit.log.1"
}

// turnNumberCopy is like turnNumber, but with copytruncate.
func (g *rig) turnNumberCopy() string {
	g.t.Helper()
	g.shift()
	g.copy("audit.log.1")
	return "audit.log.1"
}

// shift renames each file with a number to the next number.
func (g *rig) shift() {
	g.t.Helper()
	for i := 60; i > 0; i-- {
		for _, extension := range []string{"", ".gz"} {
			if _, err := os.Stat(g.path(fmt.Sprintf("audit.log.%d%s", i, extension))); err == nil {
				g.rename(fmt.Sprintf("audit.log.%d%s", i, extension), fmt.Sprintf("audit.log.%d%s", i+1, extension))
			}
		}
	}
}

// exported ignores unexported fields, which reports do not have.
var exported = cmpopts.IgnoreUnexported(auditreport.Document{}, auditreport.Row{}, auditreport.Client{}, auditreport.Denial{})

// orderDependent ignores the fields whose values depend on the order in which files are
// read. A rotated file may be found after later text was read.
var orderDependent = cmpopts.IgnoreFields(auditreport.Client{}, "NoopWrites", "ComparableWrites", "WritesAfterGet")

// compare compares the report of the run with the report of one run over all texts. It
// ignores the fields in ignored.
func (g *rig) compare(ignored ...cmp.Option) {
	g.t.Helper()
	if strings.Join(g.texts, "") == "" {
		return
	}
	want := g.whole()
	got, err := g.run.analysis.Document()
	g.check(err)
	if d := cmp.Diff(want, got, append(ignored, exported)...); d != "" {
		g.t.Fatalf("-all texts +follow:\n%s\ncomplaints: %q", d, g.complaints)
	}
	for _, c := range g.complaints {
		if strings.Contains(c, "is missing") || strings.Contains(c, "be missing") {
			g.t.Fatal(c)
		}
	}
}

// whole returns the report of one run over all texts.
func (g *rig) whole() *auditreport.Document {
	g.t.Helper()
	whole := auditlive.New(auditlive.Config{})
	for _, text := range g.texts {
		b, err := whole.Read(g.t.Context(), auditlive.Text{Input: g.name, Bytes: []byte(text)})
		g.check(err)
		whole.Add(b)
	}
	d, err := whole.Document()
	g.check(err)
	return d
}

// TestRotation rotates a log in all ways, at all stages of reading.
func TestRotation(t *testing.T) {
	lines := recorded(t)
	turns := map[string]func(*rig) string{"rename": (*rig).turnRename, "copy": (*rig).turnCopy, "number": (*rig).turnNumber, "number,copy": (*rig).turnNumberCopy}
	restarts := map[string]func(*rig){
		"none":    func(*rig) {},
		"saved":   func(g *rig) { g.save(); g.start() },
		"unsaved": (*rig).start,
	}
	for how, turn := range turns {
		for _, zip := range []bool{false, true} {
			for when, restart := range restarts {
				for _, polls := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s,zip=%v,%s,polls=%v", how, zip, when, polls), func(t *testing.T) {
						g := newRig(t)
						next := 0
						grow := func() {
							text := string(bytes.Join(lines[next:next+20], nil))
							next += 20
							g.append(text[:len(text)-100])
							g.poll()
							g.append(text[len(text)-100:])
						}
						for range 4 {
							grow()
							g.save()
							grow()
							if polls {
								g.poll()
							}
							for range 2 { // two rotations between two polls
								if name := turn(g); zip {
									g.zip(name)
								}
								g.append(string(lines[next]))
								next++
							}
							restart(g)
						}
						g.settle()
						g.compare()
					})
				}
			}
		}
	}
}
