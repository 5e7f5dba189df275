-- Requests to deprecated APIs in audit logs that Cloud Logging wrote to Cloud Storage, for DuckDB.
-- A resource name is GROUP/VERSION/…/RESOURCE[/NAME]; the method io.k8s.…RESOURCE.VERB names the resource.
WITH events AS (
  SELECT
    insertId AS audit_id, 'ResponseComplete' AS stage, split_part(protoPayload.methodName, '.', -1) AS verb,
    protoPayload.resourceName AS uri, "timestamp" AS seen,
    protoPayload.authenticationInfo.principalEmail AS username, protoPayload.requestMetadata.callerSuppliedUserAgent AS user_agent,
    CASE split_part(protoPayload.resourceName, '/', 1) WHEN 'core' THEN '' ELSE split_part(protoPayload.resourceName, '/', 1) END AS api_group,
    split_part(protoPayload.resourceName, '/', 2) AS version, split_part(protoPayload.methodName, '.', -2) AS resource,
    coalesce(element_at(labels, 'k8s.io/removed-release')[1], '') AS removed
  FROM read_json('{{logs}}', format = 'newline_delimited', ignore_errors = true, maximum_object_size = 67108864, columns = {
    insertId: 'VARCHAR', "timestamp": 'VARCHAR', labels: 'MAP(VARCHAR, VARCHAR)',
    protoPayload: 'STRUCT(methodName VARCHAR, resourceName VARCHAR, authenticationInfo STRUCT(principalEmail VARCHAR), requestMetadata STRUCT(callerSuppliedUserAgent VARCHAR))'
  })
  WHERE element_at(labels, 'k8s.io/deprecated')[1] = 'true'
),
