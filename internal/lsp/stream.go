package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxMessage is the maximal size of a message in bytes, 128 MiB. The largest document
	// that is checked fits into it, even if JSON escapes every character.
	maxMessage = 128 << 20
	// maxHeader is the maximal length of a header line in bytes. maxHeaders is the
	// maximal number of header lines.
	maxHeader  = 4 << 10
	maxHeaders = 32
)

// stream reads and writes the messages of the base protocol. It implements
// jsonrpc2.ObjectStream. The library's own codec accepts any length in a header.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	end func() error

	mu sync.Mutex // protects out
}

func newStream(in io.Reader, out io.Writer, end func() error) *stream {
	return &stream{in: bufio.NewReaderSize(in, maxHeader), out: out, end: end}
}

// ReadObject reads the next valid JSON-RPC message. It answers invalid messages with an
// error, as JSON-RPC requires. A header without a length ends the connection, because the
// start of the next message is then unknown.
func (s *stream) ReadObject(v any) error {
	for {
		body, err := s.read()
		if err != nil {
			return err
		}
		failed := json.Unmarshal(body, v)
		if failed == nil {
			return nil
		}
		reflect.ValueOf(v).Elem().SetZero() // otherwise, fields of this message could stay in the next one
		code := codeInvalidRequest
		if !json.Valid(body) {
			code = codeParseError
		}
		if err := s.WriteObject(&errorResponse{JSONRPC: "2.0", Error: responseError{code, "the message is not JSON-RPC"}}); err != nil {
			return err
		}
	}
}

// errorResponse is the answer to a message whose ID is unknown.
type errorResponse struct {
	JSONRPC string        `json:"jsonrpc"`
	ID      *int          `json:"id"` // always null
	Error   responseError `json:"error"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// read returns the content of the next message.
func (s *stream) read() ([]byte, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := s.in.ReadSlice('\n')
		switch {
		case err == io.EOF && len(line) == 0 && n == 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case errors.Is(err, bufio.ErrBufferFull), n > maxHeaders:
			return nil, errors.New("the header of a message is too long")
		case err != nil:
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, errors.New("a line of the header of a message has no colon")
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("the length of a message is not a number from 0 to %d", maxMessage)
			}
		}
	}
	if length < 0 {
		return nil, errors.New("the header of a message has no Content-Length")
	}
	return readBody(s.in, length)
}

// readBody reads length bytes. It allocates memory only for bytes that have arrived,
// because the length in a header may be wrong.
func readBody(in io.Reader, length int) ([]byte, error) {
	body := make([]byte, 0, min(length, 64<<10))
	for len(body) < length {
		if len(body) == cap(body) {
			body = append(make([]byte, 0, min(length, 2*cap(body))), body...)
		}
		n, err := in.Read(body[len(body):min(cap(body), length)])
		body = body[:len(body)+n]
		if err == io.EOF && len(body) < length {
			return nil, io.ErrUnexpectedEOF
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
	}
	return body, nil
}

// WriteObject writes a message with its header.
func (s *stream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n", len(body)); err != nil {
		return err
	}
	_, err = s.out.Write(body)
	return err
}

func (s *stream) Close() error { return s.end() }
