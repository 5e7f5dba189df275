package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// send is a place that sends to a channel.
type send struct {
	to ssa.Value
	at ssa.Instruction
}

// nothingSent reports whether a loop over a channel does nothing in a dry run: code of the
// package sends to the channel, but a dry run skips all of it.
func (s *state) nothingSent(channel ssa.Value, receiver *ssa.Function, m Mode) bool {
	made := s.channelsOf(channel, 0)
	if m == off || made == nil {
		return false
	}
	skipped := false
	for _, to := range s.sends() {
		if !types.Identical(sent(to.to), sent(channel)) || s.inTest(to.at.Parent()) {
			continue
		}
		targets := s.channelsOf(to.to, 0)
		if targets == nil {
			return false // it may be the same channel
		}
		same := false
		for c := range targets {
			same = same || made[c]
		}
		if !same {
			continue
		}
		if to.at.Parent() == receiver {
			return false
		}
		f, normal := s.flow(to.at.Parent(), m), s.flow(to.at.Parent(), off)
		n := to.at.Block().Index
		if f == nil || normal == nil || f.blocks[n] || !normal.blocks[n] {
			return false
		}
		skipped = true
	}
	return skipped
}

// sent returns the type of the elements of a channel.
func sent(channel ssa.Value) types.Type {
	return channel.Type().Underlying().(*types.Chan).Elem()
}

// sends returns the places of the package that send to channels.
func (s *state) sends() []send {
	if s.sendsKnown {
		return s.sendList
	}
	s.sendsKnown = true
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Send:
					s.sendList = append(s.sendList, send{instr.Chan, instr})
				case *ssa.Select:
					for _, c := range instr.States {
						if c.Dir == types.SendOnly {
							s.sendList = append(s.sendList, send{c.Chan, instr})
						}
					}
				}
			}
		}
	}
	return s.sendList
}

// channelsOf returns the places where the channel of a value is made; nil if some may be
// unknown.
func (s *state) channelsOf(v ssa.Value, depth int) map[*ssa.MakeChan]bool {
	if depth > maxOrigin {
		return nil
	}
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.MakeChan:
		return map[*ssa.MakeChan]bool{v: true}
	case *ssa.ChangeType:
		from = []ssa.Value{v.X}
	case *ssa.UnOp:
		from = s.storedAt(v.X)
	case *ssa.Field:
		for _, st := range s.stores[fieldOf(v.X.Type(), v.Field)] {
			from = append(from, st.Val)
		}
	case *ssa.Parameter:
		from = s.argumentsFor(v)
	}
	all := map[*ssa.MakeChan]bool{}
	for _, w := range from {
		more := s.channelsOf(w, depth+1)
		if more == nil {
			return nil
		}
		for c := range more {
			all[c] = true
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
