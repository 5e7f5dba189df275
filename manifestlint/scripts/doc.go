// Package scripts finds calls of kubectl and oc in shell text. It reads shell
// scripts, Makefile recipes, the RUN instructions of Dockerfiles, the code
// blocks of Markdown, the steps of GitHub Actions and GitLab CI, and the
// commands of containers. It parses shell with mvdan.cc/sh/v3/syntax and
// expands variables and functions that this text defines.
//
// An unknown part of a word is marked, and checks report nothing that depends
// on it. The package never runs a program.
//
// Each byte of an expanded word has its position in the source, through all
// layers of quoting. Findings and fixes use this position.
package scripts
