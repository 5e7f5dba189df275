package chartworker

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
)

// argument is the only argument of a worker process.
const argument = "chart-worker-started-by-kubevet"

// These limits bound the memory of a worker.
const (
	// maxMemory is the maximal memory in bytes (1 GiB). A worker that uses more ends
	// itself.
	maxMemory = 1 << 30
	// fullMemory is the memory in bytes from which on the worker stores no more
	// renderings for traces.
	fullMemory = 128 << 20
	// softMemory is the memory in bytes from which on the worker collects garbage more
	// often.
	softMemory = 400 << 20
	// maxStack is the maximal size of a stack in bytes (64 MiB). The deepest nesting of
	// templates that a rendering allows needs far less.
	maxStack = 64 << 20
)

// maxRequest is the maximal size of a request in bytes (512 MiB). A chart may have 100
// MiB.
const maxRequest = 512 << 20

// exitMemory is the exit status of a worker that has used too much memory.
const exitMemory = 75

// Called reports whether the process was started as a worker. args are the arguments of
// the process without its name.
func Called(args []string) bool { return len(args) == 1 && args[0] == argument }

// Main is the main function of a worker. It answers requests on the standard streams
// until the pool closes them, and returns the exit status.
func Main() int {
	in, out := os.Stdin, os.Stdout
	// Standard output must have only answers, so libraries write to standard error.
	os.Stdout = os.Stderr
	log.SetOutput(io.Discard)
	// The terminal sends an interrupt to all processes. The process with the pool handles
	// it.
	signal.Ignore(os.Interrupt)
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(softMemory)
	limitMemory()
	watch := newWatch()

	requests := make(chan *helmchart.Request)
	go func() {
		receive := newDecoder(bufio.NewReaderSize(in, 64<<10), maxRequest)
		for {
			r := &helmchart.Request{}
			if receive.decode(r) != nil {
				// The pool has ended, so the worker ends even while it renders a chart.
				os.Exit(0)
			}
			requests <- r
		}
	}()
	send := newEncoder(out)
	server := &helmchart.Server{Full: func() bool { return usedMemory() > fullMemory }}
	for r := range requests {
		watch.Reset(watchPeriod)
		answer := server.Answer(r)
		watch.Stop()
		if err := send.encode(answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return 0
}

// watchPeriod is the interval in which a busy worker checks its memory. In this time, a
// process can allocate some ten megabytes. Most answers take less time.
const watchPeriod = 20 * time.Millisecond

// newWatch returns a stopped ticker. At each tick, the process ends if it uses too much
// memory.
func newWatch() *time.Ticker {
	watch := time.NewTicker(time.Hour)
	watch.Stop()
	go func() {
		for range watch.C {
			if usedMemory() > maxMemory {
				os.Exit(exitMemory)
			}
		}
	}()
	return watch
}

func usedMemory() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
