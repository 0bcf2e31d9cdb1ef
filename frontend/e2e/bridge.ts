import { expect, type Page } from '@playwright/test';
import { test as desk, real } from './desk';
import { Endpoint } from './endpoint';

/** The window with a scripted model behind the chat; afterwards what is built in answers again, and no grant and no rule is left. */
export const test = desk.extend<{ model: Endpoint }>({
  model: async ({ desk: page }, use) => {
    desk.skip(!real, 'the scripted model is asked by the application itself');
    const model = await Endpoint.start();
    await invoke(page, 'settings.set', { section: 'model', values: { endpoint: model.url, model: 'scripted' } });
    await use(model);
    const deny = card(page).getByRole('button', { name: 'Deny' }); // of what a failed test left open
    for (let left = await deny.count(); left > 0; left -= 1) await deny.first().click();
    await model.stop();
    await invoke(page, 'settings.set', { section: 'model', values: { endpoint: '' } });
    await invoke(page, 'policy.set', { rules: [] });
    const { grants } = await invoke<{ grants: { id: string; status: string }[] }>(page, 'grant.list', {});
    for (const { id, status } of grants) if (status === 'active') await invoke(page, 'grant.revoke', { grantId: id });
  },
});

/** Runs a capability as the person at the desk, beside what the page does. */
export async function invoke<T = unknown>(page: Page, capability: string, args: object): Promise<T> {
  const answer = await page.evaluate(
    async (invocation) => {
      const app = (window as unknown as { go: { main: { App: { Invoke(json: string): Promise<string> } } } }).go.main
        .App;
      return app.Invoke(
        JSON.stringify({ ...invocation, request_id: crypto.randomUUID(), caller: { type: 'ui', source: 'e2e' } }),
      );
    },
    { capability, arguments: args },
  );
  const result = JSON.parse(answer);
  expect(result, `${capability}: ${result.message ?? 'went through'}`).toMatchObject({ status: 'success' });
  return result.data as T;
}

/** Opens the conversation and says something. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the assistant' });
  if (!(await field.isVisible())) await page.keyboard.press('Control+J');
  await field.fill(text);
  await field.press('Enter');
}

/** What was said. */
export function log(page: Page) {
  return page.getByRole('log', { name: 'What was said' });
}

/** The card that waits. */
export function card(page: Page) {
  return page.getByRole('region', { name: 'Waiting for your answer' }).getByRole('article');
}

/** Looks at a page as it is in a small and in a large window, in both schemes. */
export const sizes = [
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;
