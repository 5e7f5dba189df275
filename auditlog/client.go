package auditlog

// Client is the sender of a request. Its strings are untrusted: reports must escape
// them.
type Client struct {
	// User is the authenticated user. Impersonated is the impersonated user; ""
	// for none.
	User, Impersonated string
	// Agent is the User-Agent header, which the client chooses freely.
	Agent string
	// SourceIP is the first address, and LastIP is the last one. The client can
	// forge all addresses except the last.
	SourceIP, LastIP string
	// Pod is the pod that the token belongs to. Groups are the groups of the
	// user.
	Pod    string
	Groups []string

	// Index is a number that a tally can set. It is 0 at first.
	Index uint32

	key string
}

// Key returns a string that identifies the client. Equal clients have equal
// keys, and other clients have other keys.
func (c *Client) Key() string { return c.key }

// Who returns the user whose permissions applied. It is the impersonated user,
// if there is one.
func (c *Client) Who() string {
	if c.Impersonated != "" {
		return c.Impersonated
	}
	return c.User
}

// who is a client whose strings are parts of an event's text.
type who struct {
	user, impersonated, agent, first, last, pod Text
	groups                                      []byte // a JSON array
}

// isZero reports whether nothing is known.
func (w *who) isZero() bool {
	return w.user.raw == nil && w.impersonated.raw == nil && w.agent.raw == nil && w.first.raw == nil && w.last.raw == nil && w.pod.raw == nil && w.groups == nil
}

// clientSet returns the same *Client for equal clients. It is emptied when it
// has maxClients clients.
type clientSet struct {
	all map[string]*Client
	key []byte
}

// maxClients is the largest number of clients in a clientSet.
const maxClients = 1 << 14

// of returns the client of an event.
func (s *clientSet) of(w *who) *Client {
	key := s.key[:0]
	for _, t := range [...]Text{w.user, w.impersonated, w.agent, w.first, w.last, w.pod} {
		key = append(t.AppendTo(key), 0xff) // a separator that valid text does not contain
	}
	key = append(key, w.groups...)
	s.key = key
	if c := s.all[string(key)]; c != nil {
		return c
	}
	c := &Client{
		User: w.user.String(), Impersonated: w.impersonated.String(), Agent: w.agent.String(),
		SourceIP: w.first.String(), LastIP: w.last.String(), Pod: w.pod.String(),
	}
	groups := cursor{b: w.groups}
	groups.array(func() bool {
		g, ok := groups.text()
		if ok {
			c.Groups = append(c.Groups, g.String())
		}
		return ok
	})
	if s.all == nil || len(s.all) >= maxClients {
		s.all = map[string]*Client{}
	}
	c.key = string(key)
	s.all[c.key] = c
	return c
}
