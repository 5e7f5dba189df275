-- Requests to deprecated APIs in audit logs that CloudWatch exported to S3, for DuckDB.
WITH lines AS (
  SELECT line[strpos(line, '{'):]::JSON AS e
  FROM read_csv('{{logs}}', header = false, auto_detect = false, delim = '\x01', quote = '', escape = '', max_line_size = 67108864, columns = {line: 'VARCHAR'})
  WHERE line LIKE '%"k8s.io/deprecated":"true"%'
), events AS (
  SELECT
    e->>'$.auditID' AS audit_id, e->>'$.stage' AS stage, e->>'$.verb' AS verb, e->>'$.requestURI' AS uri, e->>'$.stageTimestamp' AS seen,
    coalesce(e->>'$.impersonatedUser.username', e->>'$.user.username') AS username, e->>'$.userAgent' AS user_agent,
    coalesce(e->>'$.objectRef.apiGroup', '') AS api_group, e->>'$.objectRef.apiVersion' AS version, e->>'$.objectRef.resource' AS resource,
    coalesce(e->>'$.annotations."k8s.io/removed-release"', '') AS removed
  FROM lines
  WHERE e->>'$.annotations."k8s.io/deprecated"' = 'true'
),
