package gotype

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TestQuantityForm compares quantityForm with resource.ParseQuantity on random
// texts.
func TestQuantityForm(t *testing.T) {
	pieces := []string{"", "+", "-", "0", "00", "1", "12", "123456789", "1234567890123456789", ".", "5", "e", "E", "i", "n", "u", "m", "k", "K", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-5", "e-12", "e+2", "x", " "}
	r := rand.New(rand.NewPCG(7, 7))
	for range 200_000 {
		var s string
		for range 1 + r.IntN(5) {
			s += pieces[r.IntN(len(pieces))]
		}
		if strings.Count(strings.ToLower(s), "e") > 0 && len(s) > 12 {
			continue // resource.ParseQuantity takes long for such exponents
		}
		if i := strings.LastIndexAny(s, "eE"); i >= 0 && len(strings.Trim(s[i+1:], "+-")) > 3 {
			continue
		}
		_, want := resource.ParseQuantity(s)
		if _, got := quantityForm(s); got != want {
			t.Errorf("quantityForm(%q) = %v, ParseQuantity says %v", s, got, want)
		}
	}
}

func TestParseQuantity(t *testing.T) {
	for text, want := range map[string]bool{
		"1": true, "250m": true, "1.5Gi": true, "1e3": true, "": false, "1 Gi": false, "1gb": false,
		"9e-999999999": false, "1e999999999": false, "9" + strings.Repeat("0", 2000): false,
	} {
		start := time.Now()
		if _, ok := ParseQuantity(text); ok != want {
			t.Errorf("ParseQuantity(%.20q) = %t, want %t", text, ok, want)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("ParseQuantity(%.20q) took %v", text, took)
		}
	}
	if _, err := quantityForm("9e-999999999"); err != nil {
		t.Errorf("a quantity that the server would take is refused: %v", err)
	}
}
