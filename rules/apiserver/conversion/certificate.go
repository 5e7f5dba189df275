package conversion

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// signingRequest converts a CertificateSigningRequest to v1, which requires a
// signer and usages. Source: k8s.io/kubernetes
// pkg/apis/certificates/v1beta1/defaults.go (1.18–1.21).
func signingRequest(d *draft, _ destination) {
	spec := Fields("spec")
	switch v := d.value(spec.Field("signerName")); {
	case v.IsNull():
		d.manual("Write spec.signerName: v1 does not guess it. kubernetes.io/kube-apiserver-client is for clients of the API server, kubernetes.io/kube-apiserver-client-kubelet and kubernetes.io/kubelet-serving are for kubelets; where v1beta1 saw neither kubelet, it used kubernetes.io/legacy-unknown, which v1 refuses.")
	case v.Text == "kubernetes.io/legacy-unknown":
		d.manual("Choose another spec.signerName: v1 refuses kubernetes.io/legacy-unknown.")
	}
	if v := d.value(spec.Field("usages")); v.IsNull() {
		d.set(spec.Field("usages"), list(text("digital signature"), text("key encipherment")), "")
	} else if v.Kind == wire.List && len(v.Items) == 0 {
		d.manual("Write spec.usages: v1 refuses an empty list.")
	}
}

// podCertificateRequest converts a PodCertificateRequest to a version without
// pkixPublicKey and proofOfPossession.
func podCertificateRequest(d *draft, to destination) {
	spec := Fields("spec")
	if !isEmpty(d.value(spec.Field("pkixPublicKey"))) || !isEmpty(d.value(spec.Field("proofOfPossession"))) {
		d.manual("Requests for pod certificates are written by kubelets; %s carries the key in stubPKCS10Request, signed by the key's holder, and has no pkixPublicKey and proofOfPossession. Delete the object from the files.", to.apiVersion)
		return
	}
	d.remove(spec.Field("pkixPublicKey"))
	d.remove(spec.Field("proofOfPossession"))
}
