package helmchart

import "strings"

// align finds the place in a text from that a place in another text, which was
// made of it, is from: functions such as nindent, trim and quote keep lines as
// they are but for what is around them. at and the result are byte offsets. ok
// is false if the line is not found.
func align(made string, at int, from string) (offset int, ok bool) {
	if from == made {
		return at, true
	}
	madeLines, line, column := cutLines(made, at)
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

// cutLines cuts a text into lines, and gives the line and the byte column of an
// offset.
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

// bare is a line without what functions put around it.
func bare(l string) string { return strings.Trim(l, " \t\"'") }

// lead is the length of what bare takes off at the front.
func lead(l string) int { return len(l) - len(strings.TrimLeft(l, " \t\"'")) }

// agreement counts the lines around that are the same in both. A text that is
// found as a whole agrees most.
func agreement(made []textLine, i int, from []textLine, j int) int {
	score := 1
	whole := true
	for _, step := range []int{-1, 1} {
		a, b := i, j
		for {
			if b = skipBlank(from, b+step, step); b < 0 || b >= len(from) {
				break
			}
			if a = skipBlank(made, a+step, step); a < 0 || a >= len(made) || bare(made[a].text) != bare(from[b].text) {
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
