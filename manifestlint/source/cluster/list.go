package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// metadataOnly is the Accept header for a list of objects without their bodies.
// Servers support it since 1.15.
const metadataOnly = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"

// maxPages is the largest number of pages of a list: fifty million objects with
// the default page size.
const maxPages = 100_000

type page struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// check returns an error if the response is not a list.
func (p *page) check() error {
	switch list := strings.HasSuffix(p.Kind, "List"); {
	case !list && p.Kind != "":
		return fmt.Errorf("the answer is a %q, not a list", p.Kind)
	case !list && p.Items == nil:
		return errors.New("the answer is not a list")
	}
	return nil
}

// maxEmptyPages is the largest number of pages without objects in a list. A
// server that sends more of them may never end.
const maxEmptyPages = 100

// list requests all objects of a resource in pages. If the list expires before
// its last page is read, list continues with the token that the server sends.
// The remaining objects are then from a later time (apiserver, etcd3/store.go,
// errors.go, handleExpiredError).
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
	objects := 0
	tokens := map[[sha256.Size]byte]bool{} // tokens of all earlier pages
	for n := 0; ; n++ {
		if n == maxPages || n > objects+maxEmptyPages {
			return fmt.Errorf("the list does not end: it has %d objects on %d pages so far", objects, n)
		}
		var p page
		if err := c.get(ctx, r, &p); err != nil {
			next, ok := continueToken(err)
			if !ok || next == query["continue"] {
				return err
			}
			query["continue"] = next
			select {
			case <-time.After(expiredListDelay):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			continue
		}
		if err := p.check(); err != nil {
			return err
		}
		objects += len(p.Items)
		for _, item := range p.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if p.Metadata.Continue == "" {
			return nil
		}
		query["continue"] = p.Metadata.Continue
		token := sha256.Sum256([]byte(p.Metadata.Continue))
		if tokens[token] {
			return fmt.Errorf("the list does not end: the server sent the same continue token twice, after %d objects", objects)
		}
		tokens[token] = true
	}
}

// continueToken returns the token to continue a list that has expired. ok is
// false if the error has no token.
func continueToken(err error) (token string, ok bool) {
	var status apierrors.APIStatus
	if !apierrors.IsResourceExpired(err) || !errors.As(err, &status) {
		return "", false
	}
	token = status.Status().Continue
	return token, token != ""
}
