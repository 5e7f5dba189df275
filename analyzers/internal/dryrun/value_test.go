package dryrun

import (
	"go/constant"
	"go/token"
	"testing"
)

func TestCompare(t *testing.T) {
	str := func(s string) value { return value{kind: constKind, c: constant.MakeString(s)} }
	number := func(n int64) value { return value{kind: constKind, c: constant.MakeInt64(n)} }
	asked := value{kind: text, dependent: true}
	length := value{kind: constKind, c: constant.MakeInt64(1), dependent: true}
	pointer := value{kind: ref, dependent: true, target: &otherValue}
	for _, test := range []struct {
		name string
		op   token.Token
		v, w value
		mode Mode
		want value
	}{
		{"text is none", token.EQL, asked, str("none"), Client, boolean(false, true)},
		{"text is not none", token.NEQ, str("none"), asked, Client, boolean(true, true)},
		{"text is empty", token.EQL, asked, str(""), Server, boolean(false, true)},
		{"text is client", token.EQL, asked, str("client"), Client, boolean(true, true)},
		{"text is client, of the server", token.EQL, asked, str("client"), Server, boolean(false, true)},
		{"text is server", token.EQL, asked, str("server"), Server, boolean(true, true)},
		{"text is unheard of", token.EQL, asked, str("maybe"), Server, mixedValue},
		{"list is not empty", token.GTR, length, number(0), Client, boolean(true, true)},
		{"pointer is nil", token.EQL, pointer, nilValue, Client, boolean(false, true)},
		{"nil is not pointer", token.NEQ, nilValue, pointer, Client, boolean(true, true)},
		{"others", token.EQL, otherValue, number(1), Client, otherValue},
		{"dependent and other", token.EQL, boolean(true, true), otherValue, Client, mixedValue},
	} {
		if got := compare(test.op, test.v, test.w, test.mode); !got.equal(test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestJoin(t *testing.T) {
	yes, no := boolean(true, false), boolean(false, false)
	for _, test := range []struct {
		name       string
		v, w, want value
	}{
		{"nothing yet", value{}, yes, yes},
		{"equal", yes, yes, yes},
		{"equal, one by the dry run", yes, boolean(true, true), boolean(true, true)},
		{"different", yes, no, otherValue},
		{"different by the dry run", boolean(true, true), no, mixedValue},
		{"other and muddled", otherValue, mixedValue, mixedValue},
	} {
		if got := join(test.v, test.w); !got.equal(test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
		if got := join(test.w, test.v); !got.equal(test.want) {
			t.Errorf("%s, the other way: %+v, want %+v", test.name, got, test.want)
		}
	}
}
