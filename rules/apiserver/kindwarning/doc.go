// Package kindwarning predicts the warnings of a kube-apiserver about built-in
// kinds without a pod template, and about the owner references of every object.
// Package podwarning has the kinds with pod templates.
//
// Source: these files, in k8s.io/kubernetes unless another module is named, of
// every release from 1.19.16 to 1.37.1.
//
//	pkg/api/service/warnings.go, pkg/registry/core/service           Service
//	pkg/registry/core/{node,secret,serviceaccount,resourcequota,endpoint}/strategy.go
//	pkg/api/persistentvolume/util.go                                 PersistentVolume
//	pkg/api/persistentvolumeclaim/util.go                            PersistentVolumeClaim
//	pkg/api/storage/util.go, pkg/registry/storage/csidriver          StorageClass, CSIStorageCapacity, CSIDriver
//	pkg/api/node/util.go                                             RuntimeClass
//	pkg/registry/discovery/endpointslice/strategy.go                 EndpointSlice
//	pkg/registry/networking/{ingress,networkpolicy}/strategy.go      Ingress, NetworkPolicy
//	pkg/registry/resource/resourceslice/strategy.go                  ResourceSlice
//	pkg/registry/admissionregistration/*/strategy.go                 admission policies and webhook configurations
//	pkg/registry/customresourcedefinition/strategy.go of apiextensions-apiserver
//	pkg/endpoints/handlers/rest.go of apiserver                      owner references
//
// New warnings by release:
//
//	1.20  owner references
//	1.22  Node
//	1.25  PersistentVolume, StorageClass, CSIStorageCapacity, RuntimeClass: node labels
//	1.26  PersistentVolumeClaim: fractions of bytes
//	1.27  Service, Secret, Ingress, EndpointSlice; Node's externalID
//	1.28  PersistentVolume: annotation, volume plugins; PersistentVolumeClaim:
//	      annotation; Service: fields that the type ignores
//	1.30  PersistentVolume: Recycle
//	1.31  PersistentVolume: annotation of mount options; more node labels
//	1.32  ServiceAccount
//	1.33  addresses in Endpoints, EndpointSlice, NetworkPolicy, Node; another text
//	      about addresses of a Service
//	1.34  Service: headless; CustomResourceDefinition: formats of strings
//	1.35  Service: PreferClose; CSIDriver, ResourceQuota, ResourceSlice
//	1.36  Service: externalIPs; names that end with .static.k8s.io;
//	      CustomResourceDefinition: formats of all types
//	1.37  webhook rules without effect; CustomResourceDefinition: sets of objects
//
// The warnings have the server's order, with one exception: the server iterates
// over the maps nodeSelector and matchLabels and over the properties of a schema
// in random order. Here they have the order of the document.
package kindwarning
