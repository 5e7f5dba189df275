package helmchart

import "strings"

// align converts at, a byte offset in output, to a byte offset in the text
// from. Functions such as nindent, trim and quote made output from this text.
// They change only the beginnings and ends of lines. ok is false if from does
// not have the line.
func align(output string, at int, from string) (offset int, ok bool) {
	if from == output {
		return at, true
	}
	madeLines, line, column := cutLines(output, at)
	fromLines, _, _ := cutLines(from, 0)
	want := bare(madeLines[line].text)
	if want == "" {
		return 0, false
	}
	best, score := -1, 0
	for i, l := range fromLines {
		if bare(l.text) != want {
			continue
		}
		if s := agreement(madeLines, line, fromLines, i); s > score {
			best, score = i, s
		}
	}
	if best < 0 {
		return 0, false
	}
	l := fromLines[best]
	moved := column - lead(madeLines[line].text) + lead(l.text)
	return l.at + min(max(moved, 0), len(l.text)), true
}

// textLine is a line and its offset.
type textLine struct {
	text string
	at   int
}

// cutLines splits a text into lines, and returns the line and the byte column
// of an offset.
func cutLines(text string, offset int) (lines []textLine, line, column int) {
	at := 0
	for _, l := range strings.SplitAfter(text, "\n") {
		if offset >= at {
			line, column = len(lines), offset-at
		}
		lines = append(lines, textLine{strings.TrimRight(l, "\r\n"), at})
		at += len(l)
	}
	return lines, line, column
}

// bare returns a line without the spaces and quotes around it.
func bare(l string) string { return strings.Trim(l, " \t\"'") }

// lead returns the number of bytes that bare removes at the front.
func lead(l string) int { return len(l) - len(strings.TrimLeft(l, " \t\"'")) }

// agreement counts the lines around output[i] and from[j] that are equal in
// both texts. The result is highest if output contains all lines of from.
func agreement(output []textLine, i int, from []textLine, j int) int {
	score := 1
	whole := true
	for _, step := range []int{-1, 1} {
		a, b := i, j
		for {
			if b = skipBlank(from, b+step, step); b < 0 || b >= len(from) {
				break
			}
			if a = skipBlank(output, a+step, step); a < 0 || a >= len(output) || bare(output[a].text) != bare(from[b].text) {
				whole = false
				break
			}
			score++
		}
	}
	if whole {
		score += 1 << 20
	}
	return score
}

func skipBlank(lines []textLine, i, step int) int {
	for i >= 0 && i < len(lines) && bare(lines[i].text) == "" {
		i += step
	}
	return i
}
