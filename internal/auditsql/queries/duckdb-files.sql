-- Requests to deprecated APIs in audit logs as the API server writes them, for DuckDB.
WITH events AS (
  SELECT
    auditID AS audit_id, stage, verb, requestURI AS uri, stageTimestamp AS seen,
    coalesce(impersonatedUser.username, "user".username) AS username, userAgent AS user_agent,
    coalesce(objectRef.apiGroup, '') AS api_group, objectRef.apiVersion AS version, objectRef.resource AS resource,
    coalesce(element_at(annotations, 'k8s.io/removed-release')[1], '') AS removed
  FROM read_json('{{logs}}', format = 'newline_delimited', ignore_errors = true, maximum_object_size = 67108864, columns = {
    auditID: 'VARCHAR', stage: 'VARCHAR', verb: 'VARCHAR', requestURI: 'VARCHAR', stageTimestamp: 'VARCHAR',
    "user": 'STRUCT(username VARCHAR)', impersonatedUser: 'STRUCT(username VARCHAR)', userAgent: 'VARCHAR',
    objectRef: 'STRUCT(resource VARCHAR, apiGroup VARCHAR, apiVersion VARCHAR)', annotations: 'MAP(VARCHAR, VARCHAR)'
  })
  WHERE element_at(annotations, 'k8s.io/deprecated')[1] = 'true'
),
