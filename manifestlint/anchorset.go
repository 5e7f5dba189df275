package manifestlint

// anchorSet remembers the anchors of a document, so that plain uses of them
// need no parser. It accepts an alias only of a complete node that holds no
// alias itself, and few of them in a small document: then no alias can be of
// its own anchor, and none can make the document grow beyond measure.
type anchorSet struct {
	all     []anchor
	aliases int
}

type anchor struct {
	name    string
	column  int32 // of the key whose value it is
	open    bool  // its node may go on
	aliases bool  // its node holds an alias
}

// Within these bounds no document has aliases in excess: see excessive in
// rules/apiserver/wire.
const (
	maxAliases       = 20
	maxAliasDocument = 16 << 10
)

func (a *anchorSet) reset() { a.all, a.aliases = a.all[:0], 0 }

// line takes note that a line begins a key or an item at a column: what
// belongs to a key at that column or behind it is complete, but for the items
// of a list, which may stand at the column of their key.
func (a *anchorSet) line(column int32, item bool) {
	for i := range a.all {
		if column < a.all[i].column || column == a.all[i].column && !item {
			a.all[i].open = false
		}
	}
}

// define reads "&name" at the start of a value and gives the offset of what
// follows.
func (a *anchorSet) define(val []byte, column int32) (int, bool) {
	n := nameLength(val)
	if n == 0 {
		return 0, false
	}
	a.all = append(a.all, anchor{name: string(val[1:n]), column: column, open: true})
	return skipSpaces(val, n), true
}

// use reports whether a value is an alias that is certainly harmless.
func (a *anchorSet) use(val []byte) bool {
	n := nameLength(val)
	if a.aliases++; n == 0 || a.aliases > maxAliases || !blankOrComment(val[n:]) {
		return false
	}
	found := false
	for i := range a.all {
		if a.all[i].open {
			a.all[i].aliases = true
		}
		if a.all[i].name == string(val[1:n]) { // the last of its name counts
			found = !a.all[i].open && !a.all[i].aliases
		}
	}
	return found
}

// nameLength gives the length of "&name" or "*name" if the name is plain and
// ends there, else 0.
func nameLength(val []byte) int {
	n := 1
	for n < len(val) && (keyByte[val[n]] && val[n] != '.' && val[n] != '/' && val[n] != '$') {
		n++
	}
	if n == 1 || n < len(val) && val[n] != ' ' {
		return 0
	}
	return n
}
