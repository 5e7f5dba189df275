package synth

// random is SplitMix64. The standard library's generators keep their bit stream from release to
// release, but not the way in which they reduce it to a range. The manifests must be the same bytes
// with every Go release, because published figures refer to them.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n). The bias of the plain remainder is of no
// consequence for the small n used here. n must be positive.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// between returns a number in [low, high].
func (r *random) between(low, high int) int { return low + r.below(high-low+1) }

// chance is true in percent of 100 cases.
func (r *random) chance(percent int) bool { return r.below(100) < percent }

// rarely is true in one of n cases.
func (r *random) rarely(n int) bool { return r.below(n) == 0 }

// pick returns one of the words.
func (r *random) pick(words []string) string { return words[r.below(len(words))] }

// hex appends n lower-case hexadecimal digits.
func (r *random) hex(dst []byte, n int) []byte {
	return r.letters(dst, n, "0123456789abcdef")
}

// base64 appends n letters of the base64 alphabet, without padding.
func (r *random) base64(dst []byte, n int) []byte {
	return r.letters(dst, n, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}

// letters appends n letters of alphabet, whose length must be a power of two
// of at most 64.
func (r *random) letters(dst []byte, n int, alphabet string) []byte {
	mask := uint64(len(alphabet) - 1)
	var bits uint64
	for i := range n {
		if i%10 == 0 {
			bits = r.next()
		}
		dst = append(dst, alphabet[bits&mask])
		bits >>= 6
	}
	return dst
}
