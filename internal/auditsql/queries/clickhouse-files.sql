-- Requests to deprecated APIs in audit logs as the API server writes them, for ClickHouse.
-- For logs in S3, write s3('https://BUCKET…/*.gz', 'LineAsString') in place of file(…).
WITH events AS (
  SELECT
    JSONExtractString(line, 'auditID') AS audit_id, JSONExtractString(line, 'stage') AS stage, JSONExtractString(line, 'verb') AS verb,
    JSONExtractString(line, 'requestURI') AS uri, JSONExtractString(line, 'stageTimestamp') AS seen,
    if(JSONHas(line, 'impersonatedUser', 'username'), JSONExtractString(line, 'impersonatedUser', 'username'), JSONExtractString(line, 'user', 'username')) AS username,
    JSONExtractString(line, 'userAgent') AS user_agent,
    JSONExtractString(line, 'objectRef', 'apiGroup') AS api_group, JSONExtractString(line, 'objectRef', 'apiVersion') AS version,
    JSONExtractString(line, 'objectRef', 'resource') AS resource, JSONExtractString(line, 'annotations', 'k8s.io/removed-release') AS removed
  FROM file('{{logs}}', 'LineAsString')
  WHERE position(line, '"k8s.io/deprecated":"true"') > 0 AND JSONExtractString(line, 'annotations', 'k8s.io/deprecated') = 'true'
),
