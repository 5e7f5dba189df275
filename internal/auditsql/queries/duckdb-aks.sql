-- Requests to deprecated APIs in audit logs that Azure Monitor wrote to a storage account, for DuckDB.
WITH lines AS (
  SELECT properties.log::JSON AS e
  FROM read_json('{{logs}}', format = 'newline_delimited', ignore_errors = true, maximum_object_size = 67108864, columns = {properties: 'STRUCT(log VARCHAR)'})
  WHERE properties.log LIKE '%"k8s.io/deprecated":"true"%'
), events AS (
  SELECT
    e->>'$.auditID' AS audit_id, e->>'$.stage' AS stage, e->>'$.verb' AS verb, e->>'$.requestURI' AS uri, e->>'$.stageTimestamp' AS seen,
    coalesce(e->>'$.impersonatedUser.username', e->>'$.user.username') AS username, e->>'$.userAgent' AS user_agent,
    coalesce(e->>'$.objectRef.apiGroup', '') AS api_group, e->>'$.objectRef.apiVersion' AS version, e->>'$.objectRef.resource' AS resource,
    coalesce(e->>'$.annotations."k8s.io/removed-release"', '') AS removed
  FROM lines
  WHERE e->>'$.annotations."k8s.io/deprecated"' = 'true'
),
