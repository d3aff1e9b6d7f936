// engines.mjs: reads a lake with an engine: duckdb or clickhouse. Usage: node engines.mjs ENGINE LAKE TABLE...; the modules lie in $MSPROF_NODE/node_modules.
// Prints an object TABLE -> {types, rows}, numbers as texts: none loses a digit.
import { createRequire } from 'module';
import fs from 'fs';

const require = createRequire(`${process.env.MSPROF_NODE}/node_modules/`);
const [engine, lake, ...tables] = process.argv.slice(2);
const texts = fs.readFileSync(`${lake}/${engine}.sql`, 'utf8').replace(/^--.*$/gm, '').split(/;\n/).map(text => text.trim()).filter(text => text);

async function duckdb() {
  const { DuckDBInstance } = require('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const text of texts) await connection.run(text);
  const ask = async sql => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const answers = {};
  for (const table of tables)
    answers[table] = {
      types: Object.fromEntries((await ask(`DESCRIBE "${table}"`)).map(row => [row.column_name, row.column_type])),
      rows: await ask(`SELECT * FROM "${table}"`) };
  return answers;
}

function clickhouse() {
  const { Session } = require('chdb');
  const session = new Session();
  for (const text of texts) session.query(text);
  const ask = sql => session.query(`${sql} SETTINGS output_format_json_quote_64bit_integers = 1`, 'JSONEachRow').split('\n').filter(line => line).map(line => JSON.parse(line));
  const answers = {};
  for (const table of tables)
    answers[table] = {
      types: Object.fromEntries(ask(`DESCRIBE TABLE lake.${table}`).map(row => [row.name, row.type])),
      rows: ask(`SELECT * FROM lake.${table}`) };
  session.cleanup();
  return answers;
}

const answers = engine === 'duckdb' ? await duckdb() : clickhouse();
process.stdout.write(JSON.stringify(answers, (key, value) => typeof value === 'bigint' ? `${value}` : value), () => process.exit(0));
