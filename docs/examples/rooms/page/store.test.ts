// The store's own tests. MOVED is the number of actions that are capabilities, ROOMS the address of a new server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, steps } from './moved.js';
import { BookingStore, rest } from './store.js';

const [url, token, moved] = [process.env.ROOMS ?? '', 'token-of-ana', Number(process.env.MOVED)];
const actions = rest(url, token);
for (const step of steps.slice(0, moved)) step(actions, connect(url, token));
const invoked = new Set<string>();
const { fetch } = globalThis;
globalThis.fetch = (to, init) => {
  if (String(to) === `${url}/invoke`) invoked.add(JSON.parse(String(init?.body)).capability);
  return fetch(to, init);
};

const store = new BookingStore(actions);
const shown = () => store.bookings.map((b) => `${b.hour} ${b.room}: ${b.title}, ${b.by}`);

test('a booking is shown by its hour', async () => {
  await store.open('2027-03-01');
  await store.book('Attic', 10, 'Plans');
  await store.book('Cellar', 9, 'Wine');
  assert.deepEqual(shown(), ['9 Cellar: Wine, Ana', '10 Attic: Plans, Ana']);
  const other = new BookingStore(actions);
  await other.open('2027-03-01');
  assert.deepEqual(other.bookings, store.bookings);
});

test('a refused action changes nothing and says why', async () => {
  const before = shown();
  await store.book('Attic', 10, 'Talk');
  assert.equal(store.error, 'the room is taken then');
  await store.move(store.bookings[0].id, 7);
  assert.equal(store.error, 'this is not valid: hour is from 8 to 17');
  await store.cancel('99');
  assert.equal(store.error, 'there is no such thing');
  assert.deepEqual(shown(), before);
});

test('a booking moves and is cancelled, a room is closed', async () => {
  await store.move(store.bookings[0].id, 11);
  assert.deepEqual([store.error, shown()], ['', ['10 Attic: Plans, Ana', '11 Cellar: Wine, Ana']]);
  await store.cancel(store.bookings[1].id);
  assert.deepEqual(shown(), ['10 Attic: Plans, Ana']);
  await store.close('Attic');
  assert.deepEqual([store.error, shown()], ['', []]);
});

test('the first actions are capabilities', () => {
  const order = ['booking.list', 'booking.make', 'booking.move', 'booking.cancel', 'room.close'];
  assert.deepEqual([...invoked].sort(), order.slice(0, moved).sort());
});
