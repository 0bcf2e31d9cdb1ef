// Tries the command line for Windows: paths, exit codes, a model on loopback, two programs on one shop, programs that
// are killed while they write. DRIVE is where the drive C: lies. Usage: wine.mjs COMMAND... (it starts the program)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [wine, ...program] = process.argv.slice(2);
const shop = 'C:\\Läden\\Müller & Töchter\\shop';
const onDisk = (path) => join(process.env.DRIVE, ...path.slice(3).split('\\'));

/** Runs the program with some input to its end. */
function run(args, input = '') {
  const child = spawn(wine, [...program, ...args]);
  let out = '';
  let errors = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (errors += data));
  child.stdin.on('error', () => {}); // it ended without reading all
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, errors })));
}
async function ok(args, input) {
  const { code, out, errors } = await run(args, input);
  assert.equal(code, 0, `${args.join(' ')}: ${out}${errors}`);
  return out;
}
const at = (folder, ...args) => ok(['--data', folder, '--json', ...args]);
const invoke = async (folder, name, args) => JSON.parse(await at(folder, 'invoke', name, JSON.stringify(args))).data;
const verified = async (folder = shop) => assert.equal(JSON.parse(await at(folder, 'audit', 'verify')).ok, true);

const tries = [];
const test = (name, does) => tries.push([name, does]);

test('a shop is made in a folder with umlauts, blanks and an &', async () => {
  await ok(['--data', shop, 'init', '--sample']);
  assert.ok(existsSync(onDisk(`${shop}\\shop.db`)));
  await verified();
});

test('exit codes: 0 done, 1 refused, 2 not understood', async () => {
  assert.equal((await run(['--data', shop, 'invoke', 'cart.getSummary', '{}'])).code, 0);
  assert.equal((await run(['--data', shop, 'invoke', 'order.get', '{"orderId":"#W0"}'])).code, 1);
  assert.equal((await run(['--data', shop, 'init', '--sample'])).code, 1);
  assert.equal((await run(['--data', shop, 'no-such-command'])).code, 2);
});

test('slashes are taken as backslashes', async () => {
  assert.ok((await invoke(shop.replaceAll('\\', '/'), 'order.search', { limit: 1 })).orders.length);
});

test('a path of more than 260 letters', async () => {
  const long = `C:\\${Array(12).fill('a folder with a long name').join('\\')}\\shop`;
  await ok(['--data', long, 'init', '--empty']);
  await verified(long);
});

test('a file is written where it is said, and beside the shop', async () => {
  await ok(['--data', shop, 'invoke', 'audit.export', '{"format":"csv"}']);
  const copy = await invoke(shop, 'shop.backup', {});
  assert.ok(existsSync(onDisk(`${shop}\\exports`)) && existsSync(onDisk(`${shop}\\backups`)), JSON.stringify(copy));
});

test('lines of the bus are answered one by one', async () => {
  const out = await ok(['--data', shop, 'bus'], [
    { capability: 'cart.addItem', arguments: { productId: 'NL-GUJ-250-WB', quantity: 2, customerId: 'cus_201100' } },
    { capability: 'cart.addItem', arguments: { quantity: 0 } },
  ].map((line) => `${JSON.stringify(line)}\r\n`).join(''));
  const [added, refused] = out.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(added.status, 'success');
  assert.equal(refused.code, 'VALIDATION');
});

test('a model on loopback calls a tool, and answers', async () => {
  const said = [
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'catalog_search', arguments: '{"query":"Guji"}' } }] },
    { content: 'There is Guji – fünf Säcke.' },
  ];
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end();
    request.resume().on('end', () => {
      const delta = said[Math.min(asked, 1)];
      asked += 1;
      const choice = { index: 0, delta, finish_reason: delta.content ? 'stop' : 'tool_calls' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((listens) => server.once('listening', listens));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const out = await ok(['--data', shop, 'chat', '--endpoint', url, '--model', 'scripted', 'what is there of the Guji?']);
  server.close();
  assert.match(out, /fünf Säcke/);
  assert.equal(asked, 2);
  assert.match(await at(shop, 'audit', 'query', '--caller', 'agent', '--capability', 'catalog.search'), /"success"/);
});

/** A program that writes notes to an order until it is killed, or has written them all; gives those it answered. */
function notes(order, word, count, killAfter = Number.POSITIVE_INFINITY) {
  const child = spawn(wine, [...program, '--data', shop, 'bus']);
  const answered = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = JSON.parse(line);
    assert.equal(result.status, 'success', line);
    answered.push(`${word}-${answered.length}.`);
    if (answered.length === killAfter) child.kill('SIGKILL');
  });
  child.stdin.on('error', () => {});
  for (let n = 0; n < count; n += 1) {
    const line = { capability: 'order.addNote', arguments: { orderId: order, text: `${word}-${n}.` } };
    child.stdin.write(`${JSON.stringify(line)}\n`);
  }
  child.stdin.end();
  return new Promise((resolve) => child.on('close', () => resolve(answered)));
}
const kept = async (order) => new Set((await invoke(shop, 'order.get', { orderId: order })).notes.map(({ text }) => text));

test('two programs on one shop at once', async () => {
  const { orders } = await invoke(shop, 'order.search', { limit: 1 });
  const both = await Promise.all([notes(orders[0].id, 'one', 40), notes(orders[0].id, 'other', 40)]);
  assert.deepEqual(both.map((answered) => answered.length), [40, 40]);
  const found = await kept(orders[0].id);
  for (const text of both.flat()) assert.ok(found.has(text), `${text} was answered and is not there`);
  await verified();
});

test('a program that is killed while it writes, beside another, loses nothing and holds no lock', async () => {
  const { orders } = await invoke(shop, 'order.search', { limit: 2 });
  for (let round = 0; round < 8; round += 1) {
    const [killed, other] = await Promise.all([
      notes(orders[1].id, `killed${round}`, 200, 5 + 9 * round),
      notes(orders[1].id, `other${round}`, 20),
    ]);
    assert.ok(killed.length < 200, 'it was not killed');
    assert.equal(other.length, 20);
    const found = await kept(orders[1].id);
    for (const text of [...killed, ...other]) assert.ok(found.has(text), `${text} was answered and is not there`);
    await verified();
  }
});

let failed = 0;
for (const [name, does] of tries) {
  try {
    await does();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${error.message.slice(0, 2000)}`);
  }
}
console.log(`${tries.length - failed} of ${tries.length}`);
process.exit(failed ? 1 : 0);
