// Questions that most people ask. The SQL is valid in Athena and in DuckDB: only functions that both have, the day of a
// time by its first ten characters, and no alias in GROUP BY.

interface ReadyQuery {
  readonly summary: string;
  readonly sql: string;
}

const day = (column: string): string => `CAST(substr(${column}, 1, 10) AS date)`;

export const readyQueries: Readonly<Record<string, ReadyQuery>> = {
  'success-by-network': {
    summary: 'ports by source network and month of the upload, and how many were ported',
    sql: `SELECT source_network, month, count(*) AS numbers, count_if(outcome = 'complete') AS ported,
  round(100.0 * count_if(outcome = 'complete') / count(*), 1) AS percent
FROM results
WHERE operation = 'create-port'
GROUP BY source_network, month
ORDER BY source_network, month`,
  },
  'days-to-port': {
    summary: 'days from the upload until a number was ported, and how many numbers took as long',
    sql: `SELECT date_diff('day', ${day('uploaded_at')}, ${day('completed_at')}) AS days, count(*) AS numbers
FROM results
WHERE operation = 'create-port' AND outcome = 'complete'
GROUP BY 1
ORDER BY 1`,
  },
  declines: {
    summary: 'the reasons of rows that were declined or cancelled, the most frequent first',
    sql: `SELECT operation, outcome, message, count(*) AS numbers
FROM results
WHERE outcome IN ('declined', 'cancelled') AND message IS NOT NULL
GROUP BY operation, outcome, message
ORDER BY numbers DESC, message
LIMIT 100`,
  },
  'not-ported': {
    summary: 'numbers that no import has ported, with their last result',
    sql: `SELECT number, count(*) AS attempts, max(uploaded_at) AS last_upload,
  max_by(outcome, uploaded_at) AS last_outcome, max_by(coalesce(message, ''), uploaded_at) AS last_message
FROM results
WHERE operation = 'create-port' AND number IS NOT NULL
GROUP BY number
HAVING count_if(outcome = 'complete') = 0
ORDER BY last_upload DESC, number`,
  },
  'daily-counts': {
    summary: 'rows by day of the upload and operation, and how they ended',
    sql: `SELECT ${day('uploaded_at')} AS day, operation, count(*) AS uploaded,
  count_if(outcome IN ('complete', 'accepted')) AS succeeded, count_if(outcome = 'declined') AS declined,
  count_if(outcome = 'cancelled') AS cancelled, count_if(outcome IN ('rejected', 'duplicate')) AS invalid
FROM results
GROUP BY 1, operation
ORDER BY 1, operation`,
  },
};

export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** In batches; a cell is a text as they write it, and null where it has no value. */
  readonly rows: AsyncIterable<readonly (readonly (string | null)[])[]>;
}
