// Package mcp has the shape of a server of tools. Written by hand.
package mcp

import "context"

type Server struct{}

type Tool struct{ Name, Description string }

type CallToolRequest struct{}

type CallToolResult struct{}

type ToolHandlerFor[In, Out any] func(ctx context.Context, request *CallToolRequest, input In) (result *CallToolResult, output Out, err error)

func AddTool[In, Out any](s *Server, t *Tool, h ToolHandlerFor[In, Out]) { panic("stub") }
