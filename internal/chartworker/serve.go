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

// argument is the only argument of a worker.
const argument = "chart-worker-started-by-kubevet"

// These are the bounds of a worker's memory.
const (
	// maxMemory is the maximum memory in bytes. The worker ends itself when it uses more.
	maxMemory = 1 << 30
	// fullMemory is the memory use in bytes from which it stores no more renderings for traces.
	fullMemory = 128 << 20
	// softMemory is the memory use in bytes from which it collects garbage more often.
	softMemory = 400 << 20
	// maxStack is the maximum size of a stack in bytes: far more than the deepest nesting of
	// templates that a rendering allows.
	maxStack = 64 << 20
)

// maxRequest is the maximum size of a request in bytes. A chart may have 100 MiB.
const maxRequest = 512 << 20

// exitMemory is the exit status of a worker that used too much memory.
const exitMemory = 75

// Called reports whether the arguments of the process, without its name, are a worker's.
func Called(args []string) bool { return len(args) == 1 && args[0] == argument }

// Main is the main function of a worker. It serves the pool at the other end of the standard
// streams until the pool is gone.
func Main() int {
	in, out := os.Stdin, os.Stdout
	// Only answers may be written to standard output.
	os.Stdout = os.Stderr
	log.SetOutput(io.Discard)
	// An interrupt from the terminal goes to all processes. The pool's process handles it.
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
				// The pool is gone, even if a chart still renders.
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

// watchPeriod is the interval in which a working worker checks its memory. In that time, a process
// can allocate some ten megabytes. Most answers take less time.
const watchPeriod = 20 * time.Millisecond

// newWatch returns a stopped ticker. Whenever it ticks, the process ends if it uses
// too much memory.
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

// usedMemory returns the number of bytes that the process uses.
func usedMemory() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
