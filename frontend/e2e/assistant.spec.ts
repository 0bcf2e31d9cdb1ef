import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { idOfAna, invoke, test } from './bridge';
import { openPage } from './desk';
import { look } from './look';

test('a model is chosen, tested and judged in plain words', async ({ desk, model }) => {
  await invoke(desk, 'settings.set', { section: 'model', values: { endpoint: '' } });
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const panel = desk.getByRole('tabpanel');
  await panel.getByRole('combobox', { name: 'Assistant' }).click();
  await desk.getByRole('option', { name: 'Ollama' }).click();
  await expect(panel.getByRole('textbox', { name: 'Address' })).toHaveValue('http://localhost:11434/v1');
  await look(desk, 'settings-model');

  await panel.getByRole('combobox', { name: 'Assistant' }).click();
  await desk.getByRole('option', { name: 'Another one' }).click();
  await panel.getByRole('textbox', { name: 'Address' }).fill(model.url);
  const name = panel.getByRole('combobox', { name: 'Model' });
  await name.fill('nothing-there');
  await panel.getByRole('button', { name: 'Test' }).click();
  await expect(panel.getByRole('status').first()).toContainText('The endpoint does not list nothing-there');
  await name.fill('scri');
  await desk.getByRole('option', { name: 'scripted' }).click();
  await panel.getByRole('button', { name: 'Test' }).click();
  const verdict = panel.getByRole('status').first();
  await expect(verdict).toContainText('This model can work here.');
  await expect(verdict).toContainText('It looks several things up at once.');
  await look(desk, 'settings-verdict');
  await panel.getByLabel('Key', { exact: true }).fill('a key of the shop');
  await expect(panel.getByRole('button', { name: 'Test' })).toHaveAccessibleDescription(/Save the key first/);
  await panel.getByRole('button', { name: /^Save/ }).first().click();
  await expect(panel).toContainText(`scripted at ${model.url}`);
  await expect(panel.getByLabel('Key', { exact: true })).toHaveValue('');
  expect(await invoke(desk, 'settings.get', { section: 'model' })).toMatchObject({
    model: { model: 'scripted', keySet: true },
  });

  const mask = panel.getByRole('switch', { name: 'Mask personal values' });
  await mask.click();
  await expect(mask).toBeChecked();
  await mask.click();
  await expect(mask).not.toBeChecked();
});

test('what leaves the computer is said before anything does', { tag: '@long' }, async ({ desk, model }) => {
  await invoke(desk, 'settings.set', {
    section: 'model',
    values: { endpoint: 'https://models.invalid/v1', model: 'far' },
  });
  expect(model.asked).toEqual([]);
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  await expect(desk.getByRole('region', { name: 'What leaves this computer' })).toContainText('e-mail addresses');
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('log')).toContainText('leaves this computer');
  await look(desk, 'settings-leaves');
});

test('rules are made by what is at stake and one by one', { tag: '@long' }, async ({ desk, model }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  const panel = desk.getByRole('tabpanel');
  await expect(panel).toContainText('Nothing is granted');
  await look(desk, 'settings-rules');
  const outside = panel.getByRole('combobox', { name: 'Reaches outside' });
  await outside.selectOption('Never');
  await expect(outside).toHaveValue('forbidden');
  await panel.getByRole('textbox', { name: 'Search what it can do' }).fill('note');
  const note = panel.getByRole('combobox', { name: 'Add a note to an order' });
  await note.selectOption('Asks first');
  await expect(note).toHaveValue('confirmation_required');
  const { rules } = await invoke<{ rules: object[] }>(desk, 'policy.get', {});
  expect(rules).toHaveLength(2);
  expect(model.asked).toEqual([]);
});

test('a grant is given beforehand, used, and revoked', { tag: '@long' }, async ({ desk, model }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  await desk.getByRole('button', { name: /^New grant/ }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'What is allowed' }).click();
  await desk.getByRole('option', { name: 'Cancel an order' }).click();
  await dialog.getByRole('button', { name: 'Give the grant' }).click();
  await expect(dialog.getByRole('alert')).toContainText('needs a limit');
  await dialog.getByRole('combobox', { name: 'Only for customer' }).fill('Ana Ruiz');
  await desk.getByRole('option', { name: /Ana Ruiz/ }).click();
  await dialog.getByRole('textbox', { name: 'In all at most' }).fill('120');
  await dialog.getByRole('combobox', { name: 'How long' }).click();
  await desk.getByRole('option', { name: /a week/ }).click();
  await look(desk, 'settings-grant');
  await dialog.getByRole('button', { name: 'Give the grant' }).click();
  await expect(dialog).toHaveCount(0);
  const grant = desk.getByRole('list', { name: 'Grants' }).getByRole('listitem').first();
  await expect(grant).toContainText('Customer: Ana Ruiz');
  await expect(grant).toContainText('In all at most: $120.00');
  await expect(grant).toContainText('Not used yet');
  const { grants } = await invoke<{ grants: object[] }>(desk, 'grant.list', {});
  expect(grants[0]).toMatchObject({
    constraints: { customerId: await idOfAna(desk) },
    grantee: { endpoint: model.url },
  });
  await grant.getByRole('button', { name: 'Revoke' }).click();
  await expect(desk.getByRole('tabpanel')).toContainText('Nothing is granted');
});

test('a webhook is set, called, and taken away', { tag: '@long' }, async ({ desk }) => {
  const calls: string[] = [];
  const receiver = createServer((request, response) => {
    calls.push(String(request.headers['deskhand-signature']));
    response.end();
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Webhooks' }).click();
  const panel = desk.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'One more' }).click();
  await panel.getByRole('textbox', { name: 'Name' }).fill('warehouse');
  await panel
    .getByRole('textbox', { name: 'Address' })
    .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/orders`);
  await expect(panel.getByRole('button', { name: /^Save/ })).toHaveAccessibleDescription(
    'Give every webhook a secret.',
  );
  await panel.getByLabel('Secret', { exact: true }).fill('a secret of the shop');
  await panel.getByRole('button', { name: /^Save/ }).click();
  await panel.getByRole('button', { name: 'Call it' }).click();
  await expect(panel.getByRole('status').last()).toContainText('warehouse answered');
  expect(calls).toHaveLength(1);
  await look(desk, 'settings-webhooks');
  await panel.getByRole('button', { name: 'Leave warehouse out' }).click();
  await panel.getByRole('button', { name: /^Save/ }).click();
  await expect(panel.getByRole('textbox', { name: 'Name' })).toHaveCount(0);
  await new Promise((ended) => receiver.close(ended));
});
