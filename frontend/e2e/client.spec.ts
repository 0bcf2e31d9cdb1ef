import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { invoke, placeOrder } from './bridge';
import { real, test, typeText } from './desk';
import { look } from './look';
import { Client, command } from './program';

test.skip(!real, 'another program works on the real shop');

/** A page that shows pages of a server, as a client does: it sends what a call came to, and listens. */
const host = (page: string, result: unknown) => `<!doctype html><html lang="en"><title>Client</title>
  <style>:root { color-scheme: light dark } body { margin: 0 } iframe { border: 0; width: 100%; height: 420px }</style>
  <main><h1>Client</h1><iframe title="Preview" sandbox="allow-scripts"></iframe></main>
  <script>
    const frame = document.querySelector('iframe');
    window.said = [];
    addEventListener('message', ({ data }) => {
      window.said.push(data);
      const answer = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
      if (data.method === 'ui/initialize') answer({ id: data.id, result: { protocolVersion: '2026-01-26',
        hostInfo: { name: 'flow', version: '1' }, hostCapabilities: {}, hostContext: {} } });
      if (data.method === 'ui/notifications/initialized') answer({ method: 'ui/notifications/tool-result',
        params: ${JSON.stringify(result).replaceAll('<', '\\u003c')} });
    });
    frame.srcdoc = ${JSON.stringify(page).replaceAll('<', '\\u003c')};
  </script>`;

/** Shows what a call came to as a client would, and returns what stands there. */
async function shownBy(page: Page, client: Client, result: unknown) {
  const { contents } = (await client.read('ui://deskhand/preview')) as { contents: { text: string }[] };
  await page.setContent(host(contents[0]?.text ?? '', result));
  return page.frameLocator('iframe').getByRole('document');
}

test('the assistant of another program asks here, and is told no and why', { tag: '@long' }, async ({
  desk,
  context,
}) => {
  const order = await placeOrder(desk);
  command('mcp', 'enrol', 'flow');
  const client = new Client('flow');
  await client.open();
  const answer = client.call('order_cancel', { orderId: order, reason: 'no longer needed' });
  const card = desk.getByRole('article', { name: /Cancel order/ });
  const first = await Promise.race([answer, card.waitFor()]);
  expect(first, 'it was answered without a person').toBeUndefined();
  await expect(card).toContainText('The assistant of flow asks, another program.');
  await expect(card.getByRole('button', { name: 'Deny' })).toBeVisible();
  await look(desk, 'card-of-client');
  await card.getByRole('textbox', { name: 'Reason for denying' }).click();
  await typeText(desk, 'Ana comes for it at noon');
  await card.getByRole('button', { name: 'Deny' }).click();
  const denied = await answer;
  expect(JSON.stringify(denied)).toContain('Ana comes for it at noon');
  expect(denied).toMatchObject({ isError: true });
  expect(await invoke(desk, 'order.get', { orderId: order })).toMatchObject({ status: 'pending' });

  const other = await context.newPage();
  const shown = await shownBy(other, client, denied);
  await expect(shown).toContainText('Not done.');
  await expect(shown).toContainText('Ana comes for it at noon');
  client.end();
  command('mcp', 'end', 'flow');
});

test('a client shows what a call that waits would do, and no button', { tag: '@long' }, async ({ desk, context }) => {
  const order = await placeOrder(desk);
  command('mcp', 'enrol', 'flow');
  const client = new Client('flow', '--wait', '200ms');
  await client.open();
  let waiting = await client.call('order_cancel', { orderId: order, reason: 'no longer needed' });
  const { request_id: requestId } = waiting.structuredContent as { request_id: string };
  const asks = expect.objectContaining({ status: 'waiting', message: expect.stringContaining('waits for a person') });
  const again = async () => {
    waiting = await client.call('approval_wait', { requestId });
    return waiting.structuredContent;
  };
  await expect.poll(again).toEqual(asks);
  const other = await context.newPage();
  const shown = await shownBy(other, client, waiting);
  await expect(shown).toContainText('Waits for a person');
  await expect(shown).toContainText('Ana Ruiz');
  await expect(shown.getByRole('button')).toHaveCount(0);
  await expectAccessible(other, 'the page of a client');
  if (process.env.DESKHAND_PICTURES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await other.emulateMedia({ colorScheme });
      await other.screenshot({ path: `test-results/client-preview-${colorScheme}.png` });
    }
  }
  client.end();
  await expect(desk.getByRole('article', { name: /Cancel order/ }), 'who asked is gone').toHaveCount(0);
  command('mcp', 'end', 'flow');
});
