// Package messages gets the dry run in a request message.
package messages

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type ScaleRequest struct {
	Name   string
	DryRun bool
}

func (*ScaleRequest) ProtoMessage() {}

func (r *ScaleRequest) GetDryRun() bool { return r != nil && r.DryRun }

type ScaleResponse struct{}

type Server struct{ c client.Client }

func (s *Server) Scale(ctx context.Context, req *ScaleRequest) (*ScaleResponse, error) {
	if err := s.c.Update(ctx, &corev1.Namespace{}); err != nil { // want "dry run updates a Namespace"
		return nil, err
	}
	if req.GetDryRun() {
		return &ScaleResponse{}, nil
	}
	return &ScaleResponse{}, s.c.Update(ctx, &corev1.Pod{})
}

func (s *Server) Drop(ctx context.Context, req *ScaleRequest) (*ScaleResponse, error) {
	if req.GetDryRun() {
		return &ScaleResponse{}, nil
	}
	return &ScaleResponse{}, s.c.Delete(ctx, &corev1.Pod{})
}
