package validation

import (
	"strconv"
	"strings"
)

// projected checks a projected volume. Source: validateProjectedVolumeSource and
// validateProjectionSources.
func (v *validator) projected(n, _ node) {
	v.mode(n.get("defaultMode"))
	v.user(n.get("defaultUser"))
	paths := newNames(0)
	checkUnique := func(path, blamed string) {
		if !paths.add(path) {
			v.invalidString(n, blamed, []string{"conflicting duplicate paths"})
		}
	}
	for _, s := range n.get("sources").items {
		sources := 0
		for _, field := range []string{"secret", "configMap"} {
			from := s.get(field)
			if !from.isSet() {
				continue
			}
			sources++
			v.needAll(from, "name")
			for _, item := range from.get("items").items {
				v.keyToPath(item)
				if path := item.str("path"); path != "" {
					checkUnique(path, from.str("name"))
				}
			}
		}
		if from := s.get("downwardAPI"); from.isSet() {
			sources++
			for _, item := range from.get("items").items {
				v.downwardFile(item.withPath(from.p))
				if path := item.str("path"); path != "" {
					checkUnique(path, path)
				}
			}
		}
		if from := s.get("serviceAccountToken"); from.isSet() {
			sources++
			v.tokenProjection(n, from)
		}
		if from := v.trustBundleSource(s); from.isSet() {
			sources++
			v.trustBundle(from)
			checkUnique(from.str("path"), from.str("path"))
		}
		if from := v.gated("PodCertificateRequest", s.get("podCertificate")); from.isSet() {
			sources++
			v.podCertificate(from, checkUnique)
		}
		if sources > 1 {
			detail := "may not specify more than 1 volume type"
			if v.minor >= 31 {
				detail += " per source"
			}
			v.forbidden(s, detail)
		}
	}
}

// tokenProjection checks the path and the expiration of a token. The default
// expiration is an hour.
func (v *validator) tokenProjection(n, from node) {
	if i, ok := from.get("expirationSeconds").number(); ok {
		if i < 600 {
			v.invalid(from.get("expirationSeconds"), itoa(i), "may not specify a duration less than 10 minutes")
		}
		if i > 1<<32 {
			v.invalid(from.get("expirationSeconds"), itoa(i), "may not specify a duration larger than 2^32 seconds")
		}
	}
	path := from.get("path").withPath(n.p.child("path"))
	if path.text() == "" {
		v.required(path, "")
	} else if v.minor >= 30 {
		v.unreservedPath(path)
	}
	v.user(from.get("user"))
}

// trustBundleSource returns the clusterTrustBundle of a source. In 1.29 and 1.30
// its path has another name.
func (v *validator) trustBundleSource(s node) node {
	name := "clusterTrustBundle"
	if v.minor < 31 {
		name = "clusterTrustBundlePEM"
	}
	return v.gated("ClusterTrustBundleProjection", s.field("clusterTrustBundle", name))
}

func (v *validator) trustBundle(n node) {
	name, signer, selector := n.get("name"), n.get("signerName"), n.get("labelSelector")
	switch {
	case name.isSet() && signer.isSet():
		v.invalid(n, v.dump("core.ClusterTrustBundleProjection{…}", n.v), "only one of name and signerName may be used")
		v.inexact()
	case name.isSet():
		if name.text() == "" {
			v.required(name, "must be a valid object name")
		}
		v.trustBundleName(name)
		if selector.isSet() {
			v.invalid(selector, v.selector(selector), "labelSelector must be unset if name is specified")
		}
	case signer.isSet():
		if signer.text() == "" {
			v.required(signer, "must be a valid signer name")
		}
		v.signerName(signer)
		v.labelSelector(selector)
	default:
		v.required(n, "either name or signerName must be specified")
	}
	v.needAll(n, "path")
	v.user(n.get("user"))
	v.unreservedPath(n.get("path"))
}

// trustBundleName checks the name of a ClusterTrustBundle. Source:
// ValidateClusterTrustBundleName.
func (v *validator) trustBundleName(name node) {
	refuse := func(messages []string) {
		for _, m := range messages {
			v.invalidString(name, name.text(), []string{"not a valid clustertrustbundlename: " + m})
		}
	}
	last := strings.LastIndexByte(name.text(), ':')
	if last < 0 {
		refuse(subdomainErrors(v.minor, name.text()))
		return
	}
	refuse(subdomainErrors(v.minor, name.text()[last+1:]))
}

// signerName checks the name of a signer. Source: ValidateSignerName.
func (v *validator) signerName(n node) {
	name := n.text()
	if name == "" {
		v.required(n, "")
		return
	}
	domain, path, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(path, "/") {
		v.invalidString(n, name, []string{"must be a fully qualified domain and path of the form 'example.com/signer-name'"})
		return
	}
	if len(domain) > 253 {
		v.tooLong(n, 253)
	}
	parts := func(whole string, check nameRule) {
		for part := range strings.SplitSeq(whole, ".") {
			if errs := check(v.minor, part); len(errs) > 0 {
				for _, m := range errs {
					v.invalidString(n, whole, []string{"validating label " + strconv.Quote(part) + ": " + m})
				}
				return
			}
		}
	}
	parts(domain, labelErrors)
	if !strings.Contains(domain, ".") {
		v.invalidString(n, domain, []string{"should be a domain with at least two segments separated by dots"})
	}
	parts(path, subdomainErrors)
}

// podCertificate checks a podCertificate source (since 1.34).
func (v *validator) podCertificate(n node, checkUnique func(path, blamed string)) {
	v.signerName(n.get("signerName"))
	if v.minor >= 35 {
		v.annotations(n.get("userAnnotations"))
	}
	v.user(n.get("user"))
	key := n.get("keyType")
	kinds := []string{"RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"}
	isKnown := false
	for _, k := range kinds {
		isKnown = isKnown || k == key.text()
	}
	if !isKnown {
		v.unsupported(key, strconv.Quote(key.text()), kinds...)
	}
	if i, ok := n.get("maxExpirationSeconds").number(); ok {
		limit := int64(91 * 24 * 3600)
		if domain, _, _ := strings.Cut(n.str("signerName"), "/"); domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io") {
			limit = 24 * 3600
		}
		if i < 3600 {
			v.invalid(n.get("maxExpirationSeconds"), itoa(i), "if provided, maxExpirationSeconds must be >= 3600")
		}
		if i > limit {
			v.invalid(n.get("maxExpirationSeconds"), itoa(i), "if provided, maxExpirationSeconds must be <= "+itoa(limit))
		}
	}
	pathCount := 0
	for _, field := range []string{"credentialBundlePath", "keyPath", "certificateChainPath"} {
		if path := n.get(field); path.text() != "" {
			pathCount++
			v.unreservedPath(path)
			checkUnique(path.text(), path.text())
		}
	}
	if pathCount == 0 {
		v.required(n, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath")
	}
}
