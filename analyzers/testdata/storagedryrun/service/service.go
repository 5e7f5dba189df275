// Package service is the backend for storage in another package.
package service

import "context"

// Rules stores rules.
type Rules struct{ provisioned map[string]bool }

// CreateRule has a body that storage of other packages cannot see.
func (r *Rules) CreateRule(ctx context.Context, name string) error {
	r.provisioned[name] = true
	return nil
}

// DeleteToken changes data. CreateToken only creates an answer.
func (r *Rules) DeleteToken(ctx context.Context, name string) error { return nil }

// CreateToken returns a token.
func (r *Rules) CreateToken(ctx context.Context, name string) error { return nil }

// Client is a record of a client.
type Client struct{ Name string }

// CreateClient stores a record.
func (r *Rules) CreateClient(c Client) error { return nil }

// CreateRuleClient returns a client to use.
func (r *Rules) CreateRuleClient(ctx context.Context) (*Client, error) { return nil, nil }
