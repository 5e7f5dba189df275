-- Requests to deprecated APIs in logs that CloudWatch exported to S3, for Athena: a table with one column, line, over the files.
--   CREATE EXTERNAL TABLE … (line string) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\001' LOCATION 's3://…'
WITH events AS (
  SELECT
    json_extract_scalar(line, '$.auditID') AS audit_id, json_extract_scalar(line, '$.stage') AS stage, json_extract_scalar(line, '$.verb') AS verb,
    json_extract_scalar(line, '$.requestURI') AS uri, json_extract_scalar(line, '$.stageTimestamp') AS seen,
    coalesce(json_extract_scalar(line, '$.impersonatedUser.username'), json_extract_scalar(line, '$.user.username')) AS username,
    json_extract_scalar(line, '$.userAgent') AS user_agent,
    coalesce(json_extract_scalar(line, '$.objectRef.apiGroup'), '') AS api_group, json_extract_scalar(line, '$.objectRef.apiVersion') AS version,
    json_extract_scalar(line, '$.objectRef.resource') AS resource,
    coalesce(json_extract_scalar(line, '$.annotations["k8s.io/removed-release"]'), '') AS removed
  FROM (SELECT substr(line, strpos(line, '{')) AS line FROM {{logs}}) AS raw
  WHERE line LIKE '%"k8s.io/deprecated":"true"%' AND json_extract_scalar(line, '$.annotations["k8s.io/deprecated"]') = 'true'
),
