import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, type Page, test } from '@playwright/test';
import { real } from './desk';
import { look } from './look';

test.skip(!real, 'an archive is kept by another program');

const program = process.env.DESKHAND_PROGRAM ?? '';
const env: NodeJS.ProcessEnv = {
  ...process.env,
  DESKHAND_HOST_KEY: Buffer.from('a host in a flow, of 32 bytes...').toString('base64'),
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const rows = (page: Page, of: string) =>
  page.getByRole('region', { name: 'Shops' }).getByRole('row').filter({ hasText: of });
const records = (page: Page) => page.getByRole('grid', { name: 'Records' }).getByRole('row');

test('the audit page opens the logs of an archive, and says what was refused', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const archive = join(folder, 'archive');
  const children: ChildProcess[] = [];
  const start = (command: string, ...args: string[]) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    return child;
  };
  const command = (...args: string[]) =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const count = (delta: string) => {
    const args = `{"productId":"NL-GUJ-250-WB","delta":${delta},"reason":"counted"}`;
    command('--data', join(folder, 'berlin'), 'invoke', 'catalog.adjustStock', args);
  };
  const headOf = (shop: string) => /head (\w+)/.exec(command('--data', join(folder, shop), 'audit', 'verify'))?.[1];
  /** Runs the host of a shop until the archive has what the shop has, or has refused it. */
  const publish = async (data: string, name: string, until: () => boolean) => {
    const host = start(
      program,
      '--data',
      join(folder, data),
      'host',
      '--listen',
      '127.0.0.1:0',
      '--publish',
      url,
      '--shop',
      name,
    );
    await expect.poll(until, { timeout: 60_000 }).toBe(true);
    const ended = new Promise((resolve) => host.once('exit', resolve));
    host.kill('SIGTERM');
    await ended;
  };
  const archived = (shop: string) => () =>
    command('archive', '--folder', archive, 'list').includes(headOf(shop) ?? '-');

  let url = '';
  try {
    execFileSync('go', ['build', '-o', join(folder, 'jetstream'), './build/testdata/jetstream'], {
      cwd: '..',
      stdio: 'pipe',
    });
    const server = start(join(folder, 'jetstream'), join(folder, 'stream'));
    url = await new Promise<string>((resolve) =>
      createInterface({ input: server.stdout ?? process.stdin }).once('line', resolve),
    );
    start(program, 'archive', '--folder', archive, 'run', '--nats', url, '--create', '1');
    for (const shop of ['berlin', 'rome']) command('--data', join(folder, shop), 'init', '--sample');
    await publish('berlin', 'berlin', archived('berlin'));
    await publish('rome', 'rome', archived('rome'));

    // A copy is restored in Berlin: an epoch begins. What Rome's folder has now is another shop's.
    command('--data', join(folder, 'berlin'), 'invoke', 'shop.backup');
    count('7');
    await publish('berlin', 'berlin', archived('berlin'));
    command('--data', join(folder, 'berlin'), 'invoke', '--approve', 'allow', 'shop.restore');
    await publish('berlin', 'berlin', archived('berlin'));
    command('--data', join(folder, 'forged'), 'init', '--sample');
    await publish('forged', 'rome', () => command('archive', '--folder', archive, 'alarms') !== '');

    const port = await freePort();
    env.devserver = `127.0.0.1:${port}`;
    env.assetdir = 'dist';
    start(program, '--data', archive);
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(answers, { timeout: 60_000 }).toBe(true);
    await page.goto(`http://127.0.0.1:${port}/`);

    await expect(rows(page, 'berlin')).toHaveCount(2);
    await expect(rows(page, 'rome').first()).toContainText('not checked');
    await expect(page.getByRole('heading', { name: 'What was refused' })).toBeVisible();
    await expect(rows(page, 'the log was rewritten')).toContainText('rome');
    await look(page, 'archive-shops');
    await page.getByRole('button', { name: 'Verify all' }).click();
    await expect(page.getByText('All logs are as they were written.')).toBeVisible();
    await expect(rows(page, 'rome').first()).toContainText('whole');
    await look(page, 'archive-verified');

    await page.getByRole('button', { name: 'rome' }).click();
    await expect(page.getByRole('combobox', { name: 'Shop' })).toHaveValue('rome');
    await expect(records(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText(/^All \d+ records are as they were written\.$/)).toBeVisible();
    await expect(page.getByRole('button', { name: '1 record was refused' })).toBeVisible();
    await look(page, 'archive-audit');

    await page.getByRole('combobox', { name: 'Shop' }).click();
    await page.getByRole('option', { name: 'berlin' }).click();
    await expect(page.getByRole('combobox', { name: 'Shop' })).toHaveValue('berlin');
    await page.getByRole('searchbox', { name: 'Search the records' }).fill('restored');
    await expect(records(page).first()).toContainText(/restore/i);
    await records(page).first().click();
    await expect(page.locator('[aria-current=step]')).toContainText(/restore/i);
    await look(page, 'archive-record');

    await page.getByRole('button', { name: 'All records' }).click();
    await page.getByRole('searchbox', { name: 'Search the records' }).fill('');
    await expect(records(page).first()).toContainText(/restore/i);
    count('3');
    await publish('berlin', 'berlin', archived('berlin'));
    await expect(records(page).first(), 'what comes is shown').toContainText(/stock/i);

    await page.getByRole('combobox', { name: 'Part of its log' }).click();
    await page.getByRole('option', { name: /^1: until/ }).click();
    await expect(page.getByRole('combobox', { name: 'Part of its log' })).toHaveValue(/^1: until/);
    await page.getByRole('searchbox', { name: 'Search the records' }).fill('counted');
    await expect(records(page).first()).toContainText(/stock/i);
    const asked = command('--json', 'archive', '--folder', archive, 'audit', '--shop', 'berlin', 'query', '--reads');
    expect(asked, 'what was looked at is recorded').toContain('"audit.trace"');
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
