// Answers each SQL statement of the command line with its rows, as JSON, one statement a line.
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
for (const sql of process.argv.slice(2)) {
  const reader = await connection.runAndReadAll(sql);
  process.stdout.write(`${JSON.stringify(reader.getRowObjectsJson())}\n`);
}
