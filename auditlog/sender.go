package auditlog

import (
	"bytes"
	"hash/maphash"
)

// sender is a part of events: the text from the value of the key user to the value
// of the key userAgent. The requests of a client usually have the same text.
type sender struct {
	text   []byte
	who    who
	client *Client
	// allowed is the value of annotations in the last event with a simple value:
	// it only says that the request was allowed, and why.
	allowed []byte
}

// senderSet finds senders by their text. It is emptied when the texts have
// maxSenders bytes.
type senderSet struct {
	seed maphash.Seed
	all  map[uint64]*sender // by hash of the text
	size int                // of the texts
}

// These are limits in bytes.
const (
	maxSenders = 8 << 20
	maxSender  = 4 << 10
)

// senderText returns the possible text of the sender at the beginning of b. It is
// fast because capital letters are rare in this text. If the user agent has a
// quote, the result ends there, and is no sender.
func senderText(b []byte) []byte {
	const key = `Agent":"`
	at := bytes.Index(b[:min(len(b), maxSender)], []byte(key))
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

// sender reads the value of the key user. If the sender is known, it also reads
// the following members up to userAgent, and returns the sender.
func (s *scanner) sender(e *Event, c *cursor) (*sender, bool) {
	text := senderText(c.b[c.i:])
	if len(text) == 0 {
		return nil, e.member(c, memberUser, false)
	}
	set := &s.senders
	if set.all == nil || set.size > maxSenders {
		*set = senderSet{seed: maphash.MakeSeed(), all: map[uint64]*sender{}}
	}
	hash := maphash.Bytes(set.seed, text)
	if x := set.all[hash]; x != nil && bytes.Equal(x.text, text) {
		c.i += len(text)
		e.who, e.Client = x.who, x.client
		return x, true
	}
	if x := readSender(text); x != nil {
		x.client = s.clients.of(&x.who)
		set.all[hash] = x
		set.size += len(x.text)
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
		i := -1
		if c.at(',') {
			i = c.next(members[:memberAgent+1], memberUser+1)
		}
		if i < 0 || !e.member(&c, i, false) {
			return nil
		}
	}
	return &sender{text: text, who: e.who}
}

// annotations reads the value of the key annotations in an event of the sender.
func (s *sender) annotations(e *Event, c *cursor) bool {
	if rest := c.b[c.i:]; len(s.allowed) > 0 && bytes.HasPrefix(rest, s.allowed) {
		c.i += len(s.allowed)
		e.notes = notes{Allowed: true, raw: rest[:len(s.allowed)]}
		return true
	}
	ok := e.member(c, memberAnnotations, false)
	if n := &e.notes; ok && n.simple() && len(n.raw) < maxSender {
		s.allowed = append(s.allowed[:0], n.raw...)
	}
	return ok
}
