//go:build unix && !linux

package source

// descend opens a directory below the folder; "." is the folder again.
func (f *folder) descend(below string) (*folder, error) { return f.descendByStep(below) }
