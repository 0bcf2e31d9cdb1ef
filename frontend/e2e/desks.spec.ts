import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { invoke } from './bridge';
import { putGuji, real } from './desk';
import { look } from './look';

test.skip(!real, 'a till is a window on the shop of another program');

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

test('a window joins the shop of another computer, sells there, and says when the link is cut', {
  tag: '@long',
}, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'desks-'));
  const [shop, till] = [join(folder, 'shop'), join(folder, 'till')];
  const children: ChildProcess[] = [];
  const start = (data: string, ...args: string[]) => {
    const child = spawn(program, ['--data', data, ...args], { env, stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const command = (data: string, ...args: string[]) =>
    execFileSync(program, ['--data', data, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  try {
    command(shop, 'init', '--sample');
    const listen = `127.0.0.1:${await freePort()}`;
    let host = start(shop, 'host', '--listen', listen);
    let code = '';
    await until(() => {
      try {
        code = JSON.parse(command(shop, '--json', 'pair')).code;
      } catch {}
      return code !== '';
    });
    const joining = start(till, 'join', code, '--name', 'Stockroom');
    await until(() => command(shop, 'tills').includes('asks to work here'));
    command(shop, 'tills', 'add', 'Stockroom');
    await until(() => joining.exitCode === 0);

    const port = await freePort();
    env.devserver = `127.0.0.1:${port}`;
    env.assetdir = 'dist';
    start(till);
    await until(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole('button', { name: 'June Park' }).click();
    await expect(page.getByRole('banner')).toContainText('June Park');

    await invoke(page, 'cart.setCustomer', { walkIn: true });
    await putGuji(page);
    const stopped = page.getByText('The shop cannot be reached', { exact: true });
    host.kill('SIGSTOP');
    await expect(stopped).toBeVisible();
    await look(page, 'link-cut');
    host.kill('SIGCONT');
    await expect(stopped).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: /^Quantity of Guji/ }), 'the cart is as it was').toHaveValue('1');

    host.kill('SIGKILL');
    await expect(stopped).toBeVisible();
    host = start(shop, 'host', '--listen', listen);
    await expect(page.getByText('Who is at the desk?'), 'the host was started again: people sign in').toBeVisible();
    await page.getByRole('button', { name: 'June Park' }).click();
    await expect(page.getByRole('textbox', { name: /^Quantity of Guji/ }), 'the cart is in the shop').toHaveValue('1');
    await page.keyboard.press('F9');
    await expect(page.getByRole('button', { name: 'Open order' })).toBeVisible();
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
