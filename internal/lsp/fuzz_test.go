package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/lsp"
)

// session has the messages of a client, one on each line. DIR is replaced by the URI of
// the folder.
const session = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"DIR/a.yaml","languageId":"yaml","version":1,"text":"apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: é😀}\n"}}}
{"jsonrpc":"2.0","id":1,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"DIR/a.yaml"},"range":{"start":{"line":0,"character":12},"end":{"line":0,"character":14}},"context":{"diagnostics":[]}}}
{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"DIR/a.yaml","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":18},"end":{"line":0,"character":25}},"text":"v1"},{"text":"kind: X"}]}}
{"jsonrpc":"2.0","id":"two","method":"textDocument/hover","params":{"textDocument":{"uri":"DIR/a.yaml"},"position":{"line":1,"character":7}}}
{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"two"}}
{"jsonrpc":"2.0","id":3,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"DIR/a.yaml"}}}
{"jsonrpc":"2.0","id":4,"method":"workspace/executeCommand","params":{"command":"kubevet.target","arguments":[{"target":"1.24"}]}}
{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"kubevet":{"compare":"1.20"}}}}
{"jsonrpc":"2.0","id":5,"method":"workspace/executeCommand","params":{"command":"kubevet.verdict","arguments":[{"uri":"DIR/a.yaml","line":-5,"release":"1.20..1.37"}]}}
{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"DIR/a.yaml"}}}
{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"DIR/a.yaml"}}}
`

// FuzzMessages checks that no messages make the server panic or hang. Each request must
// get exactly one answer.
func FuzzMessages(f *testing.F) {
	f.Add(session)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"position":{"line":-1,"character":1e9}}}`)
	f.Fuzz(func(t *testing.T, trace string) {
		// A message that adds another folder could make the server read the whole disk.
		if strings.Contains(trace, "olders") || strings.Contains(trace, `\u`) || len(trace) > 1<<14 {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(goodMap), 0o600); err != nil {
			t.Fatal(err)
		}
		uri := "file://" + filepath.ToSlash(dir)
		in, client := io.Pipe()
		var out, log buffer
		over := make(chan bool, 1)
		go func() {
			over <- lsp.Serve(context.Background(), in, &out, lsp.Options{App: &app.App{Stderr: &log, Dir: dir, Ending: &app.Ending{}}})
		}()
		send := func(body string) { fmt.Fprintf(client, "Content-Length: %d\r\n\r\n%s", len(body), body) }
		send(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"rootUri":"` + uri + `","capabilities":{}}}`)
		send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		for line := range strings.Lines(trace) {
			send(strings.ReplaceAll(strings.TrimSpace(line), "DIR", uri))
		}
		send(`{"jsonrpc":"2.0","id":"last","method":"shutdown"}`)
		send(`{"jsonrpc":"2.0","method":"exit"}`)
		<-over
		if strings.Contains(log.String(), "panic") {
			t.Errorf("the server panicked: %s", log.String())
		}
		answers := answersByID(t, out.String())
		if answers[`"first"`] != 1 {
			t.Errorf("the answers are %v", answers)
		}
		for id, n := range answers {
			if id != "null" && n > strings.Count(trace, `"id"`)+1 {
				t.Errorf("request %s has %d answers", id, n)
			}
		}
	})
}

// answersByID returns the number of answers for each request ID. It fails the test if the
// output has anything but JSON messages with headers.
func answersByID(t *testing.T, out string) map[string]int {
	t.Helper()
	all := map[string]int{}
	r := textproto.NewReader(bufio.NewReader(strings.NewReader(out)))
	for {
		header, err := r.ReadMIMEHeader()
		if err == io.EOF {
			return all
		}
		n, bad := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, max(n, 0))
		if _, short := io.ReadFull(r.R, body); err != nil || bad != nil || short != nil {
			t.Fatalf("the output is not framed: %v, %v, %v", err, bad, short)
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatalf("the output is not JSON: %v: %q", err, body)
		}
		if m.Method == "" {
			all[string(m.ID)]++
		}
	}
}

// buffer is a bytes.Buffer that several goroutines may use.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
