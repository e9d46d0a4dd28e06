// Writes testdata/duckdb: one table in every encoding, codec and page version that DuckDB
// has. Run it in a folder where @duckdb/node-api 1.5.6-r.1 is installed:
//
//	npm install @duckdb/node-api@1.5.6-r.1 && node make.mjs OUT
//
// With a second argument, a Parquet file, it prints the rows of that file as JSON lines.
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create()).connect();

async function print(path) {
  const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
  for (const row of reader.getRowObjectsJson()) console.log(JSON.stringify(row));
}

// Row i of 2,100: few and many different numbers and names, and every type that hops reads.
const table = `SELECT
  (i * 7919 % 2100)::BIGINT AS "from", (i % 97)::INTEGER AS "to", (i * i % 1000 / 8)::DOUBLE AS weight,
  (i % 5)::FLOAT AS small, 'name ' || (i % 50) AS name, 'vertex ' || (i * 31) AS long_name,
  (i + 4000000000)::UINTEGER AS big, (i + 18000000000000000000)::UBIGINT AS huge, -i AS negative,
  CASE WHEN i % 1000 = 999 THEN NULL ELSE i END AS missing, [i, i + 1] AS pair, i::DECIMAL(9, 2) AS price
  FROM range(2100) t(i)`;

async function make(out) {
  const write = (name, options) =>
    connection.run(`COPY (${table}) TO '${out}/${name}.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048, ${options})`);
  for (const codec of ['uncompressed', 'snappy', 'zstd', 'gzip']) {
    await write(`v1-${codec}`, `COMPRESSION ${codec}`);
    await write(`v2-${codec}`, `COMPRESSION ${codec}, PARQUET_VERSION v2`);
  }
  await write('delta', 'COMPRESSION zstd, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1');
}

if (process.argv[3]) await print(process.argv[3]);
else await make(process.argv[2]);
