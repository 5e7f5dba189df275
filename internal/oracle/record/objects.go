package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
)

// askObjects sends objects in the order of their dependencies: it creates namespaces and
// definitions, and then sends all other objects. The answers are in the order of cases.
func askObjects(ctx context.Context, at *client.Server, cases []oracle.Case) ([]oracle.Answer, error) {
	answers := make([]oracle.Answer, len(cases))
	ask := func(i int) (err error) {
		if answers[i], _, err = at.Ask(ctx, &cases[i]); err != nil {
			err = fmt.Errorf("case %s: %w", cases[i].ID, err)
		}
		return err
	}
	first := map[int]bool{}
	var namespaces []string
	seen := map[string]bool{"default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true}
	for i := range cases {
		head, err := cases[i].Head()
		if err != nil {
			continue
		}
		if head.Kind == "Namespace" || head.Kind == "CustomResourceDefinition" {
			first[i] = true
			if err := ask(i); err != nil {
				return nil, err
			}
		}
		if ns := head.Metadata.Namespace; ns != "" && !seen[ns] {
			seen[ns] = true
			namespaces = append(namespaces, ns)
		}
	}
	real := "fieldManager=oracle"
	for i := range cases {
		if !first[i] {
			continue
		}
		made := cases[i]
		made.Query = &real
		if _, _, err := at.Ask(ctx, &made); err != nil {
			return nil, fmt.Errorf("case %s: %w", made.ID, err)
		}
	}
	for _, ns := range namespaces {
		obj, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": ns}})
		if err != nil {
			return nil, err
		}
		if _, _, err := at.Ask(ctx, &oracle.Case{ID: "namespace", Obj: obj, Query: &real}); err != nil {
			return nil, err
		}
	}
	for i := range cases {
		if first[i] {
			continue
		}
		if err := ask(i); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// readObjects reads a file of JSON lines.
func readObjects(name string) ([]oracle.Case, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []oracle.Case
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		var line struct {
			oracle.Case
			oracle.Head
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		c := line.Case
		if line.Kind != "" {
			c = oracle.Case{Obj: json.RawMessage(strings.Clone(lines.Text()))}
		}
		if c.ID == "" {
			c.ID = fmt.Sprint(n)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}
