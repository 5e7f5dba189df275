// Package lineartime holds the test that the work of kubevet is proportional to
// its input. There is no code in it that a command uses.
//
// Time differs between machines and runs, so the test counts work instead. It
// builds a kubevet with counters and sums up:
//
//   - the calls of each function and the rounds of each loop in this module;
//   - the bytes and elements that functions such as bytes.Index, slices.Contains,
//     copy and append pass over. Their loops are in the standard library, often
//     in assembler, where a counter cannot be;
//   - separately, the bytes of memory that were allocated. They also show work of
//     libraries, and text that is joined or converted again and again.
//
// The go command reads the changed sources through an overlay, so nothing in the
// repository changes. Counts differ by less than a percent between runs.
//
// Not counted are the loops of libraries, such as the YAML library, unless they
// allocate memory, the comparison of strings with ==, and child processes, which
// render charts.
package lineartime
