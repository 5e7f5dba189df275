package auditlog

// object reads an object, and skips any other value. It calls field with each
// key, when the cursor is at the beginning of the key's value. field must skip
// this value. key is the zero Text if the key has escapes.
func (c *cursor) object(field func(key Text) bool) bool {
	c.space()
	if c.peek() != '{' {
		return c.skip()
	}
	c.i++
	c.space()
	if c.at('}') {
		return true
	}
	return c.fields(field)
}

// fields reads the rest of an object, from a key to the closing brace or to the
// first error.
func (c *cursor) fields(field func(key Text) bool) bool {
	for {
		key, ok := c.key()
		if !ok {
			return false
		}
		c.space()
		if !field(key) {
			return false
		}
		c.space()
		if c.at('}') {
			return true
		}
		if !c.at(',') {
			return false
		}
		c.space()
	}
}

// members is like object, but faster if the keys are in the order of keys, and
// there is no white space. The elements of keys have a comma, quotes and a colon.
// field gets the index of the key in keys; for any other key, it gets -1 and the
// key.
func (c *cursor) members(keys []string, field func(i int, key Text) bool) bool {
	c.space()
	if c.peek() != '{' {
		return c.skip()
	}
	c.i++
	c.space()
	if c.at('}') {
		return true
	}
	for i := -1; ; {
		var key Text
		if i < 0 {
			var ok bool
			if key, ok = c.key(); !ok {
				return false
			}
			i = indexKey(keys, key)
		}
		c.space()
		if !field(i, key) {
			return false
		}
		if i = c.next(keys, i+1); i >= 0 {
			continue
		}
		c.space()
		if c.at('}') {
			return true
		}
		if !c.at(',') {
			return false
		}
		c.space()
	}
}

// next skips a comma, a key and a colon, if the key is one of the next few
// elements of keys. It returns the index of the key, or -1. A few keys can be
// absent before the key.
func (c *cursor) next(keys []string, from int) int {
	rest := c.b[c.i:]
	if len(rest) == 0 || rest[0] != ',' {
		return -1
	}
	for i := from; i < min(from+5, len(keys)); i++ {
		if k := keys[i]; len(k) <= len(rest) && string(rest[:len(k)]) == k {
			c.i += len(k)
			return i
		}
	}
	return -1
}

// indexKey returns the index of a key in keys, whose elements have a comma, quotes
// and a colon; -1 if keys does not have the key.
func indexKey(keys []string, key Text) int {
	for i, k := range keys {
		if len(k) == len(key.raw)+4 && k[2:len(k)-2] == string(key.raw) {
			return i
		}
	}
	return -1
}

// key reads a key and its colon.
func (c *cursor) key() (Text, bool) {
	key, ok := c.str()
	if !ok {
		return Text{}, false
	}
	if key.escaped {
		key = plainText(key.AppendTo(nil))
	}
	c.space()
	return key, c.at(':')
}

// array reads an array, and skips any other value. It calls item before each
// item, and item must skip it.
func (c *cursor) array(item func() bool) bool {
	c.space()
	if c.peek() != '[' {
		return c.skip()
	}
	c.i++
	c.space()
	if c.at(']') {
		return true
	}
	for {
		c.space()
		if !item() {
			return false
		}
		c.space()
		if c.at(']') {
			return true
		}
		if !c.at(',') {
			return false
		}
	}
}
