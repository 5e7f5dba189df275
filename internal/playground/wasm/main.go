//go:build js && wasm

// Command wasm is kubevet for the playground. It sets the function kubevet, which
// takes a request and a function that gets the reply, both as JSON.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"github.com/kubevet/kubevet/internal/playground"
)

// memoryLimit is where the garbage collector begins to work harder. A text is at most
// 256 KiB, and browsers stop pages that need much more.
const memoryLimit = 512 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	js.Global().Set("kubevet", js.FuncOf(func(_ js.Value, args []js.Value) any {
		// The linter waits for goroutines, for which a call from JavaScript must not wait.
		go func() { args[1].Invoke(string(playground.Handle(context.Background(), []byte(args[0].String())))) }()
		return nil
	}))
	select {}
}
