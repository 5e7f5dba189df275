// Package tooling has tools for a language model. The arguments of some tools have a dry
// run that no code reads.
package tooling

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type server struct{ c client.Client }

type scaleArgs struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run,omitempty"`
}

type removeArgs struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run,omitempty"`
}

type restartArgs struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run,omitempty"`
}

type forwardArgs struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run,omitempty"`
}

func Register(m *mcp.Server, c client.Client) {
	s := &server{c}
	mcp.AddTool(m, &mcp.Tool{Name: "scale"}, s.scale)
	mcp.AddTool(m, &mcp.Tool{Name: "remove"}, s.remove)
	mcp.AddTool(m, &mcp.Tool{Name: "forward"}, s.forward)
	mcp.AddTool(m, &mcp.Tool{Name: "restart"}, func(ctx context.Context, r *mcp.CallToolRequest, args restartArgs) (*mcp.CallToolResult, any, error) {
		println(args.Name)
		return nil, nil, s.c.Update(ctx, &corev1.Pod{}) // want "the write ignores args.DryRun, so a dry run updates a Pod"
	})
}

func (s *server) scale(ctx context.Context, r *mcp.CallToolRequest, args scaleArgs) (*mcp.CallToolResult, any, error) {
	return nil, nil, s.store(ctx, args.Name)
}

func (s *server) store(ctx context.Context, name string) error {
	return s.c.Update(ctx, &corev1.ConfigMap{}) // want "the write does not get args.DryRun from scale, so a dry run updates a ConfigMap"
}

func (s *server) remove(ctx context.Context, r *mcp.CallToolRequest, args removeArgs) (*mcp.CallToolResult, any, error) {
	if args.DryRun {
		return nil, nil, nil
	}
	return nil, nil, s.c.Delete(ctx, &corev1.Pod{})
}

// forward passes all its arguments on.
func (s *server) forward(ctx context.Context, r *mcp.CallToolRequest, args forwardArgs) (*mcp.CallToolResult, any, error) {
	if _, err := json.Marshal(args); err != nil {
		return nil, nil, err
	}
	return nil, nil, s.c.Delete(ctx, &corev1.Pod{})
}
