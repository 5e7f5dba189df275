// Package lineartime has a test that kubevet's work is proportional to the size of its
// input. No command uses this package.
//
// Times differ between machines and runs, so the test counts work. It builds a kubevet
// with counters and adds up:
//
//   - the calls of each function and the rounds of each loop in this module
//   - the bytes and elements that functions such as bytes.Index, slices.Contains, copy
//     and append pass over; their loops are in the standard library, often in assembler
//   - separately, the allocated bytes; they also show work of libraries, and text that is
//     joined or converted again and again
//
// The go command reads the changed sources through an overlay, so nothing in the
// repository changes. Between two runs, counts differ by less than a percent.
//
// The test does not count the loops of libraries such as the YAML library, unless they
// allocate memory. It does not count string comparison with ==, and child processes,
// which render charts.
package lineartime
