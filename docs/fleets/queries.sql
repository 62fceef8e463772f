-- Cost by project and model.
SELECT machine, cwd AS project, model, count(*) AS answers, sum(total_tokens) AS tokens, round(sum(cost), 2) AS cost
FROM read_parquet('lake/usage/*/*/*/*.parquet', hive_partitioning = true)
WHERE NOT inherited
GROUP BY machine, cwd, model
ORDER BY cost DESC, tokens DESC;

-- Tools that fail.
SELECT tool_name, count(*) AS calls, sum(CASE WHEN is_error THEN 1 ELSE 0 END) AS failed,
  round(100.0 * sum(CASE WHEN is_error THEN 1 ELSE 0 END) / count(*), 1) AS percent
FROM read_parquet('lake/entries/*/*/*/*.parquet', hive_partitioning = true)
WHERE role = 'toolResult' AND tool_name IS NOT NULL
GROUP BY tool_name
ORDER BY failed DESC, calls DESC;

-- Sessions that are stuck: the last thing said is an error, a tool's result, or a question without an answer.
SELECT machine, agent, path, role, stop_reason, timestamp
FROM (
  SELECT *, row_number() OVER (PARTITION BY machine, path ORDER BY line DESC) AS back
  FROM read_parquet('lake/entries/*/*/*/*.parquet', hive_partitioning = true)
  WHERE on_path AND role IN ('user', 'assistant', 'toolResult')
) AS last
WHERE back = 1 AND (role <> 'assistant' OR stop_reason IN ('error', 'aborted'))
ORDER BY timestamp DESC;
