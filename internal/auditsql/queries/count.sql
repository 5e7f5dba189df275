-- A request that has ended counts by its end, one that has not by its beginning.
complete AS (
  SELECT audit_id, verb, uri, seen, username, user_agent, api_group, version, resource, max(removed) AS removed
  FROM events
  WHERE stage = 'ResponseComplete'
  GROUP BY audit_id, verb, uri, seen, username, user_agent, api_group, version, resource
),
begun AS (
  SELECT e.audit_id, e.verb, e.uri, min(e.seen) AS seen, e.username, e.user_agent, e.api_group, e.version, e.resource, max(e.removed) AS removed
  FROM events AS e
  LEFT JOIN complete AS c ON c.audit_id = e.audit_id AND c.verb = e.verb AND c.uri = e.uri
  WHERE e.stage IN ('ResponseStarted', 'Panic') AND {{absent}}
  GROUP BY e.audit_id, e.verb, e.uri, e.username, e.user_agent, e.api_group, e.version, e.resource
),
requests AS (
  SELECT removed, api_group, version, resource, username, user_agent, seen FROM complete
  UNION ALL
  SELECT removed, api_group, version, resource, username, user_agent, seen FROM begun
)
SELECT
  removed AS removed_release,
  CASE WHEN api_group = '' THEN concat(version, ' ', resource) ELSE concat(api_group, '/', version, ' ', resource) END AS api,
  username, user_agent, count(*) AS requests, min(seen) AS first_seen, max(seen) AS last_seen
FROM requests
GROUP BY removed, api_group, version, resource, username, user_agent
ORDER BY requests DESC, removed_release, api, username, user_agent{{end}}
