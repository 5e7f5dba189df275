// Package bus is a library of the project.
package bus

// Client sends and receives messages.
type Client struct{ seen []string }

// Publish sends a message.
func (c *Client) Publish(topic string) error { c.seen = append(c.seen, topic); return nil }

// Subscribe receives messages.
func (c *Client) Subscribe(topic string) error { c.seen = append(c.seen, topic); return nil }

// Tell sends a message.
func Tell(topic string) error { return nil }
