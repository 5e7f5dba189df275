package webpagetest

import "regexp"

// design matches the parts that all pages share: the policy, the style and the script.
var design = regexp.MustCompile(`(?s)<(style|script)>(?::root|"use strict").*?</(?:style|script)>|content="default-src[^"]*"`)

// Content returns a page without the parts that all pages share, for golden files.
func Content(page []byte) []byte { return design.ReplaceAll(page, []byte("<$1></$1>")) }
