package auditlog

// Client is who sent a request, as far as the log tells. Its strings are the
// log's own words: whoever prints them must make them harmless first.
type Client struct {
	// User is the user that was authenticated, Impersonated the one that it
	// acted as; empty where it acted as itself.
	User, Impersonated string
	// Agent is the User-Agent header, which the client chooses freely.
	Agent string
	// SourceIP is the first and LastIP the last address. Only the last one is
	// certainly not the client's invention.
	SourceIP, LastIP string
	// Pod is the pod whose token was used, Groups the user's groups.
	Pod    string
	Groups []string

	// Index is for whoever counts clients; it is 0 at first.
	Index uint32

	key string
}

// Key is a string that equal clients have in common, and no others.
func (c *Client) Key() string { return c.key }

// Who is the user that the request was judged for.
func (c *Client) Who() string {
	if c.Impersonated != "" {
		return c.Impersonated
	}
	return c.User
}

// who is a client as it stands in an event.
type who struct {
	user, impersonated, agent, first, last, pod Text
	groups                                      []byte // a JSON array
}

// clientSet makes clients and finds those that it made again. It forgets them
// when they become too many.
type clientSet struct {
	all map[string]*Client
	key []byte
}

// maxClients bounds a clientSet.
const maxClients = 1 << 14

// of returns the client of an event.
func (s *clientSet) of(w *who) *Client {
	key := s.key[:0]
	for _, t := range [...]Text{w.user, w.impersonated, w.agent, w.first, w.last, w.pod} {
		key = append(t.AppendTo(key), 0xff) // no byte of valid text
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
