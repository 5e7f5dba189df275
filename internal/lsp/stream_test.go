package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func framed(bodies ...string) string {
	var b strings.Builder
	for _, body := range bodies {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return b.String()
}

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		// methods has the methods of the messages that are read. answers has the error
		// codes that are sent.
		methods, answers string
		ended            bool // the input ends between messages
	}{
		{"two", framed(`{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","id":1,"method":"b"}`), "a b", "", true},
		{"another header", "Content-Type: x\r\ncontent-length: 30\r\n\r\n" + `{"jsonrpc":"2.0","method":"a"}`, "a", "", true},
		{"no JSON", framed(`{`, `{"jsonrpc":"2.0","method":"a"}`), "a", "-32700", true},
		{"no message", framed(`{"id":1}`, `[]`, `7`, `{"jsonrpc":"2.0","method":"a"}`), "a", "-32600 -32600 -32600", true},
		{"nothing of a wrong message stays", framed(`{"jsonrpc":"2.0","id":{},"method":"wrong"}`, `{"jsonrpc":"2.0","method":"a"}`), "a", "-32600", true},
		{"no length", "X: y\r\n\r\n{}", "", "", false},
		{"a negative length", "Content-Length: -1\r\n\r\n{}", "", "", false},
		{"a huge length", "Content-Length: 99999999999\r\n\r\n{}", "", "", false},
		{"a large length without content", "Content-Length: 100000000\r\n\r\n{}", "", "", false},
		{"a long header", "X: " + strings.Repeat("y", 1<<16), "", "", false},
		{"many headers", strings.Repeat("X: y\r\n", 100) + "\r\n", "", "", false},
		{"half a header", "Content-", "", "", false},
		{"no header", "hello\r\n\r\n", "", "", false},
	} {
		var out bytes.Buffer
		methods, err := readMethods(tt.in, &out)
		if got := strings.Join(methods, " "); got != tt.methods {
			t.Errorf("%s: read %q, want %q", tt.name, got, tt.methods)
		}
		if (err == io.EOF) != tt.ended {
			t.Errorf("%s: ended with %v", tt.name, err)
		}
		if got := strings.Join(codes(t, out.Bytes()), " "); got != tt.answers {
			t.Errorf("%s: answered %q, want %q", tt.name, got, tt.answers)
		}
	}
}

// readMethods reads requests and notifications until the end of the input.
func readMethods(in string, out io.Writer) (methods []string, err error) {
	s := newStream(strings.NewReader(in), out, func() error { return nil })
	for {
		var m incoming
		if err := s.ReadObject(&m); err != nil {
			return methods, err
		}
		methods = append(methods, m.Method)
	}
}

// incoming decodes requests only. Like the library, it decodes without resetting the
// value.
type incoming struct{ jsonrpc2.Request }

func (m *incoming) UnmarshalJSON(data []byte) error {
	var head struct {
		Method *string `json:"method"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	if head.Method == nil {
		return errors.New("no method")
	}
	return json.Unmarshal(data, &m.Request)
}

// codes returns the error codes in an output. It fails the test if the output has
// anything but JSON messages with headers.
func codes(t *testing.T, out []byte) (all []string) {
	t.Helper()
	s := newStream(bytes.NewReader(out), io.Discard, nil)
	for {
		body, err := s.read()
		if err == io.EOF {
			return all
		}
		var m struct {
			JSONRPC string
			Error   *struct{ Code int }
		}
		if err != nil || json.Unmarshal(body, &m) != nil || m.JSONRPC != "2.0" {
			t.Fatalf("the output is not a message: %v, %q", err, body)
		}
		if m.Error != nil {
			all = append(all, fmt.Sprint(m.Error.Code))
		}
	}
}

// FuzzStream checks that no input makes the reader panic or write an invalid message.
func FuzzStream(f *testing.F) {
	f.Add(framed(`{"jsonrpc":"2.0","method":"a"}`))
	f.Add(framed(`{`, `[{}]`, `null`))
	f.Add("Content-Length: 5\r\n\r\n{}")
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		if _, err := readMethods(in, &out); err == nil {
			t.Error("no end")
		}
		codes(t, out.Bytes())
	})
}
