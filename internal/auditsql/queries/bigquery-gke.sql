-- Requests to deprecated APIs in the audit logs that a log sink of Cloud Logging writes to BigQuery.
-- The table is DATASET.cloudaudit_googleapis_com_activity or …_data_access, or both by a wildcard.
WITH events AS (
  SELECT
    insertId AS audit_id, 'ResponseComplete' AS stage, ARRAY_REVERSE(SPLIT(protopayload_auditlog.methodName, '.'))[SAFE_OFFSET(0)] AS verb,
    protopayload_auditlog.resourceName AS uri, CAST(timestamp AS STRING) AS seen,
    protopayload_auditlog.authenticationInfo.principalEmail AS username,
    protopayload_auditlog.requestMetadata.callerSuppliedUserAgent AS user_agent,
    IF(SPLIT(protopayload_auditlog.resourceName, '/')[SAFE_OFFSET(0)] = 'core', '', SPLIT(protopayload_auditlog.resourceName, '/')[SAFE_OFFSET(0)]) AS api_group,
    SPLIT(protopayload_auditlog.resourceName, '/')[SAFE_OFFSET(1)] AS version,
    ARRAY_REVERSE(SPLIT(protopayload_auditlog.methodName, '.'))[SAFE_OFFSET(1)] AS resource,
    IFNULL((SELECT value FROM UNNEST(labels) WHERE key = 'k8s.io/removed-release'), '') AS removed
  FROM `{{logs}}`
  WHERE EXISTS (SELECT 1 FROM UNNEST(labels) WHERE key = 'k8s.io/deprecated' AND value = 'true')
),
