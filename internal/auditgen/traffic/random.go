package traffic

import "math/rand/v2"

// random is a PCG generator, whose bit stream Go guarantees. It reduces numbers to ranges
// itself, because the standard library may change its reduction.
type random struct{ rand.PCG }

func newRandom(seed uint64) *random { return &random{*rand.NewPCG(seed, 0x9e3779b97f4a7c15)} }

func (r *random) reseed(seed uint64) { r.Seed(seed, 0x9e3779b97f4a7c15) }

// below returns a number in [0, n). n must be positive.
func (r *random) below(n int) int { return int(r.Uint64() % uint64(n)) }

// skewed returns a number in [0, n). Small numbers are more frequent than large numbers.
func (r *random) skewed(n int) int { return r.below(r.below(n) + 1) }

// between returns a number in [low, high].
func (r *random) between(low, high int) int { return low + r.below(high-low+1) }

// chance returns true with the probability percent/100.
func (r *random) chance(percent int) bool { return r.below(100) < percent }

// pick returns one of the words.
func (r *random) pick(words []string) string { return words[r.below(len(words))] }

// letters appends n random letters of an alphabet.
func (r *random) letters(b []byte, n int, alphabet string) []byte {
	for range n {
		b = append(b, alphabet[r.below(len(alphabet))])
	}
	return b
}

// These are the alphabets of generated names and of tokens.
const (
	suffixLetters = "bcdfghjklmnpqrstvwxz2456789"
	hexLetters    = "0123456789abcdef"
	tokenLetters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// suffix returns n random letters, as in generated names.
func (r *random) suffix(n int) string { return string(r.letters(nil, n, suffixLetters)) }

type uid struct{ high, low uint64 }

func (r *random) uid() uid {
	return uid{r.Uint64()&^0xf000 | 0x4000, r.Uint64()&^(0xc<<60) | 0x8<<60}
}

// appendTo appends the UUID in its usual text form.
func (u uid) appendTo(b []byte) []byte {
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b = append(b, '-')
		}
		half := u.high
		if i >= 16 {
			half = u.low
		}
		b = append(b, hexLetters[half>>(60-4*(i%16))&15])
	}
	return b
}

func (u uid) String() string { return string(u.appendTo(nil)) }
