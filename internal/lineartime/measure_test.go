package lineartime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxGrowth is the maximal factor by which the work may grow if the input doubles. Linear
// work grows by 2, and quadratic work by 4.
const maxGrowth = 2.5

// counters has the counts of one run.
type counters struct {
	Steps             map[string][]uint64 // by package
	Passed, Allocated uint64
}

// steps returns the sum of all counts, without the memory.
func (c *counters) steps() uint64 {
	sum := c.Passed
	for _, counters := range c.Steps {
		for _, n := range counters {
			sum += n
		}
	}
	return sum
}

// countingBinary is a kubevet with counters, and the names of its counters.
type countingBinary struct {
	binary string
	places map[string][]string
}

func newCounting(t *testing.T) *countingBinary {
	t.Helper()
	binary, places, err := build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &countingBinary{binary, places}
}

// run runs kubevet in a new directory with the files and returns the counts.
func (c *countingBinary) run(t *testing.T, files map[string]string, args []string, env ...string) *counters {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result := filepath.Join(t.TempDir(), "work.json")
	cmd := exec.Command(c.binary, args...)
	cmd.Dir = dir
	// With one processor, no two goroutines count at the same time.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "KUBEVET_WORK="+result)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, tail(out))
	}
	data, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	var n counters
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatal(err)
	}
	return &n
}

func tail(out []byte) []byte { return out[max(0, len(out)-2000):] }

// growth has the factors by which the work grew.
type growth struct {
	steps [3]float64
	// memory is the factor by which the allocated bytes grew in all three doublings
	// together.
	memory float64
}

func (g growth) String() string {
	return fmt.Sprintf("steps %.2f %.2f %.2f, memory %.1f in three", g.steps[0], g.steps[1], g.steps[2], g.memory)
}

func (g growth) exceeds() bool {
	return slices.Max(g.steps[:]) > maxGrowth || g.memory > maxGrowth*maxGrowth*maxGrowth
}

// littleMemory is the number of allocated bytes up to which the growth of memory is
// ignored. Buffers grow in steps, so small numbers prove nothing.
const littleMemory = 256 << 10

// grow runs a shape with four sizes, each double the previous one, and returns the
// growth. The cost of a run with the smallest possible input is subtracted. worst names
// the places that grew too much.
func (c *countingBinary) grow(t *testing.T, s shape, env ...string) (g growth, worst string) {
	t.Helper()
	measure := func(n int) *counters { return c.run(t, s.files(n), s.args, env...) }
	none := measure(1)
	first := measure(s.n)
	last := first
	for i := range 3 {
		next := measure(s.n << (i + 1))
		g.steps[i] = ratio(next.steps(), last.steps(), none.steps())
		if g.steps[i] > maxGrowth && worst == "" || i == 2 && worst == "" {
			worst = c.worst(last, next, none)
		}
		last = next
	}
	g.memory = ratio(last.Allocated, max(first.Allocated, none.Allocated+littleMemory), none.Allocated)
	return g, worst
}

// ratio returns the growth from last to next, without the constant part none:
// (next-none)/(last-none). It returns 0 if last is at most none.
func ratio(next, last, none uint64) float64 {
	if last <= none {
		return 0
	}
	return (float64(next) - float64(none)) / float64(last-none)
}

// worst returns a text with the places in the code whose work grew too much, the largest
// growth first.
func (c *countingBinary) worst(last, next, none *counters) string {
	type grown struct {
		place string
		n     uint64
	}
	var all []grown
	for folder, places := range c.places {
		for i, place := range places {
			if n := next.Steps[folder][i]; ratio(n, last.Steps[folder][i], none.Steps[folder][i]) > maxGrowth {
				all = append(all, grown{place, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b grown) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.place, b.place)) })
	var b strings.Builder
	for _, g := range all[:min(5, len(all))] {
		fmt.Fprintf(&b, "\n\t%s: %d times", g.place, g.n)
	}
	if p := ratio(next.Passed, last.Passed, none.Passed); p > maxGrowth {
		fmt.Fprintf(&b, "\n\tfunctions of the standard library passed over %d bytes and elements, %.2f times as many", next.Passed, p)
	}
	return b.String()
}
