package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// metadataOnly requests a list with metadata only. Servers from 1.15 on support
// it.
const metadataOnly = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"

// maxPages bounds one list: fifty million objects at the default page size.
const maxPages = 100_000

// page is a part of a list.
type page struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// list requests all objects of a resource in pages. If the list expires between
// two pages, it continues with the token that the server offers. The remaining
// objects are then of a later time (apiserver, etcd3/store.go, errors.go,
// handleExpiredError).
func (c *Connection) list(ctx context.Context, r request, each func(json.RawMessage) error) error {
	size := c.options.PageSize
	if size <= 0 {
		size = DefaultPageSize
	}
	return c.pages(ctx, r, size, each)
}

func (c *Connection) pages(ctx context.Context, r request, size int, each func(json.RawMessage) error) error {
	query := map[string]string{"limit": strconv.Itoa(size)}
	for name, value := range r.query {
		query[name] = value
	}
	r.query = query
	for n := 0; ; n++ {
		if n == maxPages {
			return fmt.Errorf("the list does not end after %d pages", n)
		}
		var p page
		if err := c.get(ctx, r, &p); err != nil {
			next, ok := resumes(err)
			if !ok || next == query["continue"] {
				return err
			}
			query["continue"] = next
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			continue
		}
		for _, item := range p.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if p.Metadata.Continue == "" {
			return nil
		}
		query["continue"] = p.Metadata.Continue
	}
}

// resumes returns the token with which an expired list continues.
func resumes(err error) (token string, ok bool) {
	var status apierrors.APIStatus
	if !apierrors.IsResourceExpired(err) || !errors.As(err, &status) {
		return "", false
	}
	token = status.Status().Continue
	return token, token != ""
}
