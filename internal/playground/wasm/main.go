//go:build js && wasm

// Command wasm is kubevet for the playground. It defines the JavaScript function kubevet,
// which takes a request and a callback for the reply. Both are JSON.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"github.com/kubevet/kubevet/internal/playground"
)

// memoryLimit is the memory in bytes from which on the garbage collector runs more often
// (512 MiB). A text has at most 256 KiB. Browsers stop pages that need much more memory.
const memoryLimit = 512 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	js.Global().Set("kubevet", js.FuncOf(func(_ js.Value, args []js.Value) any {
		// The linter waits for goroutines. A call from JavaScript must not wait, so the
		// linter runs in a new goroutine.
		go func() { args[1].Invoke(string(playground.Handle(context.Background(), []byte(args[0].String())))) }()
		return nil
	}))
	select {}
}
