package dryrun

import (
	"go/constant"
	"go/token"
	"go/types"
)

// off is the mode without a dry run. A value that differs from its value in this mode
// depends on the wish.
const off Mode = Server + 1

// kind says how much is known of a value: a later kind knows less.
type kind uint8

const (
	// undefined is not computed yet, or never.
	undefined kind = iota
	// constKind is the constant c.
	constKind
	// text is a string that asks for a dry run.
	text
	// list is a []string that asks for a dry run, not empty.
	list
	// ref is a pointer to such a value, not nil.
	ref
	// null is nil.
	null
	// other has nothing to do with the wish.
	other
	// mixed depends on the wish, but was not understood.
	mixed
)

// value is the value of one SSA value while the wish holds.
type value struct {
	kind kind
	c    constant.Value
	// wish is set if the wish decided about the value.
	wish bool
	// of is the target of a ref.
	of *value
}

var (
	unrelated = value{kind: other}
	muddled   = value{kind: mixed, wish: true}
)

func boolean(b, wish bool) value {
	return value{kind: constKind, c: constant.MakeBool(b), wish: wish}
}

// truth returns the boolean that v is.
func (v value) truth() (b, known bool) {
	if v.kind == constKind && v.c.Kind() == constant.Bool {
		return constant.BoolVal(v.c), true
	}
	return false, false
}

// carries reports whether the wish, or its absence, can be seen in v.
func (v value) carries() bool { return v.wish }

func (v value) equal(w value) bool {
	if v.kind != w.kind || v.wish != w.wish {
		return false
	}
	switch v.kind {
	case constKind:
		return v.c.Kind() == w.c.Kind() && constant.Compare(v.c, token.EQL, w.c)
	case ref:
		return v.of.equal(*w.of)
	}
	return true
}

// join is the common knowledge about a value that is one or the other.
func join(v, w value) value {
	switch {
	case v.kind == undefined:
		return w
	case w.kind == undefined:
		return v
	case v.equal(w):
		return v
	case v.kind == null && w.kind == null:
		v.wish = true
		return v
	case v.kind == constKind && w.kind == constKind && v.c.Kind() == w.c.Kind() && constant.Compare(v.c, token.EQL, w.c):
		v.wish = true
		return v
	case v.wish || w.wish:
		return muddled
	}
	return unrelated
}

// wishValue is the value of a source of type t. In mode off it is the value
// that asks for nothing.
func wishValue(t types.Type, m Mode, negative bool) value {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		inner := wishValue(p.Elem(), m, negative)
		if inner.kind == other {
			return unrelated
		}
		if m == off {
			return muddled // nil, or a pointer to false
		}
		return value{kind: ref, wish: true, of: &inner}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && isStrategy(n) {
		if c := strategyConst(n, m); c != nil {
			return value{kind: constKind, c: c.Val(), wish: true}
		}
		return muddled
	}
	switch shapeOf(t) {
	case Bool:
		if _, basic := t.Underlying().(*types.Basic); !basic {
			return muddled
		}
		return boolean((m != off) != negative, true)
	case Text:
		if negative {
			return muddled
		}
		if m == off {
			return value{kind: constKind, c: constant.MakeString(""), wish: true}
		}
		return value{kind: text, wish: true}
	case List:
		if negative {
			return muddled
		}
		if m == off {
			return muddled
		}
		return value{kind: list, wish: true}
	}
	return unrelated
}

// optionsValue is the value of options of metav1 or controller-runtime with a wish:
// they are not empty.
func optionsValue(t types.Type, m Mode) value {
	switch types.Unalias(t).(type) {
	case *types.Pointer:
		if m == off {
			return muddled
		}
		return value{kind: ref, wish: true, of: &unrelated}
	case *types.Slice:
		if m == off {
			return muddled
		}
		return value{kind: list, wish: true}
	}
	return unrelated
}

// compare is v op w.
func compare(op token.Token, v, w value, m Mode) value {
	if v.kind == undefined || w.kind == undefined {
		return value{}
	}
	if v.kind == constKind && w.kind == constKind {
		return compareConstants(op, v, w)
	}
	if v.kind == null && w.kind == null && (op == token.EQL || op == token.NEQ) {
		return boolean(op == token.EQL, v.wish || w.wish)
	}
	if w.kind == text || w.kind == list || w.kind == ref {
		v, w = w, v
		op = mirrored(op)
	}
	if op == token.EQL || op == token.NEQ {
		if equal, known := same(v, w, m); known {
			return boolean(equal == (op == token.EQL), true)
		}
	}
	if v.wish || w.wish {
		return muddled
	}
	return unrelated
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

func compareConstants(op token.Token, v, w value) value {
	wish := v.wish || w.wish
	if v.c.Kind() != w.c.Kind() {
		return value{kind: other, wish: wish}
	}
	switch v.c.Kind() {
	case constant.Bool, constant.String, constant.Int:
	default:
		return unrelated
	}
	if v.c.Kind() == constant.Bool && op != token.EQL && op != token.NEQ {
		return unrelated
	}
	return boolean(constant.Compare(v.c, op, w.c), wish)
}

// same compares a wish that is no constant with a constant, nil being one of
// kind other without a wish.
func same(v, w value, m Mode) (equal, known bool) {
	switch v.kind {
	case ref, list:
		return false, w.kind == null
	case text:
		if w.kind != constKind || w.c.Kind() != constant.String {
			return false, false
		}
		switch squeeze(constant.StringVal(w.c)) {
		case "none", "false", "no", "off", "0", "disabled", "unchanged":
			return false, true
		case "":
			return false, constant.StringVal(w.c) == ""
		case "client", "local":
			return m == Client, true
		case "server":
			return m == Server, true
		case "true", "1", "yes", "on", "all":
			return true, true
		}
	}
	return false, false
}

// nothing is the value of a nil constant.
var nothing = value{kind: null}
