package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// release is a minor of a project, with the patch from which it is read.
type release struct {
	major, minor, patch int
	// tag is the git tag or the module version from which the release is read.
	tag string
}

// String returns the minor, such as "1.18".
func (r release) String() string { return fmt.Sprintf("%d.%d", r.major, r.minor) }

func (r release) compare(o release) int {
	return cmp.Or(cmp.Compare(r.major, o.major), cmp.Compare(r.minor, o.minor), cmp.Compare(r.patch, o.patch))
}

// plainTag matches the release tags of most projects. It does not match
// pre-releases.
const plainTag = `^v?(\d+)\.(\d+)(?:\.(\d+))?$`

// parseRelease parses a tag by a pattern with groups for the numbers. It returns
// false if the tag does not match.
func parseRelease(pattern *regexp.Regexp, tag string) (release, bool) {
	m := pattern.FindStringSubmatch(tag)
	if m == nil {
		return release{}, false
	}
	var n [3]int
	i := 0
	for _, text := range m[1:] {
		if text == "" { // the group belongs to another alternative, or there is no patch
			continue
		}
		var err error
		if n[i], err = strconv.Atoi(text); err != nil {
			return release{}, false
		}
		i++
	}
	return release{n[0], n[1], n[2], tag}, true
}

// newestPatches returns the newest patch of every minor from since on, oldest
// first. pattern matches the tags of releases; empty means plainTag.
func newestPatches(tags []string, pattern, since string) ([]release, error) {
	if pattern == "" {
		pattern = plainTag
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	first, ok := parseRelease(regexp.MustCompile(plainTag), since)
	if !ok {
		return nil, fmt.Errorf("since %q is not a release", since)
	}
	var all []release
	for _, tag := range tags {
		if r, ok := parseRelease(re, tag); ok && r.compare(first) >= 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, release.compare)
	var newest []release
	for i, r := range all {
		if i+1 == len(all) || all[i+1].major != r.major || all[i+1].minor != r.minor {
			newest = append(newest, r)
		}
	}
	if len(newest) == 0 {
		return nil, fmt.Errorf("none of %d tags is a release since %s", len(tags), since)
	}
	return newest, nil
}
