package main

import (
	"os"
	"strings"
)

// plant takes a time that is quadratic, or linear, in the size of a file.
func plant(kind string, args []string) {
	data, err := os.ReadFile(args[0])
	if err != nil {
		panic(err)
	}
	text := string(data)
	switch kind {
	case "linear":
		for range strings.Lines(text) {
		}
	case "loop":
		n := 0
		for i := range text {
			for j := range i {
				n += j
			}
		}
	case "scan": // each line from the start of the text, in assembler
		for i := range text {
			if strings.IndexByte(text[:i], 0) >= 0 {
				return
			}
		}
	case "shift": // each byte is deleted at the front
		for len(data) > 0 {
			data = append(data[:0], data[1:]...)
		}
	case "allocate":
		all := ""
		for range text {
			all += "x"
		}
	}
}
