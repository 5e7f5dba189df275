package webpagetest

import "regexp"

// design matches what all pages have: the policy, the style and the script.
var design = regexp.MustCompile(`(?s)<(style|script)>(?::root|"use strict").*?</(?:style|script)>|content="default-src[^"]*"`)

// Content returns a page without the style and the script, for goldens.
func Content(page []byte) []byte { return design.ReplaceAll(page, []byte("<$1></$1>")) }
