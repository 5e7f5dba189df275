package report

import (
	"fmt"
	"strconv"
	"time"
)

// Count returns a number and a noun, with a plural s if necessary: "1 file", "2 files".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// plural returns a number and a noun, such as "1 file" or "12,345 files".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands returns a number with commas, such as "12,345".
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size returns a number of bytes as text in decimal units, such as "1.2 MB".
func size(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return plural(int(n), "byte", "bytes")
	}
	v, unit := float64(n)/1000, 0
	for ; v >= 999.95 && unit < len(units)-1; unit++ {
		v /= 1000
	}
	return fmt.Sprintf("%.1f %cB", v, units[unit])
}

// duration returns a number of seconds as text, such as "0.042s", "1.3s" or "2m5s".
func duration(seconds float64) string {
	switch {
	case seconds < 1:
		return fmt.Sprintf("%.3fs", seconds)
	case seconds < 60:
		return fmt.Sprintf("%.1fs", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
