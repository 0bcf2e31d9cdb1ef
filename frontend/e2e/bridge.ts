import { expect, type Page } from '@playwright/test';
import { call, test as desk, real } from './desk';
import { Endpoint } from './endpoint';

/** The window with a scripted model; afterwards the built-in model answers, and no grant or rule is left. */
export const test = desk.extend<{ model: Endpoint }>({
  model: async ({ desk: page }, use) => {
    desk.skip(!real, 'the scripted model is asked by the application itself');
    const model = await Endpoint.start();
    await invoke(page, 'settings.set', { section: 'model', values: { endpoint: model.url, model: 'scripted' } });
    await use(model);
    const deny = card(page).getByRole('button', { name: 'Deny' }); // a failed test may leave a card open
    for (let left = await deny.count(); left > 0; left -= 1) await deny.first().click();
    await model.stop();
    await invoke(page, 'settings.set', { section: 'model', values: { endpoint: '' } });
    await invoke(page, 'policy.set', { rules: [] });
    const { grants } = await invoke<{ grants: { id: string; status: string }[] }>(page, 'grant.list', {});
    for (const { id, status } of grants) if (status === 'active') await invoke(page, 'grant.revoke', { grantId: id });
  },
});

/** Runs a capability as the person at the desk, without the page, and returns its data. */
export async function invoke<T = unknown>(page: Page, capability: string, args: object): Promise<T> {
  const result = (await call(page, capability, args)) as { data: T; message?: string };
  expect(result, `${capability}: ${result.message ?? 'went through'}`).toMatchObject({ status: 'success' });
  return result.data;
}

/** Opens the conversation and sends a message. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the assistant' });
  if (!(await field.isVisible())) await page.keyboard.press('Control+J');
  await field.fill(text);
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible(); // the turn before it has ended
  await field.press('Enter');
}

/** Says how far the assistant goes in the conversation that is open. */
export async function letGo(
  page: Page,
  how: 'Only looks things up' | 'Asks first' | 'Within my grants',
): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the assistant' });
  if (!(await field.isVisible())) await page.keyboard.press('Control+J');
  await page.getByRole('combobox', { name: 'How far it goes' }).selectOption(how);
}

/** The messages of the conversation. */
export function log(page: Page) {
  return page.getByRole('log', { name: 'What was said' });
}

/** The card that waits for an answer. */
export function card(page: Page) {
  return page.getByRole('region', { name: 'Waiting for your answer' }).getByRole('article');
}

/** The dialog with the card of a call that the person made by hand, and the button that does it. */
export function ownCard(page: Page) {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('[data-card]') });
  return { dialog, article: dialog.getByRole('article'), go: dialog.locator('[data-allow]') };
}

/** Places a new order for Ana and returns its id. */
export async function placeOrder(page: Page): Promise<string> {
  const customerId = await idOfAna(page);
  await invoke(page, 'cart.setCustomer', { customerId });
  const { items } = await invoke<{ items: unknown[] }>(page, 'cart.getSummary', {});
  if (items.length > 0) await invoke(page, 'cart.clear', {});
  const { products } = await invoke<{ products: { id: string }[] }>(page, 'catalog.search', { query: 'Guji' });
  await invoke(page, 'cart.addItem', { productId: products[0]?.id, quantity: 1, customerId });
  return (await invoke<{ orderId: string }>(page, 'checkout.submit', { fulfilment: 'deliver' })).orderId;
}

/** The id of Ana Ruiz. */
export async function idOfAna(page: Page): Promise<string> {
  const { customers } = await invoke<{ customers: { id: string }[] }>(page, 'customer.search', { query: 'Ana Ruiz' });
  return customers[0]?.id ?? '';
}
