package lifecycle_test

import (
	"fmt"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

func Example() {
	target, err := lifecycle.NewTarget("1.22..1.27", nil, nil)
	if err != nil {
		panic(err)
	}
	api, ok := lifecycle.LookupGV("autoscaling/v2beta1", "HorizontalPodAutoscaler")
	if !ok {
		panic("not one of Kubernetes' own")
	}
	fmt.Println("served: ", api.ServedMinors(target))
	fmt.Println("removed:", api.RemovedMinors(target))
	fmt.Println("1.24:   ", api.Warning(24))
	replacement, served := api.ReplacementAt(25, target)
	fmt.Println("1.25:    use", replacement, served)
	// Output:
	// served:  1.22..1.24
	// removed: 1.25..1.27
	// 1.24:    autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler
	// 1.25:    use autoscaling/v2 HorizontalPodAutoscaler true
}

func ExampleTarget_GateEnabled() {
	target, err := lifecycle.NewTarget("1.29", []string{"PodLifecycleSleepAction=true"}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(target.GateEnabled("PodLifecycleSleepAction", 29))

	_, err = lifecycle.NewTarget("1.34", []string{"PodLifecycleSleepAction=false"}, nil)
	fmt.Println(err)
	// Output:
	// true
	// cannot set feature gate PodLifecycleSleepAction to false, feature is locked to true
}
