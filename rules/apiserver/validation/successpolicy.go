package validation

import (
	"strconv"
	"strings"
)

// successPolicy checks the success policy of a Job. Source: validateSuccessPolicy
// (since 1.30).
func (v *validator) successPolicy(spec, policy node) {
	rules := policy.get("rules")
	if rules.length() == 0 {
		v.required(rules, "at least one rules must be specified when the successPolicy is specified")
	}
	if rules.length() > 20 {
		v.tooMany(rules, rules.length(), 20)
	}
	completions := spec.num("completions", 1)
	for _, r := range rules.items {
		count, indexes := r.get("succeededCount"), r.get("succeededIndexes")
		if !count.isSet() && !indexes.isSet() {
			v.required(r, "at least one of succeededCount or succeededIndexes must be specified")
		}
		total := int64(0)
		if indexes.isSet() {
			if len(indexes.text()) > 64<<10 {
				v.tooLong(indexes, 64<<10)
			}
			n, wrong := countIndexes(indexes.text(), completions)
			if total = n; wrong != "" {
				v.invalidString(indexes, indexes.text(), []string{"error parsing succeededIndexes: " + wrong})
			}
		}
		if i, ok := count.number(); ok {
			v.nonnegative(count)
			if i > completions {
				v.invalid(count, itoa(i), "must be less than or equal to "+itoa(completions)+" (the number of specified completions)")
			}
			if indexes.isSet() && i > total {
				v.invalid(count, itoa(i), "must be less than or equal to "+itoa(total)+" (the number of indexes in the specified succeededIndexes field)")
			}
		}
	}
}

// countIndexes returns the number of indexes in a list such as "1,3-5", or an
// error text. Source: validateIndexesFormat.
func countIndexes(s string, completions int64) (total int64, wrong string) {
	if s == "" {
		return 0, ""
	}
	last, first := int64(0), true
	for interval := range strings.SplitSeq(s, ",") {
		x, y, wrong := indexInterval(interval, completions)
		if wrong != "" {
			return 0, wrong
		}
		if !first && last >= x {
			return 0, "non-increasing order, previous: " + itoa(last) + ", current: " + itoa(x)
		}
		total += y - x + 1
		last, first = y, false
	}
	return total, ""
}

// indexInterval parses an interval such as "3-5", or returns an error text.
// Source: parseIndexInterval.
func indexInterval(s string, completions int64) (x, y int64, wrong string) {
	limits := strings.Split(s, "-")
	if len(limits) > 2 {
		return 0, 0, "the fragment " + strconv.Quote(s) + " violates the requirement that an index interval can have at most two parts separated by '-'"
	}
	ends := make([]int64, len(limits))
	for i, limit := range limits {
		n, err := strconv.Atoi(limit)
		if err != nil {
			return 0, 0, "cannot convert string to integer for index: " + strconv.Quote(limit)
		}
		if int64(n) >= completions {
			return 0, 0, "too large index: " + strconv.Quote(limit)
		}
		ends[i] = int64(n)
	}
	x, y = ends[0], ends[len(ends)-1]
	if len(ends) == 2 && x >= y {
		return 0, 0, "non-increasing order, previous: " + itoa(x) + ", current: " + itoa(y)
	}
	return x, y, ""
}
