package forcenonapply

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// The fix also removes the import.
func orphan(ctx context.Context, cs kubernetes.Interface, name string, data []byte) {
	cs.CoreV1().Pods("default").Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{Force: ptr.To(true)}) // want `force on a merge patch`
}
