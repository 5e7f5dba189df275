// Texts to start from, by what they show.
export const examples = {
  "Removed API versions": {
    target: "1.25",
    text: `# Move the slider: releases before 1.22 serve both versions.
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: shop
spec:
  rules:
  - host: shop.example.com
    http:
      paths:
      - path: /
        backend:
          serviceName: shop
          servicePort: 80
---
apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: report
spec:
  schedule: "0 6 * * 1"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
          - name: report
            image: registry.example.com/report:2
`,
  },
  "Mistakes in a Deployment": {
    target: "1.37",
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: Web
spec:
  replica: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: website
    spec:
      containers:
      - name: web
        image: registry.example.com/web:1
        imagePullPolicy: always
        ports:
        - containerPort: 80800
        env:
        - name: MODE
          value: fast
        - name: MODE
          value: safe
`,
  },
  "Sleep before a container stops": {
    target: "1.32",
    text: `# Each of these releases has another answer. Set the feature gate
# PodLifecycleSleepActionAllowZero=true, which the error of 1.32 misspells.
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  terminationGracePeriodSeconds: 10
  containers:
  - name: web
    image: registry.example.com/web:1
    lifecycle:
      preStop:
        sleep:
          seconds: 0
`,
  },
  "Custom resource with rules": {
    target: "1.33",
    text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: caches.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Cache
    listKind: CacheList
    plural: caches
    singular: cache
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: self.min <= self.max
              message: min must not exceed max
            properties:
              min:
                type: integer
              max:
                type: integer
                maximum: 10
---
apiVersion: example.com/v1
kind: Cache
metadata:
  name: images
spec:
  min: 9
  max: 8
  size: 3
`,
  },
  "Pod security": {
    target: "1.33",
    text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    pod-security.kubernetes.io/enforce: restricted
---
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  hostNetwork: true
  containers:
  - name: web
    image: registry.example.com/web:1
    securityContext:
      privileged: true
`,
  },
};
