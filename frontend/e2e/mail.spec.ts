import { expect } from '@playwright/test';
import { openPage, real, test } from './desk';
import { look } from './look';
import { Mailbox } from './mailbox';

test.skip(!real, 'mail is sent by the real application');

test('a receipt is mailed, once the server was tried; and why it is not', { tag: '@long' }, async ({ desk }) => {
  const mailbox = new Mailbox();
  const port = await mailbox.open();
  let open = true;
  try {
    await openPage(desk, 'Settings');
    await desk.getByRole('tab', { name: 'Mail' }).click();
    const panel = desk.getByRole('tabpanel');
    const trial = panel.getByRole('button', { name: /^Send a test mail/ });
    await expect(trial).toHaveAccessibleDescription(/mail server/);
    await panel.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1');
    await panel.getByRole('textbox', { name: 'Port' }).fill(String(port));
    await panel.getByRole('textbox', { name: 'Sender', exact: true }).fill('desk@example.org');
    await panel.getByRole('combobox', { name: 'Encryption' }).click();
    await desk.getByRole('option', { name: /^None/ }).click();
    await panel.getByRole('button', { name: /^Save/ }).click();
    await expect(panel.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
    await trial.click();
    await expect(panel.getByText('A mail is on its way to desk@example.org.')).toBeVisible();
    expect(mailbox.mails.map(({ to }) => to)).toEqual([['desk@example.org']]);
    await look(desk, 'mail-settings');

    await openPage(desk, 'Orders');
    await desk.getByRole('searchbox').fill('Ana Ruiz');
    await desk
      .getByRole('row', { name: /Ana Ruiz/ })
      .first()
      .click();
    const title = await desk.getByRole('heading', { level: 1, name: /^Order #W/ }).innerText();
    const order = title.replace('Order ', '');
    const dialog = desk.getByRole('dialog');
    const askToSend = async (to?: string) => {
      await desk.getByRole('button', { name: 'Receipt' }).click();
      await desk.getByRole('menuitem', { name: 'Send it by mail' }).click();
      if (to !== undefined) await dialog.getByRole('textbox', { name: 'To' }).fill(to);
    };
    await askToSend();
    await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveValue('ana.ruiz@example.com');
    await look(desk, 'mail-receipt');
    await dialog.getByRole('button', { name: 'Send the receipt' }).click();
    await expect(desk.getByText(`The receipt of ${order} is sent to ana.ruiz@example.com.`)).toBeVisible();
    const receipt = mailbox.mails.at(-1);
    expect(receipt?.to).toEqual(['ana.ruiz@example.com']);
    expect(receipt?.content).toContain(order);
    expect(receipt?.content).toContain('application/pdf');

    await askToSend('nobody');
    await dialog.getByRole('button', { name: 'Send the receipt' }).click();
    await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveAccessibleDescription(/mail address/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await mailbox.close();
    open = false;
    await askToSend();
    await dialog.getByRole('button', { name: 'Send the receipt' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await look(desk, 'mail-refused');
  } finally {
    if (open) await mailbox.close();
  }
});
