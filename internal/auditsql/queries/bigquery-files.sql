-- Requests to deprecated APIs in a BigQuery table with one event in the column line, as text, in each row.
WITH events AS (
  SELECT
    JSON_VALUE(line, '$.auditID') AS audit_id, JSON_VALUE(line, '$.stage') AS stage, JSON_VALUE(line, '$.verb') AS verb,
    JSON_VALUE(line, '$.requestURI') AS uri, JSON_VALUE(line, '$.stageTimestamp') AS seen,
    IFNULL(JSON_VALUE(line, '$.impersonatedUser.username'), JSON_VALUE(line, '$.user.username')) AS username,
    JSON_VALUE(line, '$.userAgent') AS user_agent,
    IFNULL(JSON_VALUE(line, '$.objectRef.apiGroup'), '') AS api_group, JSON_VALUE(line, '$.objectRef.apiVersion') AS version,
    JSON_VALUE(line, '$.objectRef.resource') AS resource,
    IFNULL(JSON_VALUE(line, "$.annotations['k8s.io/removed-release']"), '') AS removed
  FROM `{{logs}}`
  WHERE line LIKE '%"k8s.io/deprecated":"true"%' AND JSON_VALUE(line, "$.annotations['k8s.io/deprecated']") = 'true'
),
