package synth

// These are the words of the manifests. A change of their order changes all generated
// files.
var (
	services = []string{
		"checkout", "basket", "catalog", "payments", "ledger", "billing", "invoices", "search", "ranking", "profiles",
		"sessions", "gateway", "edge", "mailer", "notifier", "scheduler", "ingest", "exporter", "reports", "metering",
		"quota", "thumbnails", "uploads", "cdn-purger", "feature-flags", "audit-trail", "geocoder", "pricing", "stock", "returns",
	}
	roles      = []string{"api", "worker", "web", "cache", "db", "proxy", "controller", "agent", "migrator", "relay"}
	teams      = []string{"storefront", "logistics", "finance", "platform", "identity", "growth", "insight", "media"}
	namespaces = []string{
		"shop", "shop-staging", "payments", "platform", "observability", "ingress", "batch-jobs", "identity", "data", "default",
	}
	stages     = []string{"production", "staging", "development", "canary"}
	registries = []string{"registry.example.com", "ghcr.example.org/acme", "images.example.net:5000", "docker.io/library"}
	domains    = []string{"example.com", "example.org", "shop.example.net", "internal.example.com", "eu.example.net"}
	secretKeys = []string{"username", "password", "token", "api-key", "client-secret", "dsn", "private-key", "session-secret"}
	resources  = []string{
		"pods", "services", "configmaps", "secrets", "deployments", "statefulsets", "jobs", "cronjobs", "ingresses",
		"events", "leases", "endpoints", "nodes", "namespaces", "persistentvolumeclaims", "networkpolicies",
	}
	verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete"}

	// variables has environment variables with suitable values.
	variables = [][2]string{
		{"LOG_LEVEL", "info"}, {"LOG_FORMAT", "json"}, {"PORT", "8080"}, {"GOMEMLIMIT", "400MiB"},
		{"HTTP_TIMEOUT", "15s"}, {"RETRY_MAX", "5"}, {"CACHE_TTL", "600"}, {"ENABLE_TRACING", "true"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.observability.svc:4317"},
		{"DATABASE_HOST", "primary.data.svc.cluster.local"}, {"DATABASE_PORT", "5432"}, {"DATABASE_SSLMODE", "verify-full"},
		{"KAFKA_BROKERS", "kafka-0.kafka:9092,kafka-1.kafka:9092"}, {"REDIS_URL", "redis://cache.data.svc:6379/2"},
		{"FEATURE_NEW_PRICES", "no"}, {"TZ", "Europe/Berlin"}, {"JAVA_OPTS", "-Xms256m -Xmx512m -XX:+UseG1GC"},
		{"WORKERS", "4"}, {"QUEUE_NAME", "orders.incoming"}, {"GREETING", "it's: a \"quoted\" value # not a comment"},
		{"ALLOWED_ORIGINS", "*"}, {"SHARD_COUNT", "016"}, {"VERSION", "1.10"}, {"EMPTY_MEANS_OFF", ""},
	}

	// annotations has annotations that tools and people write.
	annotations = [][2]string{
		{"example.com/owner", "team reachable under #shop-oncall, runbook in the handbook"},
		{"example.com/runbook", "https://handbook.example.com/runbooks/latency-and-errors?section=first-steps"},
		{"example.com/description", "Answers the public traffic of the shop and hands orders to the ledger; see the architecture page before scaling it down."},
		{"prometheus.io/scrape", "true"}, {"prometheus.io/port", "9090"}, {"prometheus.io/path", "/metrics"},
		{"meta.helm.sh/release-name", "shop"}, {"meta.helm.sh/release-namespace", "shop"},
		{"reloader.example.com/auto", "true"},
		{"example.com/cost-centre", "4711"},
		{"example.com/data-classification", "internal: no personal data"},
		{"example.com/reviewed", "2026-03-14"},
		{"argocd.argoproj.io/sync-wave", "-5"},
		{"argocd.argoproj.io/sync-options", "Prune=false,ServerSideApply=true"},
		{"kustomize.toolkit.fluxcd.io/reconcile", "enabled"},
		{"example.com/change-ticket", "CHG-20260314-0098 (approved by the platform board, roll back with the previous tag)"},
		{"example.com/escalation", "storefront-primary, storefront-secondary, platform-primary, head-of-engineering"},
		{"example.com/slo", "99.9% of requests under 300ms, measured at the edge over 28 days"},
		{"backup.example.com/policy", "daily at 02:30, kept for 35 days, restored to staging every month"},
		{"example.com/source", "https://git.example.com/shop/deploy/-/blob/main/environments/production/base/README.md"},
	}

	remarks = []string{
		"keep in step with the staging overlay",
		"managed by hand until the migration is over",
		"see the runbook before changing this",
		"measured in load tests, not guessed",
		"apiVersion: policy/v1beta1 was used here until the upgrade",
		"do not sort: order matters to the proxy",
		"raise together with the limit: below it the process is killed",
		"ask in #platform",
	}

	licence = []string{
		"Copyright the authors of the shop's deployment files.",
		"",
		"Licensed under the Apache License, Version 2.0 (the \"License\");",
		"you may not use this file except in compliance with the License.",
		"You may obtain a copy of the License at",
		"",
		"    http://www.apache.org/licenses/LICENSE-2.0",
		"",
		"Unless required by applicable law or agreed to in writing, software",
		"distributed under the License is distributed on an \"AS IS\" BASIS,",
		"WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.",
	}

	// snippets has values of ConfigMaps. The second snippet is a manifest in a string,
	// which is not counted as an object.
	snippets = [][]string{
		{
			"server {", "  listen 8080;", "  server_name _;", "", "  location /healthz {", "    return 200 \"ok\\n\";", "  }",
			"  location / {", "    proxy_pass http://127.0.0.1:3000;", "    proxy_set_header Host $host;", "    proxy_read_timeout 30s;", "  }", "}",
		},
		{
			"apiVersion: policy/v1beta1", "kind: PodDisruptionBudget", "metadata:", "  name: embedded", "spec:",
			"  minAvailable: 1", "  selector:", "    matchLabels:", "      app: embedded",
		},
		{
			"#!/bin/sh", "set -eu", "", "for host in $(cat /etc/hosts.list); do", "  echo \"checking $host\"",
			"  wget -q -O /dev/null \"http://$host/healthz\" || exit 1", "done",
		},
		{
			"logging:", "  level: INFO", "  appenders:", "  - type: console", "    layout: json", "server:", "  port: 8080",
			"  gracefulShutdown: 20s", "database:", "  maxPoolSize: 32", "  idleTimeout: 10m", "features:", "  newPrices: false",
		},
		{
			"[mysqld]", "skip-name-resolve", "max_connections = 400", "innodb_buffer_pool_size = 512M",
			"innodb_flush_log_at_trx_commit = 2", "slow_query_log = 1", "long_query_time = 0.5",
		},
		{
			"{", "  \"datasource\": \"prometheus\",", "  \"refresh\": \"30s\",", "  \"panels\": [",
			"    {\"title\": \"requests\", \"expr\": \"sum(rate(http_requests_total[5m]))\"},",
			"    {\"title\": \"errors\", \"expr\": \"sum(rate(http_requests_total{code=~\\\"5..\\\"}[5m]))\"}", "  ]", "}",
		},
	}
)
