package auditfollow

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzFollow appends, rotates, compresses, polls, saves and kills in any order. Each byte
// is one step. At the end, the report must be equal to the report of one run over the
// whole text.
func FuzzFollow(f *testing.F) {
	lines := recorded(f)[:400]
	for _, seed := range []string{
		"aaplaplcaplzxapl", "alsakalrskazlcxa", "apsarapxarapzck", "anpsanpzxanpkanpx",
		"abpabcbpabsxkabrbp", "aprararapkp", "acacapzzkcap", "qapqcapxrq", "acaaaa",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, steps []byte) {
		if len(steps) > 60 {
			return
		}
		follow(t, lines, steps)
	})
}

// follow executes steps and compares the reports at the end.
func follow(t *testing.T, lines [][]byte, steps []byte) {
	t.Helper()
	g := newRig(t)
	g.poll()
	g.save()
	left := lines
	g.scheme = len(steps) % 2
	for i, step := range steps {
		g.step(step, i, &left)
	}
	g.settle()
	g.compare(orderDependent)
	g.save()
	g.start()
	g.settle()
	g.compare(orderDependent)
}

// step executes one step.
func (g *rig) step(step byte, i int, left *[][]byte) {
	g.t.Helper()
	written := strings.HasSuffix(g.texts[len(g.texts)-1], "\n")
	switch step {
	case 'p', 'l':
		g.poll()
	case 's':
		g.save()
	case 'k': // the run is killed
		g.start()
	case 'r', 'c':
		if !written { // programs that write logs rotate only after a complete line
			return
		}
		if turns := [][2]func(*rig) string{{(*rig).turnRename, (*rig).turnCopy}, {(*rig).turnNumber, (*rig).turnNumberCopy}}[g.scheme]; step == 'c' {
			turns[1](g)
		} else {
			turns[0](g)
		}
	case 'z', 'x':
		g.zipOne(step == 'x')
	case 'q':
		g.clock = g.clock.Add(usual.quiet)
	case 'b': // append a part of a line
		if !written || len(*left) == 0 {
			return
		}
		line := (*left)[0]
		*left = (*left)[1:]
		cut := 1 + i*97%(len(line)-1)
		g.append(string(line[:cut]))
		g.poll()
		g.append(string(line[cut:]))
	default:
		n := min(len(*left), 1+int(step)%40)
		g.append(string(bytes.Join((*left)[:n], nil)))
		*left = (*left)[n:]
	}
}

// zipOne compresses the oldest or the newest rotated file.
func (g *rig) zipOne(oldest bool) {
	g.t.Helper()
	names, err := filepath.Glob(g.path("audit*log*"))
	g.check(err)
	names = slices.DeleteFunc(names, func(name string) bool {
		return strings.HasSuffix(name, ".gz") || filepath.Base(name) == "audit.log"
	})
	if len(names) == 0 {
		return
	}
	slices.SortFunc(names, func(a, b string) int { return modified(a).Compare(modified(b)) })
	name := names[len(names)-1]
	if oldest {
		name = names[0]
	}
	g.zip(filepath.Base(name))
}

func modified(name string) time.Time {
	if info, err := os.Stat(name); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

var random = flag.Int("random", 30, "how many lists of random steps TestRandom makes")

// TestRandom executes random steps of FuzzFollow.
func TestRandom(t *testing.T) {
	lines := recorded(t)[:400]
	const kinds = "aabbplpsskrrrcccczxqp"
	for seed := range *random {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		steps := make([]byte, 5+random.IntN(50))
		for i := range steps {
			steps[i] = kinds[random.IntN(len(kinds))]
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { follow(t, lines, steps) }) {
			t.Logf("steps %q", steps)
		}
	}
}
