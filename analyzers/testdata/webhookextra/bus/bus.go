// Package bus is a library of the project's own.
package bus

// Client talks to the bus.
type Client struct{ seen []string }

// Publish sends.
func (c *Client) Publish(topic string) error { c.seen = append(c.seen, topic); return nil }

// Subscribe listens.
func (c *Client) Subscribe(topic string) error { c.seen = append(c.seen, topic); return nil }

// Tell sends.
func Tell(topic string) error { return nil }
