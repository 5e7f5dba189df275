package expression

import (
	"sync"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Each library is known from the minor on that introduced it.
func TestEnvironment(t *testing.T) {
	for _, test := range []struct {
		expression string
		from       lifecycle.Minor
	}{
		{"1 < 2", lifecycle.Oldest},
		{"'a'.matches('b')", lifecycle.Oldest},
		{"'a'.find('b') == ''", lifecycle.Oldest},
		{"[1].isSorted()", lifecycle.Oldest},
		{"quantity('1Gi').isInteger()", 28},
		{"optional.of(1).hasValue()", 28},
		{"1 < 2.5", 28},
		{"sets.contains([1], [1])", 29},
		{"isIP('10.0.0.1')", 30},
		{"cidr('10.0.0.0/8').containsIP('10.0.0.1')", 30},
		{"format.dns1123Label().validate('a').hasValue()", 31},
		{"[1].all(i, v, v > i)", 32},
		{"isSemver('1.2.3')", 33},
		{"[1, 1].distinct() == [1]", 34},
	} {
		for minor := lifecycle.Oldest; minor <= lifecycle.Newest; minor++ {
			_, issues := Environment(minor).NewExpressionsEnv().Compile(test.expression)
			if got, want := issues.Err() == nil, minor >= test.from; got != want {
				t.Errorf("%v: %s compiles: %v, want %v", minor, test.expression, got, want)
			}
		}
	}
}

func TestEnvironmentIsShared(t *testing.T) {
	all := make([]any, 8)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = Environment(29) })
	}
	group.Wait()
	for _, e := range all {
		if e != all[0] {
			t.Fatal("built twice")
		}
	}
	if Environment(0) != Environment(oldest) || Environment(200) != Environment(lifecycle.Newest) {
		t.Error("a minor without an environment of its own")
	}
}

func TestCreated(t *testing.T) {
	for minor, want := range map[lifecycle.Minor]lifecycle.Minor{26: 26, 27: 27, 28: 27, 37: 36} {
		if got := Created(minor); got != want {
			t.Errorf("%v checks expressions for %v, want %v", minor, got, want)
		}
	}
}
