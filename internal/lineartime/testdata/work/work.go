// Package kubevetwork counts the work of an instrumented kubevet. It exists only
// in the build that package lineartime makes.
package kubevetwork

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// steps has the counters of each package.
var steps = map[string][]uint64{}

// Register adds the counters of a package: one for each function and each loop.
func Register(folder string, counters []uint64) { steps[folder] = counters }

// passed counts the bytes and elements that functions of the standard library
// passed over, because their loops are not instrumented, and often in assembler.
var passed uint64

func pass(n int) { passed += uint64(n) }

// found counts a search that found something at an index of a text, or nothing.
func found(at, size int) int {
	if at < 0 {
		pass(size)
	} else {
		pass(at)
	}
	return at
}

// foundLast counts a search from the end.
func foundLast(at, size int) int {
	pass(size - max(at, 0))
	return at
}

// Copied counts the elements that copy copied.
func Copied(n int) int {
	pass(n)
	return n
}

// Appended counts the elements of a slice or a string that is appended.
func Appended[T any](all T) T {
	pass(reflect.ValueOf(&all).Elem().Len())
	return all
}

// Write writes what was counted to a file.
func Write(name string) error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	data, err := json.Marshal(struct {
		Steps             map[string][]uint64
		Passed, Allocated uint64
	}{steps, passed, memory.TotalAlloc})
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}
func BytesIndex(s []byte, x []byte) int              { return found(bytes.Index(s, x), len(s)) }
func BytesIndexByte(s []byte, x byte) int            { return found(bytes.IndexByte(s, x), len(s)) }
func BytesIndexAny(s []byte, x string) int           { return found(bytes.IndexAny(s, x), len(s)) }
func BytesIndexFunc(s []byte, x func(rune) bool) int { return found(bytes.IndexFunc(s, x), len(s)) }
func BytesIndexRune(s []byte, x rune) int            { return found(bytes.IndexRune(s, x), len(s)) }
func BytesLastIndex(s []byte, x []byte) int          { return foundLast(bytes.LastIndex(s, x), len(s)) }
func BytesLastIndexByte(s []byte, x byte) int        { return foundLast(bytes.LastIndexByte(s, x), len(s)) }
func BytesLastIndexAny(s []byte, x string) int       { return foundLast(bytes.LastIndexAny(s, x), len(s)) }
func BytesLastIndexFunc(s []byte, x func(rune) bool) int {
	return foundLast(bytes.LastIndexFunc(s, x), len(s))
}
func BytesContains(s []byte, x []byte) bool              { return BytesIndex(s, x) >= 0 }
func BytesContainsAny(s []byte, x string) bool           { return BytesIndexAny(s, x) >= 0 }
func BytesContainsRune(s []byte, x rune) bool            { return BytesIndexRune(s, x) >= 0 }
func BytesContainsFunc(s []byte, x func(rune) bool) bool { return BytesIndexFunc(s, x) >= 0 }
func BytesCount(s, x []byte) int                         { pass(len(s)); return bytes.Count(s, x) }
func BytesCut(s, x []byte) (before, after []byte, ok bool) {
	before, after, ok = bytes.Cut(s, x)
	pass(len(before))
	return
}
func BytesHasPrefix(s, x []byte) bool    { pass(min(len(s), len(x))); return bytes.HasPrefix(s, x) }
func BytesHasSuffix(s, x []byte) bool    { pass(min(len(s), len(x))); return bytes.HasSuffix(s, x) }
func BytesTrimPrefix(s, x []byte) []byte { pass(min(len(s), len(x))); return bytes.TrimPrefix(s, x) }
func BytesTrimSuffix(s, x []byte) []byte { pass(min(len(s), len(x))); return bytes.TrimSuffix(s, x) }
func BytesCutPrefix(s, x []byte) ([]byte, bool) {
	pass(min(len(s), len(x)))
	return bytes.CutPrefix(s, x)
}
func BytesCutSuffix(s, x []byte) ([]byte, bool) {
	pass(min(len(s), len(x)))
	return bytes.CutSuffix(s, x)
}
func BytesTrim(s []byte, x string) []byte { t := bytes.Trim(s, x); pass(len(s) - len(t)); return t }
func BytesTrimLeft(s []byte, x string) []byte {
	t := bytes.TrimLeft(s, x)
	pass(len(s) - len(t))
	return t
}
func BytesTrimRight(s []byte, x string) []byte {
	t := bytes.TrimRight(s, x)
	pass(len(s) - len(t))
	return t
}
func BytesTrimFunc(s []byte, x func(rune) bool) []byte {
	t := bytes.TrimFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func BytesTrimLeftFunc(s []byte, x func(rune) bool) []byte {
	t := bytes.TrimLeftFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func BytesTrimRightFunc(s []byte, x func(rune) bool) []byte {
	t := bytes.TrimRightFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func BytesTrimSpace(s []byte) []byte { t := bytes.TrimSpace(s); pass(len(s) - len(t)); return t }
func BytesToLower(s []byte) []byte   { pass(len(s)); return bytes.ToLower(s) }
func BytesToUpper(s []byte) []byte   { pass(len(s)); return bytes.ToUpper(s) }
func BytesClone(s []byte) []byte     { pass(len(s)); return bytes.Clone(s) }
func BytesFields(s []byte) [][]byte  { pass(len(s)); return bytes.Fields(s) }
func BytesFieldsFunc(s []byte, x func(rune) bool) [][]byte {
	pass(len(s))
	return bytes.FieldsFunc(s, x)
}
func BytesSplit(s, x []byte) [][]byte                  { pass(len(s)); return bytes.Split(s, x) }
func BytesSplitAfter(s, x []byte) [][]byte             { pass(len(s)); return bytes.SplitAfter(s, x) }
func BytesReplaceAll(s, x, y []byte) []byte            { pass(len(s)); return bytes.ReplaceAll(s, x, y) }
func BytesReplace(s, x, y []byte, n int) []byte        { pass(len(s)); return bytes.Replace(s, x, y, n) }
func BytesMap(x func(rune) rune, s []byte) []byte      { pass(len(s)); return bytes.Map(x, s) }
func BytesEqualFold(s, t []byte) bool                  { pass(min(len(s), len(t))); return bytes.EqualFold(s, t) }
func BytesCompare(s, t []byte) int                     { pass(min(len(s), len(t))); return bytes.Compare(s, t) }
func BytesJoin(s [][]byte, x []byte) []byte            { t := bytes.Join(s, x); pass(len(t)); return t }
func BytesRepeat(s []byte, n int) []byte               { t := bytes.Repeat(s, n); pass(len(t)); return t }
func StringsIndex(s string, x string) int              { return found(strings.Index(s, x), len(s)) }
func StringsIndexByte(s string, x byte) int            { return found(strings.IndexByte(s, x), len(s)) }
func StringsIndexAny(s string, x string) int           { return found(strings.IndexAny(s, x), len(s)) }
func StringsIndexFunc(s string, x func(rune) bool) int { return found(strings.IndexFunc(s, x), len(s)) }
func StringsIndexRune(s string, x rune) int            { return found(strings.IndexRune(s, x), len(s)) }
func StringsLastIndex(s string, x string) int          { return foundLast(strings.LastIndex(s, x), len(s)) }
func StringsLastIndexByte(s string, x byte) int {
	return foundLast(strings.LastIndexByte(s, x), len(s))
}
func StringsLastIndexAny(s string, x string) int {
	return foundLast(strings.LastIndexAny(s, x), len(s))
}
func StringsLastIndexFunc(s string, x func(rune) bool) int {
	return foundLast(strings.LastIndexFunc(s, x), len(s))
}
func StringsContains(s string, x string) bool              { return StringsIndex(s, x) >= 0 }
func StringsContainsAny(s string, x string) bool           { return StringsIndexAny(s, x) >= 0 }
func StringsContainsRune(s string, x rune) bool            { return StringsIndexRune(s, x) >= 0 }
func StringsContainsFunc(s string, x func(rune) bool) bool { return StringsIndexFunc(s, x) >= 0 }
func StringsCount(s, x string) int                         { pass(len(s)); return strings.Count(s, x) }
func StringsCut(s, x string) (before, after string, ok bool) {
	before, after, ok = strings.Cut(s, x)
	pass(len(before))
	return
}
func StringsHasPrefix(s, x string) bool { pass(min(len(s), len(x))); return strings.HasPrefix(s, x) }
func StringsHasSuffix(s, x string) bool { pass(min(len(s), len(x))); return strings.HasSuffix(s, x) }
func StringsTrimPrefix(s, x string) string {
	pass(min(len(s), len(x)))
	return strings.TrimPrefix(s, x)
}
func StringsTrimSuffix(s, x string) string {
	pass(min(len(s), len(x)))
	return strings.TrimSuffix(s, x)
}
func StringsCutPrefix(s, x string) (string, bool) {
	pass(min(len(s), len(x)))
	return strings.CutPrefix(s, x)
}
func StringsCutSuffix(s, x string) (string, bool) {
	pass(min(len(s), len(x)))
	return strings.CutSuffix(s, x)
}
func StringsTrim(s string, x string) string { t := strings.Trim(s, x); pass(len(s) - len(t)); return t }
func StringsTrimLeft(s string, x string) string {
	t := strings.TrimLeft(s, x)
	pass(len(s) - len(t))
	return t
}
func StringsTrimRight(s string, x string) string {
	t := strings.TrimRight(s, x)
	pass(len(s) - len(t))
	return t
}
func StringsTrimFunc(s string, x func(rune) bool) string {
	t := strings.TrimFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func StringsTrimLeftFunc(s string, x func(rune) bool) string {
	t := strings.TrimLeftFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func StringsTrimRightFunc(s string, x func(rune) bool) string {
	t := strings.TrimRightFunc(s, x)
	pass(len(s) - len(t))
	return t
}
func StringsTrimSpace(s string) string { t := strings.TrimSpace(s); pass(len(s) - len(t)); return t }
func StringsToLower(s string) string   { pass(len(s)); return strings.ToLower(s) }
func StringsToUpper(s string) string   { pass(len(s)); return strings.ToUpper(s) }
func StringsClone(s string) string     { pass(len(s)); return strings.Clone(s) }
func StringsFields(s string) []string  { pass(len(s)); return strings.Fields(s) }
func StringsFieldsFunc(s string, x func(rune) bool) []string {
	pass(len(s))
	return strings.FieldsFunc(s, x)
}
func StringsSplit(s, x string) []string             { pass(len(s)); return strings.Split(s, x) }
func StringsSplitAfter(s, x string) []string        { pass(len(s)); return strings.SplitAfter(s, x) }
func StringsReplaceAll(s, x, y string) string       { pass(len(s)); return strings.ReplaceAll(s, x, y) }
func StringsReplace(s, x, y string, n int) string   { pass(len(s)); return strings.Replace(s, x, y, n) }
func StringsMap(x func(rune) rune, s string) string { pass(len(s)); return strings.Map(x, s) }
func StringsEqualFold(s, t string) bool             { pass(min(len(s), len(t))); return strings.EqualFold(s, t) }
func StringsCompare(s, t string) int                { pass(min(len(s), len(t))); return strings.Compare(s, t) }
func StringsJoin(s []string, x string) string       { t := strings.Join(s, x); pass(len(t)); return t }
func StringsRepeat(s string, n int) string          { t := strings.Repeat(s, n); pass(len(t)); return t }
func BytesEqual(s, t []byte) bool {
	if len(s) == len(t) {
		pass(len(s))
	}
	return bytes.Equal(s, t)
}
func UTF8RuneCount(s []byte) int         { pass(len(s)); return utf8.RuneCount(s) }
func UTF8RuneCountInString(s string) int { pass(len(s)); return utf8.RuneCountInString(s) }
func UTF8Valid(s []byte) bool            { pass(len(s)); return utf8.Valid(s) }
func UTF8ValidString(s string) bool      { pass(len(s)); return utf8.ValidString(s) }

func SlicesContains[S ~[]E, E comparable](s S, x E) bool {
	return found(slices.Index(s, x), len(s)) >= 0
}
func SlicesIndex[S ~[]E, E comparable](s S, x E) int { return found(slices.Index(s, x), len(s)) }
func SlicesClone[S ~[]E, E any](s S) S               { pass(len(s)); return slices.Clone(s) }
func SlicesEqual[S ~[]E, E comparable](s, t S) bool {
	pass(min(len(s), len(t)))
	return slices.Equal(s, t)
}
func SlicesCompact[S ~[]E, E comparable](s S) S   { pass(len(s)); return slices.Compact(s) }
func SlicesReverse[S ~[]E, E any](s S)            { pass(len(s)); slices.Reverse(s) }
func SlicesDelete[S ~[]E, E any](s S, i, j int) S { pass(len(s) - i); return slices.Delete(s, i, j) }
func SlicesDeleteFunc[S ~[]E, E any](s S, f func(E) bool) S {
	pass(len(s))
	return slices.DeleteFunc(s, f)
}
func SlicesInsert[S ~[]E, E any](s S, i int, v ...E) S {
	pass(len(s) - i + len(v))
	return slices.Insert(s, i, v...)
}
func SlicesConcat[S ~[]E, E any](s ...S) S { t := slices.Concat(s...); pass(len(t)); return t }
