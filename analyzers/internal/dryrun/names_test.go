package dryrun

import "testing"

func TestWishName(t *testing.T) {
	for _, test := range []struct {
		name         string
		ok, negative bool
	}{
		{"dryRun", true, false},
		{"dry-run", true, false},
		{"DRY_RUN", true, false},
		{"--dry-run", true, false},
		{"isDryRun", true, false},
		{"DryRunStrategy", true, false},
		{"serverDryRun", true, false},
		{"pruneDryRun", true, false},
		{"noDryRun", true, true},
		{"skip-dry-run", true, true},
		{"supportsDryRun", false, false},
		{"validateDryRun", false, false},
		{"lastDryRun", false, false},
		{"dryRunResult", false, false},
		{"dryRunClient", false, false},
		{"the dry run is over", false, false},
		{"dry", true, false},
		{"Dry", true, false},
		{"dryer", false, false},
		{"drain", false, false},
		{"", false, false},
	} {
		if ok, negative := dryRunName(test.name); ok != test.ok || negative != test.negative {
			t.Errorf("dryRunName(%q) = %t, %t, want %t, %t", test.name, ok, negative, test.ok, test.negative)
		}
	}
}

func TestPredicateName(t *testing.T) {
	for _, test := range []struct {
		name         string
		ok, negative bool
	}{
		{"DryRun", true, false},
		{"IsDryRun", true, false},
		{"GetDryRun", true, false},
		{"shouldDryRun", true, false},
		{"notDryRun", true, true},
		{"applyDryRun", false, false},
		{"AddDryRunFlag", false, false},
		{"Run", false, false},
	} {
		if ok, negative := predicateName(test.name); ok != test.ok || negative != test.negative {
			t.Errorf("predicateName(%q) = %t, %t, want %t, %t", test.name, ok, negative, test.ok, test.negative)
		}
	}
}
