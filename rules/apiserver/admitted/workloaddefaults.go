//go:build !js

package admitted

import (
	"math"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// workloadDefaults are the defaults of apps, batch and autoscaling. Source:
// pkg/apis/{apps/v1,batch/v1,autoscaling/v1,autoscaling/v2}.
var workloadDefaults = []step[apiserver.Server]{
	stepFor(func(s apiserver.Server, v *appsv1.Deployment) {
		strategy := &v.Spec.Strategy
		if strategy.Type == "" {
			strategy.Type = appsv1.RollingUpdateDeploymentStrategyType
		}
		if strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
			setTo(&strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
			setTo(&strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
			setTo(&strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
		}
		canonicalNumber(v.Annotations, appsv1.DeprecatedRollbackTo)
	}),
	stepFor(func(s apiserver.Server, v *appsv1.DaemonSet) {
		strategy := &v.Spec.UpdateStrategy
		if strategy.Type == "" {
			strategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
		}
		if strategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
			setTo(&strategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
			setTo(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
			setTo(&strategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
		}
		if canonicalNumber(v.Annotations, appsv1.DeprecatedTemplateGeneration) == "" {
			setLabel(&v.Annotations, appsv1.DeprecatedTemplateGeneration, "0")
		}
	}),
	stepFor(func(s apiserver.Server, v *appsv1.StatefulSet) {
		spec := &v.Spec
		strategy := &spec.UpdateStrategy
		if strategy.Type == "" {
			strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
			setTo(&strategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
		}
		if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && strategy.RollingUpdate != nil {
			setTo(&strategy.RollingUpdate.Partition, 0)
			if s.Enabled("MaxUnavailableStatefulSet") {
				setTo(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
			}
		}
		if s.Minor >= 35 || s.Enabled("StatefulSetAutoDeletePVC") {
			setTo(&spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
			kept := spec.PersistentVolumeClaimRetentionPolicy
			if kept.WhenDeleted == "" {
				kept.WhenDeleted = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
			}
			if kept.WhenScaled == "" {
				kept.WhenScaled = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
			}
		}
		for i := range spec.VolumeClaimTemplates {
			spec.VolumeClaimTemplates[i].APIVersion, spec.VolumeClaimTemplates[i].Kind = "v1", "PersistentVolumeClaim"
		}
	}),
	stepFor(func(s apiserver.Server, v *batchv1.Job) {
		// The Job and its template share one map, as on the server. Labels that
		// the server adds to the template on create appear on the Job, too.
		if len(v.Labels) == 0 && v.Spec.Template.Labels != nil {
			v.Labels = v.Spec.Template.Labels
		}
		defaultJob(s, &v.Spec)
	}),
	stepFor(func(s apiserver.Server, v *batchv1.PodFailurePolicyOnPodConditionsPattern) {
		if v.Status == "" && s.Minor >= 34 { // for earlier minors, defaultJob sets the status
			v.Status = corev1.ConditionTrue
		}
	}),
	stepFor(defaultAutoscaler),
	stepFor(func(s apiserver.Server, v *autoscalingv1.HorizontalPodAutoscaler) { defaultAutoscalerV1(v) }),
}

// canonicalNumber rewrites the number in an annotation in its canonical form, and
// returns it. It removes an annotation that is not a number, and returns "". The
// reason is that the server's internal version has an integer field instead.
func canonicalNumber(annotations map[string]string, key string) string {
	text, ok := annotations[key]
	if !ok {
		return ""
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		delete(annotations, key)
		return ""
	}
	annotations[key] = strconv.FormatInt(n, 10)
	return annotations[key]
}

// defaultJob sets the defaults of a Job. They do not apply to the template of a
// CronJob.
func defaultJob(s apiserver.Server, v *batchv1.JobSpec) {
	if v.Completions == nil && v.Parallelism == nil {
		setTo(&v.Completions, 1)
	}
	setTo(&v.Parallelism, 1)
	if s.Minor >= 28 && v.BackoffLimitPerIndex != nil {
		setTo(&v.BackoffLimit, math.MaxInt32)
	}
	setTo(&v.BackoffLimit, 6)
	setTo(&v.CompletionMode, batchv1.NonIndexedCompletion)
	setTo(&v.Suspend, false)
	if s.Minor >= 37 || s.Minor >= 28 && s.Enabled("JobPodReplacementPolicy") {
		if v.PodFailurePolicy != nil {
			setTo(&v.PodReplacementPolicy, batchv1.Failed)
		}
		setTo(&v.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	}
	if s.Minor >= 29 {
		setTo(&v.ManualSelector, false)
	}
	if s.Minor >= 34 || v.PodFailurePolicy == nil {
		return
	}
	for i := range v.PodFailurePolicy.Rules {
		patterns := v.PodFailurePolicy.Rules[i].OnPodConditions
		for j := range patterns {
			if patterns[j].Status == "" {
				patterns[j].Status = corev1.ConditionTrue
			}
		}
	}
}

// defaultCPU is the target utilization in percent of an autoscaler without
// metrics.
const defaultCPU = 80

func defaultAutoscaler(s apiserver.Server, v *autoscalingv2.HorizontalPodAutoscaler) {
	if len(v.Spec.Metrics) == 0 {
		percent := int32(defaultCPU)
		v.Spec.Metrics = []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent},
			},
		}}
	}
	if v.Spec.Behavior != nil {
		percent := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
		pods := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}
		setTo(&v.Spec.Behavior.ScaleUp, autoscalingv2.HPAScalingRules{})
		setTo(&v.Spec.Behavior.ScaleUp.StabilizationWindowSeconds, 0)
		defaultScaling(v.Spec.Behavior.ScaleUp, pods, percent)
		setTo(&v.Spec.Behavior.ScaleDown, autoscalingv2.HPAScalingRules{})
		defaultScaling(v.Spec.Behavior.ScaleDown, percent)
	}
	withoutAutoscalerAnnotations(v.Annotations)
}

func defaultScaling(v *autoscalingv2.HPAScalingRules, policies ...autoscalingv2.HPAScalingPolicy) {
	setTo(&v.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if v.Policies == nil {
		v.Policies = policies
	}
}

// withoutAutoscalerAnnotations drops the annotations in which autoscaling/v1
// objects keep the fields that only autoscaling/v2 has.
func withoutAutoscalerAnnotations(all map[string]string) {
	for _, name := range [...]string{"metrics", "behavior", "current-metrics", "conditions", "scale-up-tolerance", "scale-down-tolerance"} {
		delete(all, "autoscaling.alpha.kubernetes.io/"+name)
	}
}

// defaultAutoscalerV1 sets the default target utilization if the annotation with
// other metrics is missing. The server decodes that annotation and encodes it
// again; defaultAutoscalerV1 keeps its text.
func defaultAutoscalerV1(v *autoscalingv1.HorizontalPodAutoscaler) {
	if _, others := v.Annotations[autoscalingv1Metrics]; !others {
		setTo(&v.Spec.TargetCPUUtilizationPercentage, defaultCPU)
	}
}

const autoscalingv1Metrics = "autoscaling.alpha.kubernetes.io/metrics"
