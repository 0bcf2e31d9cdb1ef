import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ownCard } from './bridge';
import { openPage, real, test, typeText } from './desk';
import { look } from './look';
import { answerPicker } from './picker';

test.skip(!real, 'other programs are let in at the real shop');

async function openPrograms(desk: Page) {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Programs' }).click();
}

test('a program’s assistant is let in, told how to start, and ended', { tag: '@long' }, async ({ desk, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPrograms(desk);
  const part = desk.getByRole('region', { name: 'Assistants of other programs' });
  await expect(part).toContainText('No program is let in');
  await look(desk, 'settings-programs-none');

  await part.getByRole('button', { name: 'Let a program in…' }).click();
  const form = desk.getByRole('dialog', { name: "Let another program's assistant in" });
  await expect(form.getByRole('textbox', { name: 'Client' })).toBeFocused();
  await typeText(desk, 'My Editor');
  await desk.keyboard.press('Enter');
  await expect(form.getByRole('textbox', { name: 'Client' })).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByRole('textbox', { name: 'Client' })).toHaveValue('My Editor');
  await form.getByRole('textbox', { name: 'Client' }).press('Control+a');
  await typeText(desk, 'editor');
  await look(desk, 'settings-program-let-in');
  await desk.keyboard.press('Enter');

  const start = desk.getByRole('dialog', { name: 'How editor starts Deskhand' });
  const settings = start.getByRole('figure', { name: /^In the settings of any other program/ });
  await settings.getByRole('button', { name: 'Copy' }).click();
  await expect(settings.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = JSON.parse(await desk.evaluate(() => navigator.clipboard.readText()));
  const { command, args } = copied.mcpServers.deskhand;
  expect(command).toMatch(/deskhand/);
  expect(args).toEqual(['--data', expect.stringMatching(/^\//), 'mcp', '--client', 'editor']);
  await expect(start.getByRole('figure').first()).toContainText(` ${args[1]} mcp install claude --client editor`);
  await look(desk, 'settings-program-start');
  await desk.keyboard.press('Escape');

  const row = part.getByRole('list', { name: 'Programs that are let in' }).getByRole('listitem');
  const end = new Date(Date.now() + 90 * 86_400_000);
  await expect(row).toContainText('editor');
  await expect(row).toContainText('May do what this person may.');
  await expect(row).toContainText(new RegExp(`For Mara Lindqvist, until .*${end.getUTCFullYear()}`));
  await look(desk, 'settings-programs');
  await row.getByRole('button', { name: 'End' }).click();
  await expect(part).toContainText('No program is let in');
});

test('a program that offers actions is added by its file, and removed', { tag: '@long' }, async ({ desk }) => {
  const folder = mkdtempSync(join(tmpdir(), 'peer-'));
  const file = join(folder, 'capabilities.yaml');
  writeFileSync(
    file,
    `version: 1
agent: agent://label-printer
transports:
  - kind: stdio
    command: [/opt/labels/printer, /var/spool/labels]
capabilities:
  - name: label.print
    description: Print the address label of an order. Use it once an order is packed; it sends nothing.
    inputSchema: { type: object, properties: { orderId: { type: string } }, required: [orderId] }
    outputSchema: { type: object }
`,
  );
  try {
    await openPrograms(desk);
    const part = desk.getByRole('region', { name: 'Actions of other programs' });
    await expect(part).toContainText('counts when Deskhand is opened the next time');
    await part.getByRole('button', { name: 'Add…' }).click();
    const form = desk.getByRole('dialog', { name: 'Add a peer' });
    await form.getByRole('button', { name: 'File', exact: true }).click();
    await answerPicker(desk, 'Choose the file of a program', file);
    await expect(form).toContainText('capabilities.yaml');
    await form.getByRole('button', { name: 'Add a peer' }).click();
    const { dialog: card, go } = ownCard(desk);
    await expect(card).toContainText('started as /opt/labels/printer /var/spool/labels');
    await look(desk, 'settings-peer-card');
    await go.click();
    const row = part.getByRole('list', { name: 'Programs that are added' }).getByRole('listitem');
    await expect(row).toContainText('label-printer');
    await expect(row).toContainText('Started as /opt/labels/printer /var/spool/labels');
    await expect(row).toContainText('peer.label_printer.label_print');
    await look(desk, 'settings-peers');
    await row.getByRole('button', { name: 'Remove' }).click();
    await expect(part).toContainText('No program is added');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
