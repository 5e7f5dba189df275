package synth

// random is the generator SplitMix64. Published figures refer to the manifests, so they
// must have the same bytes with every Go release. The standard library guarantees the bit
// stream of its generators, but not their reduction to a range.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n). n must be positive, and small because the remainder
// has a bias for large n.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// between returns a number in [low, high].
func (r *random) between(low, high int) int { return low + r.below(high-low+1) }

// chance returns true with the probability percent/100.
func (r *random) chance(percent int) bool { return r.below(100) < percent }

// rarely returns true with the probability 1/n.
func (r *random) rarely(n int) bool { return r.below(n) == 0 }

// pick returns one of the words.
func (r *random) pick(words []string) string { return words[r.below(len(words))] }

// hex appends n random hexadecimal digits in lower case.
func (r *random) hex(dst []byte, n int) []byte {
	return r.letters(dst, n, "0123456789abcdef")
}

// base64 appends n random letters of the base64 alphabet, without padding.
func (r *random) base64(dst []byte, n int) []byte {
	return r.letters(dst, n, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}

// letters appends n random letters of an alphabet. The length of the alphabet must be a
// power of two and at most 64.
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
