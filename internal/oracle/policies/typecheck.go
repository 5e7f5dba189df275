package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"

	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/scene"
)

// checker is a process with the type checker of a release.
type checker struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

func startChecker(ctx context.Context, binary string, at *client.Server) (*checker, error) {
	process := exec.CommandContext(ctx, binary, at.URL, at.Tokens["admin"])
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	return &checker{process, in, lines}, nil
}

// typeName matches the name of a kind's type in messages, such as Pod675439945.
// The digits come from the clock.
var typeName = regexp.MustCompile(`\b([A-Z][A-Za-z]*)[0-9]{4,9}\b`)

func (c *checker) check(policy []byte) (warnings []scene.ExpressionWarning, err error) {
	var line bytes.Buffer
	if err := json.Compact(&line, policy); err != nil {
		return nil, fmt.Errorf("reading the policy: %w", err)
	}
	line.WriteByte('\n')
	if _, err := c.in.Write(line.Bytes()); err != nil {
		return nil, err
	}
	if !c.out.Scan() {
		return nil, errors.Join(errors.New("the type checker ended"), c.out.Err())
	}
	err = json.Unmarshal(c.out.Bytes(), &warnings)
	if len(warnings) == 0 {
		warnings = nil
	}
	for i := range warnings {
		warnings[i].Warning = typeName.ReplaceAllString(warnings[i].Warning, "${1}NANOSECONDS")
	}
	return warnings, err
}

func (c *checker) close() {
	_ = c.in.Close()
	_ = c.process.Wait()
}
