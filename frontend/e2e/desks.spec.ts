import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { invoke } from './bridge';
import { openPage, putGuji, real, scan, signIn, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'a till is a window on the shop of another program');

/** The PIN of those who sell: at another computer people sign in by PIN only. */
const PIN = '271828';
const program = process.env.DESKHAND_PROGRAM ?? '';
const keys = {
  DESKHAND_HOST_KEY: Buffer.from('a host in a flow, of 32 bytes...').toString('base64'),
  DESKHAND_TILL_KEY: Buffer.from('a till in a flow, of 32 bytes...').toString('base64'),
};
const env: NodeJS.ProcessEnv = { ...process.env, ...keys };

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Waits until something is so. */
async function until(so: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(so, { timeout: 60_000 }).toBe(true);
}

interface Desks {
  /** The folder of the shop, and the one of a till. */
  shop: string;
  till: string;
  /** Where the host listens. */
  listen: string;
  start: (data: string, ...args: string[]) => ChildProcess;
  command: (data: string, ...args: string[]) => string;
  /** A code, once the host is there to make one for. */
  code: () => Promise<string>;
  /** Opens the window of a folder in the page, and returns its program. */
  open: (page: Page, data: string) => Promise<ChildProcess>;
}

/**
 * Runs with a sample shop and a folder beside it, and ends what was started. Where that fails it prints what the page
 * shows and what the programs said.
 */
async function withDesks(page: Page, run: (desks: Desks) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'desks-'));
  const [shop, till] = [join(folder, 'shop'), join(folder, 'till')];
  const said = join(folder, 'said');
  const log = openSync(said, 'a');
  const children: ChildProcess[] = [];
  const start: Desks['start'] = (data, ...args) => {
    const child = spawn(program, ['--data', data, ...args], { env, stdio: ['ignore', log, log] });
    children.push(child);
    return child;
  };
  const command: Desks['command'] = (data, ...args) =>
    execFileSync(program, ['--data', data, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const code = async () => {
    let made = '';
    await until(() => {
      try {
        made = JSON.parse(command(shop, '--json', 'pair')).code;
      } catch {}
      return made !== '';
    });
    return made;
  };
  const open: Desks['open'] = async (page, data) => {
    const port = await freePort();
    env.devserver = `127.0.0.1:${port}`;
    env.assetdir = 'dist';
    const window = start(data);
    await until(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await page.goto(`http://127.0.0.1:${port}/`);
    return window;
  };
  try {
    command(shop, 'init', '--sample');
    for (const staffId of ['june_park', 'idris_bello', 'tomas_okafor'])
      command(shop, 'invoke', 'staff.setPin', JSON.stringify({ staffId, pin: PIN }));
    await run({ shop, till, listen: `127.0.0.1:${await freePort()}`, start, command, code, open });
  } catch (error) {
    console.log(`The page: ${await page.locator('body').innerText().catch(String)}`);
    console.log(`The programs: ${readFileSync(said, 'utf8').slice(-4000)}`);
    for (const { spawnargs, exitCode, signalCode } of children)
      console.log(spawnargs.slice(1).join(' '), 'ended by', exitCode ?? signalCode ?? 'nothing yet');
    throw error;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

test(
  'a window joins the shop of another computer, sells there, and says when the link is cut',
  {
    tag: '@long',
  },
  ({ page }) =>
    withDesks(page, async ({ shop, till, listen, start, command, code, open }) => {
      let host = start(shop, 'host', '--listen', listen);
      const joining = start(till, 'join', await code(), '--name', 'Stockroom');
      await until(() => command(shop, 'tills').includes('asks to work here'));
      command(shop, 'tills', 'add', 'Stockroom');
      await until(() => joining.exitCode === 0);

      await open(page, till);
      await signIn(page, 'June Park', PIN);
      await invoke(page, 'cart.setCustomer', { walkIn: true });
      await putGuji(page);
      const stopped = page.getByText('The shop cannot be reached', { exact: true });
      const quantity = page.getByRole('textbox', { name: /^Quantity of Guji/ });
      const waiting = page.getByRole('region', { name: 'Waits for the link' }).getByRole('listitem');
      const read = '{"capability":"catalog.search","callerType":"ui","status":"success","reads":true}';
      await until(() => command(shop, 'invoke', 'audit.search', read).includes('"copy"')); // the copy is there
      host.kill('SIGSTOP');
      await expect(stopped).toBeVisible();
      await expect(page.getByText(/^Products, prices and stock are as of /), 'the catalog is a copy').toBeVisible();
      await page.getByRole('button', { name: 'Catalog' }).click();
      await expect(page.getByRole('heading', { name: 'Catalog' }), 'the till opens its pages itself').toBeAttached();
      await expect(page.getByRole('row', { name: /Boquete/ })).toBeVisible();
      await page.getByRole('button', { name: 'Counter' }).click();
      await putGuji(page);
      await scan(page, 'NL-CAN-02');
      await putGuji(page);
      await expect(waiting).toHaveText([/Guji/, /Airtight Canister/, /Guji/]);
      await look(page, 'link-cut');
      await waiting.nth(1).getByRole('button').click();
      await expect(waiting, 'one is left out').toHaveCount(2);
      host.kill('SIGCONT');
      await expect(stopped).toHaveCount(0);
      await expect(waiting).toHaveCount(0);
      await expect(quantity, 'what waited was put in, once each').toHaveValue('3');

      host.kill('SIGKILL');
      await expect(stopped).toBeVisible();
      await putGuji(page);
      await expect(waiting).toHaveCount(1);
      host = start(shop, 'host', '--listen', listen);
      await expect(page.getByText('Who is at the desk?'), 'the host was started again: people sign in').toBeVisible();
      await expect(stopped).toHaveCount(0);
      host.kill('SIGSTOP');
      await expect(stopped, 'the sign-in says it too').toBeVisible();
      await look(page, 'link-cut-sign-in');
      await page.reload();
      await expect(stopped, 'a page that is loaded without the link says so too').toBeVisible();
      host.kill('SIGCONT');
      await expect(stopped).toHaveCount(0);
      await signIn(page, 'June Park', PIN);
      await expect(quantity, 'the cart is in the shop, and what waited too').toHaveValue('4');
      await page.keyboard.press('F9');
      await expect(page.getByRole('button', { name: 'Open order' })).toBeVisible();
    }),
);

test(
  'a window in a folder without a shop joins one by its first page, and again once it was removed',
  {
    tag: '@long',
  },
  ({ page }) =>
    withDesks(page, async ({ shop, till, listen, start, command, code, open }) => {
      start(shop, 'host', '--listen', listen);
      const made = await code();
      await open(page, till);
      const part = page.getByRole('region', { name: /^Join/ });
      const typed = part.getByRole('textbox', { name: 'Code of the shop' });
      const name = part.getByRole('textbox', { name: 'Name of this desk' });
      const ask = part.getByRole('button', { name: 'Ask to join' });
      await expect(name, 'the name of the computer').not.toHaveValue('');
      await look(page, 'join');

      await typed.fill('K7QM-2RTX');
      await ask.click();
      await expect(typed).toHaveAttribute('aria-invalid', 'true');
      await expect(part).toContainText('It looks like shop.example:4222/');
      await look(page, 'join-wrong-code');

      const nobody = `127.0.0.1:${await freePort()}${made.slice(made.indexOf('/'))}`;
      await typed.fill(nobody);
      await name.fill('Stockroom');
      await ask.click();
      await expect(part.getByRole('alert')).toContainText('There is no host at');
      await expect(typed, 'nothing typed is lost').toHaveValue(nobody);
      await expect(name).toHaveValue('Stockroom');

      const waits = part.getByText('Waiting for the owner at the host.');
      const asks = async (by: string) => {
        await typed.fill(by);
        await ask.click();
        await expect(waits).toBeVisible();
        await until(() => command(shop, 'tills').includes('asks to work here'));
      };
      await asks(` deskhand join ${made.toLowerCase().replaceAll('-', ' ')} `);
      const key = /key (U\w{55})/.exec(command(shop, 'tills'))?.[1];
      await expect(part, 'the key that the owner compares').toContainText(key ?? 'no key');
      await look(page, 'join-waiting');
      await part.getByRole('button', { name: 'Cancel' }).click();
      await expect(part.getByRole('alert')).toContainText('Cancelled: this desk did not join.');
      await look(page, 'join-cancelled');

      await asks(await code());
      command(shop, 'tills', 'remove', 'Stockroom');
      await expect(part.getByRole('alert')).toContainText('The owner did not let this desk in.');

      await asks(await code());
      command(shop, 'tills', 'add', 'Stockroom');
      await signIn(page, 'June Park', PIN);
      await invoke(page, 'cart.setCustomer', { walkIn: true });
      await putGuji(page);
      await page.keyboard.press('F9');
      await expect(page.getByRole('button', { name: 'Open order' }), 'it sells').toBeVisible();

      command(shop, 'tills', 'remove', 'Stockroom');
      await expect(page.getByRole('heading', { name: 'This desk was removed' })).toBeVisible();
      await expect(name).toHaveValue('Stockroom');
      await look(page, 'removed');
      await asks(await code());
      command(shop, 'tills', 'add', 'Stockroom');
      await expect(page.getByText('Who is at the desk?')).toBeVisible();
    }),
);

/** Whether something listens at a port of this computer. */
const listens = (address: string) =>
  new Promise<boolean>((resolve) => {
    const [host, port] = address.split(':');
    const socket = connect(Number(port), host, () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

test(
  'the window serves its shop to another computer and lets it in, without a terminal',
  {
    tag: '@long',
  },
  ({ page }) =>
    withDesks(page, async ({ shop, till, listen, start, open }) => {
      const programs = join(shop, '..', 'programs');
      mkdirSync(programs);
      symlinkSync(program, join(programs, 'deskhand-host'));
      const path = env.PATH;
      env.PATH = `${programs}:${path}`;
      const window = await open(page, shop);
      env.PATH = path;
      await openPage(page, 'Settings');
      await page.getByRole('tab', { name: 'Desks' }).click();
      const part = page.getByRole('region', { name: 'Desks' });
      await expect(part).toContainText('There is no other desk');
      await look(page, 'settings-desks-none');
      const port = listen.split(':')[1] ?? '';
      const serve = async (typed: string) => {
        await part.getByRole('button', { name: 'Serve other desks…' }).click();
        const field = page.getByRole('dialog').getByRole('textbox', { name: 'Port' });
        await field.press('Control+a');
        await typeText(page, typed);
        await page.keyboard.press('Enter');
      };
      const stop = part.getByRole('button', { name: 'Stop serving other desks' });

      const taken = createServer().listen(Number(port), '0.0.0.0');
      await serve(port);
      await expect(part.getByRole('alert')).toContainText(`Nothing can listen at 0.0.0.0:${port}.`);
      await look(page, 'settings-desks-problem');
      await stop.click();
      taken.close();
      await serve(port);
      await expect(part).toContainText('This shop is served at');
      await part.getByRole('button', { name: 'Add a desk' }).click();
      const code = part.getByRole('figure').locator('pre');
      const joining = start(till, 'join', await code.innerText(), '--name', 'Stockroom');
      const row = part.getByRole('listitem').filter({ hasText: 'Stockroom' });
      await expect(row).toContainText('Asks to work here');
      await expect(code, 'a code is used once').toHaveCount(0);
      await look(page, 'settings-desks-asks');
      await row.getByRole('button', { name: 'Let in' }).click();
      await expect(row).toContainText('Let in by');
      await until(() => joining.exitCode === 0);
      await part.getByRole('button', { name: 'Add a desk' }).click();
      await expect(code).toBeVisible();
      await look(page, 'settings-desks');
      await row.getByRole('button', { name: 'Remove' }).click();
      await expect(part).toContainText('There is no other desk');
      window.kill('SIGKILL');
      await until(async () => !(await listens(listen)));
    }),
);

/** Makes a call until it is done, whatever happens on the way: its key has it done once. */
async function persist(attempt: () => Promise<string>): Promise<void> {
  const began = Date.now();
  for (let answer = ''; !answer.includes('"status":"success"'); ) {
    expect(Date.now() - began, `the call is done within a minute, and not: ${answer}`).toBeLessThan(60_000);
    answer = await attempt().catch(String);
  }
}

/** How often the host is killed or its links are cut. */
const cuts = Number(process.env.DESKHAND_CUTS ?? 6);

test(
  'a window and two desks without one sell while the host is killed and its links are cut: each sale is made once',
  { tag: '@long' },
  ({ page }) =>
    withDesks(page, async ({ shop, till, listen, start, command, code, open }) => {
      test.setTimeout(120_000 + cuts * 20_000);
      const host = { now: start(shop, 'host', '--listen', listen) };
      const data = (name: string, args: object) =>
        JSON.parse(command(shop, '--json', 'invoke', name, JSON.stringify(args), '--approve', 'allow')).data;
      const productId = data('catalog.search', { query: 'guji' }).products[0].id;
      const about = () => data('catalog.getProduct', { productId }).variants[0];
      const variantId = about().id;
      const orders = () => command(shop, 'invoke', 'order.search', '{}', '--all').trim().split('\n').length;
      data('catalog.adjustStock', { variantId, delta: 100_000 });
      const [stock, before] = [about().stock, orders()];

      const desks = [till, `${till}-2`, `${till}-3`].map((folder, n) => ({
        folder,
        env: { ...env, DESKHAND_TILL_KEY: Buffer.alloc(32, n + 1).toString('base64') },
      }));
      for (const [n, desk] of desks.entries()) {
        const joining = spawn(program, ['--data', desk.folder, 'join', await code(), '--name', `Desk ${n}`], {
          env: desk.env,
          stdio: 'ignore',
        });
        await until(() => command(shop, 'tills').includes(`Desk ${n}`));
        command(shop, 'tills', 'add', `Desk ${n}`);
        await until(() => joining.exitCode === 0);
      }
      Object.assign(env, desks[0]?.env);
      await open(page, till);

      type Invoke = (name: string, args: object, key: string) => Promise<string>;
      const atWindow: Invoke = async (capability, args, idempotency_key) => {
        const invocation = { capability, arguments: args, idempotency_key, caller: { type: 'ui', source: 'flow' } };
        const answer = await page.evaluate(
          // biome-ignore lint/suspicious/noExplicitAny: what Wails puts into the page
          (text) => (window as any).go.main.App.Invoke(text) as Promise<string>,
          JSON.stringify(invocation),
        );
        if (answer.includes('FORBIDDEN')) await invoke(page, 'session.signIn', { staffId: 'june_park', pin: PIN });
        return answer;
      };
      const atDesk = (n: number, person: string): Invoke => {
        const { folder, env } = desks[n] ?? { folder: '', env: {} };
        return (name, args, key) =>
          new Promise((resolve) => {
            const words = [
              '--data',
              folder,
              '--json',
              '--as',
              person,
              '--pin-fd',
              '0',
              'invoke',
              name,
              JSON.stringify(args),
              '--key',
              key,
            ];
            const call = execFile(program, words, { env, timeout: 20_000 }, (_error, out) =>
              resolve(out.replaceAll(/\s/g, '')),
            );
            call.stdin?.on('error', () => undefined).end(`${PIN}\n`); // a program that was killed reads nothing
          });
      };
      let selling = true;
      const sell = async (who: string, invokeAt: Invoke) => {
        let sold = 0;
        for (; selling; sold += 1) {
          const step = (name: string, args: object) => persist(() => invokeAt(name, args, `${who} ${sold} ${name}`));
          await step('cart.setCustomer', { walkIn: true });
          await step('cart.addItem', { productId, variantId, quantity: 1 });
          await step('checkout.submit', { fulfilment: 'takeAway', tendered: { amount: 50_000, currency: 'USD' } });
        }
        return sold;
      };
      const sellers = [
        sell('window', atWindow),
        sell('second', atDesk(1, 'tomas_okafor')),
        sell('third', atDesk(2, 'Idris Bello')),
      ];
      const stopped = page.getByText('The shop cannot be reached', { exact: true });
      const back: number[] = [];
      for (const n of Array(cuts).keys()) {
        const kill = n % 2 === 0;
        await page.waitForTimeout(2000 + 700 * (n % 6));
        host.now.kill(kill ? 'SIGKILL' : 'SIGSTOP');
        await expect(stopped).toBeVisible();
        if (kill) host.now = start(shop, 'host', '--listen', listen);
        else host.now.kill('SIGCONT');
        while (!(await listens(listen))) await page.waitForTimeout(10);
        const began = Date.now();
        await expect(stopped).toHaveCount(0);
        back.push(Date.now() - began);
      }
      selling = false;
      const sold = await Promise.all(sellers);
      const all = sold.reduce((sum, n) => sum + n, 0);
      console.log(`Desks: ${sold.join(' + ')} sales, back after ${back.join(', ')} ms`);
      expect(Math.min(...sold), 'each desk sold').toBeGreaterThan(0);
      expect(stock - about().stock, 'pieces that were sold').toBe(all);
      expect(orders() - before, 'orders in the shop').toBe(all);
      expect(command(shop, 'audit', 'verify')).toContain('whole');
    }),
);
