package auditlog

import (
	"bytes"
	"hash/maphash"
)

// known finds parts of events that occur often, by hashes of their text. It does
// not compare texts, because that is slow if they are not in the processor's cache.
// Two different texts have the same hash with a probability of 2^-64. The seed of
// the hash is random, so that clients cannot choose such texts. The zero value is
// empty.
type known struct {
	seed    maphash.Seed
	senders map[uint64]*sender
	// allowed has the ends of events, from the value of annotations, if the
	// annotations only say that the request was allowed, and why.
	allowed map[uint64]struct{}
}

// maxKnown is the largest number of texts of each kind. Then they are forgotten.
const maxKnown = 1 << 14

// sender is a part of an event, from the value of the key user to the value of the
// key userAgent.
type sender struct {
	who    who
	client *Client
}

// maxText is the largest length of a text in bytes.
const maxText = 2 << 10

// senderText returns the possible text of the sender at the beginning of b. It is
// fast because capital letters are rare in this text. If the user agent has a
// quote, the result ends there, and is no sender.
func senderText(b []byte) []byte {
	const key = `Agent":"`
	at := bytes.Index(b[:min(len(b), maxText)], []byte(key))
	if at < 0 {
		return nil
	}
	at += len(key)
	n := bytes.IndexByte(b[at:], '"')
	if n < 0 {
		return nil
	}
	return b[:at+n+1]
}

// user reads the value of the key user. If the sender is known, it also reads the
// following members up to userAgent, and returns the sender's client.
func (s *scanner) user(e *Event, c *cursor) (*Client, bool) {
	text := senderText(c.b[c.i:])
	if len(text) == 0 {
		return nil, e.member(c, memberUser, false)
	}
	k := &s.known
	if k.senders == nil || len(k.senders) == maxKnown || len(k.allowed) == maxKnown {
		*k = known{maphash.MakeSeed(), map[uint64]*sender{}, map[uint64]struct{}{}}
	}
	hash := maphash.Bytes(k.seed, text)
	if x := k.senders[hash]; x != nil {
		c.i += len(text)
		e.who = x.who
		return x.client, true
	}
	if x := readSender(text); x != nil {
		x.client = s.clients.of(&x.who)
		k.senders[hash] = x
	}
	return nil, e.member(c, memberUser, false)
}

// readSender returns the sender with this text; nil if it is no sender.
func readSender(text []byte) *sender {
	text = bytes.Clone(text)
	c := cursor{b: text}
	var e Event
	if !e.member(&c, memberUser, false) {
		return nil
	}
	for c.i < len(text) {
		i := c.next(members[:memberAgent+1], memberUser+1)
		if i < 0 || !e.member(&c, i, false) {
			return nil
		}
	}
	return &sender{who: e.who}
}

// annotations reads the value of the key annotations.
func (s *scanner) annotations(e *Event, c *cursor) bool {
	k, end := &s.known, c.b[c.i:]
	if k.allowed == nil || len(end) < 3 || len(end) > maxText {
		return e.member(c, memberAnnotations, false)
	}
	hash := maphash.Bytes(k.seed, end)
	if _, known := k.allowed[hash]; known {
		c.i = len(c.b) - 1
		e.notes = notes{Allowed: true, raw: end[:len(end)-1]}
		return true
	}
	ok := e.member(c, memberAnnotations, false)
	if ok && e.notes.simple() && len(e.notes.raw) == len(end)-1 {
		k.allowed[hash] = struct{}{}
	}
	return ok
}
