// client.mjs: a client of `msprof mcp` with the protocol's own SDKs: what they refuse is wrong.
// Usage: node client.mjs legacy|modern MSPROF ROOT; prints nothing but what is wrong, and the number of calls.
import assert from 'node:assert/strict';

const [era, msprof, root] = process.argv.slice(2);
const modern = era === 'modern';
const { Client } = await import(modern ? '@modelcontextprotocol/client' : '@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await import(
	modern ? '@modelcontextprotocol/client/stdio' : '@modelcontextprotocol/sdk/client/stdio.js');
const client = new Client({ name: 'check', version: '1' }, modern ? { versionNegotiation: { mode: 'auto' } } : {});
let calls = 0;

// The SDK checks the result against the tool's outputSchema.
async function call(name, args, options) {
	calls++;
	const result = await (modern ? client.callTool({ name, arguments: args }, options)
		: client.callTool({ name, arguments: args }, undefined, options));
	assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
	return result;
}

await client.connect(new StdioClientTransport({ command: msprof, args: ['mcp', root] }));
assert.equal(client.getServerVersion().name, 'msprof');
if (modern)
	assert.equal(client.getNegotiatedProtocolVersion?.() ?? '2026-07-28', '2026-07-28');
else
	await client.ping();
const tools = (await client.listTools()).tools;
assert.equal(tools.length, 8);
assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
for (const resource of (await client.listResources()).resources)
	assert.equal(Buffer.byteLength((await client.readResource({ uri: resource.uri })).contents[0].text), resource.size);
assert.equal((await client.listPrompts()).prompts.length, 2);
assert.match((await client.getPrompt({ name: 'did_it_get_slower', arguments: { base: 'a', new: 'b' } })).messages[0].content.text, /"b"/);
const [job, other] = (await call('list', {})).structuredContent.document.jobs.map(row => row.job);
for (const [name, args] of Object.entries({ models: {}, check: {}, show: { limit: 2 }, advise: {}, query: { sql: 'SELECT 1 AS a' }, timeline: { to: '1ms' } })) {
	const result = await call(name, { job, ...args });
	assert.ok(!result.isError && result.structuredContent.document, name);
}
assert.equal((await call('diff', { base: job, new: other })).structuredContent.document.schema, 'msprof.diff/1');
assert.ok((await call('show', { job: '..' })).isError);
await assert.rejects(client.callTool({ name: 'nosuch', arguments: {} }), error => error.code === -32602);
await assert.rejects(client.readResource({ uri: 'msprof://nosuch' }), error => error.code === (modern ? -32602 : -32002));
const many = await Promise.all(Array.from({ length: 20 }, () => call('advise', { job, limit: 1 })));
assert.ok(many.every(result => !result.isError));
const abort = new AbortController();
setTimeout(() => abort.abort('enough'), 200);
await assert.rejects(call('query', { job, sql: 'WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a' },
	{ signal: abort.signal }));
assert.ok(!(await call('check', { job })).isError);
await client.close();
console.log(`${era}: ${calls} calls`);
