package checks

import (
	"testing"
	"time"
)

func TestCommandSleep(t *testing.T) {
	sh := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	for _, c := range []struct {
		command []string
		want    time.Duration
	}{
		{[]string{"sleep", "30"}, 30 * time.Second},
		{[]string{"/bin/sleep", "1m", "5"}, 65 * time.Second},
		{[]string{"busybox", "sleep", "7"}, 7 * time.Second},
		{[]string{"sleep", "infinity"}, forever},
		{[]string{"sleep", "1.5"}, 1500 * time.Millisecond},
		{[]string{"sleep", "$N"}, 0},
		{[]string{"sleep", "1e3"}, 0},
		{[]string{"sleep"}, 0},
		{nil, 0},
		{sh("sleep 10"), 10 * time.Second},
		{[]string{"bash", "-ec", "sleep 10"}, 10 * time.Second},
		{[]string{"sh", "-e", "-c", "--", "sleep 10"}, 10 * time.Second},
		{[]string{"sh", "script.sh"}, 0},
		{sh("sleep 10; nginx -s quit; sleep 20"), 30 * time.Second},
		{sh("sleep 10 && kill 1 && sleep 5"), 15 * time.Second},
		{sh("sleep 10 || sleep 20"), 10 * time.Second},
		{sh("sleep 60 & wait"), 0},
		{sh("exit 0; sleep 60"), 0},
		{sh("exec sleep 60; sleep 60"), 60 * time.Second},
		{sh("(sleep 5; exit); { sleep 6; }"), 11 * time.Second},
		{sh("if test -f x; then sleep 60; fi; sleep 1"), time.Second},
		{sh("while true; do sleep 60; done"), 0},
		{sh("for i in 1 2 3; do sleep 5; done"), 0},
		{sh("f() { sleep 60; }; f"), 0},
		{sh("sleep '10'"), 10 * time.Second},
		{sh(`sleep "$T"`), 0},
		{sh("timeout 5 sleep 60"), 0},
		{sh("echo sleep 60"), 0},
		{sh("# sleep 60"), 0},
		{sh("sleep 10 |"), 0},
		{[]string{"python", "-c", "sleep 60"}, 0},
	} {
		if got := commandSleep(c.command); got != c.want {
			t.Errorf("%q: got %v, want %v", c.command, got, c.want)
		}
	}
}
