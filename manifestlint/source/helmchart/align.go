package helmchart

import "strings"

// align converts a byte offset in output to the byte offset of the same
// character in source. A function such as nindent, trim or quote made output
// from source, and changed only the beginnings and ends of lines. ok is false
// if source does not contain the line.
func align(output string, offset int, source string) (inSource int, ok bool) {
	if source == output {
		return offset, true
	}
	outputLines, line, column := splitLines(output, offset)
	sourceLines, _, _ := splitLines(source, 0)
	want := trimLine(outputLines[line].text)
	if want == "" {
		return 0, false
	}
	best, score := -1, 0
	for i, l := range sourceLines {
		if trimLine(l.text) != want {
			continue
		}
		if s := equalLinesAround(outputLines, line, sourceLines, i); s > score {
			best, score = i, s
		}
	}
	if best < 0 {
		return 0, false
	}
	l := sourceLines[best]
	newColumn := column - leadLen(outputLines[line].text) + leadLen(l.text)
	return l.at + min(max(newColumn, 0), len(l.text)), true
}

type textLine struct {
	text string
	at   int
}

// splitLines splits a text into lines. line and column are the position of the
// offset; column counts bytes from 0.
func splitLines(text string, offset int) (lines []textLine, line, column int) {
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

func trimLine(l string) string { return strings.Trim(l, " \t\"'") }

// leadLen returns the number of bytes that trimLine removes at the front.
func leadLen(l string) int { return len(l) - len(strings.TrimLeft(l, " \t\"'")) }

// equalLinesAround counts the lines around output[i] that are equal to the
// lines around from[j]. The result is highest if output contains all lines of
// from.
func equalLinesAround(output []textLine, i int, from []textLine, j int) int {
	score := 1
	whole := true
	for _, step := range []int{-1, 1} {
		a, b := i, j
		for {
			if b = skipBlank(from, b+step, step); b < 0 || b >= len(from) {
				break
			}
			if a = skipBlank(output, a+step, step); a < 0 || a >= len(output) || trimLine(output[a].text) != trimLine(from[b].text) {
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
	for i >= 0 && i < len(lines) && trimLine(lines[i].text) == "" {
		i += step
	}
	return i
}
