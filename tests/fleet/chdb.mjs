// chdb.mjs: the HTTP interface of ClickHouse, as far as msprof speaks it, over chDB: a current ClickHouse in a process. Usage: node chdb.mjs PORT DIR; the modules
// lie in $MSPROF_NODE/node_modules. A body is the statement, or the rows of the statement in the address.
import { createRequire } from 'module';
import fs from 'fs';
import http from 'http';

const require = createRequire(`${process.env.MSPROF_NODE}/node_modules/`);
const [port, dir] = process.argv.slice(2);
const session = new (require('chdb').Session)(`${dir}/data`);

function run(address, body) {
  const values = new URL(address, 'http://x').searchParams;
  let sql = values.get('query') ?? body.toString();
  for (const [name, value] of values)
    if (!['query', 'database', 'wait_end_of_query'].includes(name)) session.query(`SET ${name} = '${value}'`);
  if (values.get('database')) session.query(`USE ${values.get('database')}`);
  if (values.has('query') && body.length) {
    fs.writeFileSync(`${dir}/rows`, body);
    sql = sql.replace(/ FORMAT (\w+)\s*$/, ` FROM INFILE '${dir}/rows' FORMAT $1`);
  }
  const form = /\bFORMAT\s+(\w+)\s*$/.exec(sql);
  return session.query(sql, form && !values.has('query') ? form[1] : 'TabSeparated') || '';
}

http.createServer((request, response) => {
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    try {
      response.end(request.url === '/ping' ? 'Ok.\n' : run(request.url, Buffer.concat(chunks)));
    } catch (error) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': '1' });
      response.end(`${error.message}\n`);
    }
  });
}).listen(+port, '127.0.0.1');
