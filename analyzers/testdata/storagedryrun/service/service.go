// Package service is what the storage of another package stands before.
package service

import "context"

// Rules keeps rules.
type Rules struct{ provisioned map[string]bool }

// CreateRule has a body that storage of other packages does not see.
func (r *Rules) CreateRule(ctx context.Context, name string) error {
	r.provisioned[name] = true
	return nil
}

// DeleteToken is a change, where CreateToken is an answer.
func (r *Rules) DeleteToken(ctx context.Context, name string) error { return nil }

// CreateToken makes a token.
func (r *Rules) CreateToken(ctx context.Context, name string) error { return nil }

// Client is a record of a client.
type Client struct{ Name string }

// CreateClient keeps a record.
func (r *Rules) CreateClient(c Client) error { return nil }

// CreateRuleClient makes a client to use.
func (r *Rules) CreateRuleClient(ctx context.Context) (*Client, error) { return nil, nil }
