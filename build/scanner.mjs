// Types barcodes as a scanner does: figures and Enter, two codes a second. The keys of a code are written to the X
// server at once, so that its clock, by which they are told from a person's, has them together however busy the
// machine is: xdotool waits for an answer to each key, and on a busy machine that takes a person's time.
// Usage: scanner.mjs CODE...
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const BETWEEN = 500; // ms from one code to the next
const [PRESS, RELEASE] = [2, 3];
const ENTER = 0xff0d; // a figure's symbol is its character
const BYTES = 32; // of a reply, and more by its length

const server = connect(`/tmp/.X11-unix/X${/:(\d+)/.exec(process.env.DISPLAY)[1]}`);
let received = Buffer.alloc(0);

async function take(bytes) {
  while (received.length < bytes) received = Buffer.concat([received, (await once(server, 'data'))[0]]);
  const taken = received.subarray(0, bytes);
  received = received.subarray(bytes);
  return taken;
}

/** A request of the X11 protocol: its number, a byte, and what follows in words of four bytes. */
function request(number, byte, rest = Buffer.alloc(0)) {
  const head = Buffer.from([number, byte, 0, 0]);
  head.writeUInt16LE(1 + rest.length / 4, 2);
  return Buffer.concat([head, rest]);
}

/** The next reply; the server tells of events, such as another keyboard, between them. */
async function reply() {
  let head = await take(BYTES);
  while (head[0] > 1) head = await take(BYTES);
  if (head[0] === 0) throw new Error(`the X server refuses a request: error ${head[1]}`);
  return Buffer.concat([head, await take(head.readUInt32LE(4) * 4)]);
}

server.write(Buffer.from(['l'.charCodeAt(0), 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])); // version 11, the lowest byte first
const welcome = await take(8);
if (welcome[0] !== 1) throw new Error('the X server refuses');
const setup = await take(welcome.readUInt16LE(6) * 4);
const [lowest, highest] = [setup[26], setup[27]];

server.write(request(98, 0, Buffer.from('\u0005\0\0\0XTEST\0\0\0', 'latin1')));
const xtest = (await reply())[9];
server.write(request(101, 0, Buffer.from([lowest, highest - lowest + 1, 0, 0])));
const keyboard = await reply();

function keyOf(symbol) {
  for (let key = lowest; key <= highest; key += 1) {
    if (keyboard.readUInt32LE(BYTES + (key - lowest) * keyboard[1] * 4) === symbol) return key;
  }
  throw new Error(`no key has the symbol ${symbol}`);
}

function fake(type, key) {
  const event = Buffer.alloc(32);
  event.set([type, key]);
  return request(xtest, 2, event);
}

for (const code of process.argv.slice(2)) {
  const keys = [...code].map((figure) => keyOf(figure.charCodeAt(0)));
  server.write(Buffer.concat([...keys, keyOf(ENTER)].flatMap((key) => [fake(PRESS, key), fake(RELEASE, key)])));
  server.write(request(43, 0)); // asks for anything: the answer comes when the keys were pressed
  await reply();
  await setTimeout(BETWEEN);
}
server.end();
