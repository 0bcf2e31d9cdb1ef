import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { FakeBackend } from '../src/shop/fake/backend';

/** The addresses of the applications: each worker has its own application and shop. */
const applications = process.env.DESKHAND_URLS?.trim().split(' ') ?? [];

export const real = applications.length > 0;

/*
 * Messages of the development server of Wails: its script looks for a document that
 * is not there yet, and no icon is served. Any other message or exception fails the test.
 */
const knownNoise: readonly RegExp[] = [
  /^Cannot read properties of null \(reading 'nodes'\)$/,
  /^Cannot read properties of undefined \(reading 'EventsNotify'\)$/, // an event comes between a reload and Wails’ runtime
  /^Failed to load resource: the server responded with a status of 404 .*\/favicon\.ico$/,
  /Unknown message from front end: runtime:ready/,
];

/** The window, opened and ready, with nothing unexpected on its console by the end. */
export const test = base.extend<{ desk: Page }>({
  baseURL: async ({ baseURL }, use, { parallelIndex }) => use(applications[parallelIndex] ?? baseURL),
  desk: async ({ page }, use) => {
    const noise: string[] = [];
    const note = (text: string) => {
      if (!knownNoise.some((known) => known.test(text))) noise.push(text);
    };
    page.on('pageerror', (error) => note(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') note(`${message.text()} ${message.location().url}`);
    });
    if (real) await dropCallsWhileLeaving(page);
    else await standIn(page);
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
    await openPage(page, 'Counter');
    await use(page);
    expect(noise, 'nothing unexpected on the console').toEqual([]);
  },
});

/** The pages as the rail names them. */
export const pageNames = [
  ...(['Today', 'Counter', 'Orders', 'Customers', 'Catalog'] as const),
  ...(['Reports', 'Audit', 'Settings'] as const),
];
type PageName = (typeof pageNames)[number];

/** Opens a page by its name in the rail. */
export async function openPage(page: Page, name: PageName): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
}

/** Chooses a customer through the picker, by keyboard. */
export async function chooseCustomer(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F3');
  await page.getByRole('combobox', { name: 'Search customers' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Cart' })).toContainText(name);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target.first()).toBeAttached();
  for (let presses = 0; presses < 200; presses += 1) {
    if (await target.and(page.locator(':focus')).count()) return;
    await page.keyboard.press('Tab');
  }
  await expect(target.first(), 'Tab leads there').toBeFocused();
}

/** The scroll position of a list, once it is beyond `beyond` and rests. */
export async function scrolled(list: Locator, beyond: number): Promise<number> {
  let top = -1;
  const rests = async () => {
    const before = top;
    top = await list.evaluate((element) => element.scrollTop);
    return top > beyond && top === before;
  };
  await expect.poll(rests).toBe(true);
  return top;
}

/** Puts a bag of the Guji into the cart. */
export async function putGuji(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search products' }).fill('guji');
  await page.getByRole('grid', { name: 'Products found' }).getByRole('row', { name: /Guji/ }).first().click();
  await expect(page.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
}

/** Types as a person does: keys that come faster are a scanner's, on a busy machine some of them. */
export async function typeText(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 60 });
}

/** Presses the keys of a scanner: ten milliseconds apart, however busy the machine is. */
export async function scan(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r', unmodifiedText: '\r' };
  const keys = [...code].map((key) => ({ key, text: key, unmodifiedText: key }));
  const began = Date.now() / 1000;
  const sent = [...keys, enter].flatMap(({ text, unmodifiedText, ...key }, index) => {
    const timestamp = began + index / 100;
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text, unmodifiedText, timestamp }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, timestamp }),
    ];
  });
  await Promise.all(sent);
  // A person presses the next key after the last one of the scanner, whose times may lie ahead.
  const after = (began + keys.length / 100) * 1000 + 60;
  await page.waitForFunction((time) => performance.timeOrigin + performance.now() > time, after);
  await session.detach();
}

/** Empties the cart at the desk: an earlier flow may have left lines. */
export async function emptyCart(page: Page): Promise<void> {
  const lines = page.getByRole('list', { name: 'In the cart' }).getByRole('listitem');
  await expect(page.getByRole('region', { name: 'Cart' })).toContainText(/The cart is empty|each/);
  // A line may belong to a cart that was just sold, and go by itself.
  await expect(async () => {
    if ((await lines.count()) > 0)
      await lines
        .first()
        .getByRole('button', { name: /^Remove / })
        .click({ timeout: 2_000 });
    expect(await lines.count()).toBe(0);
  }).toPass();
}

/** The sample's owner, and her PIN once somebody was added. */
export const OWNER = { name: 'Mara Lindqvist', pin: '27182' };

/** Signs in the sample's owner again, also after a failed flow: the others need her. */
export async function leaveToOwner(page: Page): Promise<void> {
  // After wrong PINs a sign-in is refused for a while: the flow tries again.
  const signIn = () => call(page, 'session.signIn', { staffId: 'mara_lindqvist', pin: OWNER.pin });
  await expect.poll(signIn, { timeout: 60_000 }).toMatchObject({ status: 'success' });
  await expect(page.getByRole('banner')).toContainText(OWNER.name);
}

/** Opens the staff in the settings. */
export async function openStaff(page: Page): Promise<void> {
  await openPage(page, 'Settings');
  await page.getByRole('tab', { name: 'Staff' }).click();
}

/** Opens the form for somebody new. The owner needs a PIN first. */
export async function addSomebody(page: Page): Promise<Locator> {
  await openStaff(page);
  await page.getByRole('button', { name: 'Add somebody' }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const pin = dialog.getByLabel('New PIN', { exact: true });
  await expect(name.or(pin)).toBeVisible();
  if (await pin.isVisible()) {
    await expect(dialog).toContainText(`${OWNER.name} has no PIN`);
    await pin.click();
    await typeText(page, OWNER.pin);
    await dialog.getByLabel('Once more', { exact: true }).click();
    await typeText(page, OWNER.pin);
    await page.keyboard.press('Enter');
  }
  await expect(name).toBeVisible();
  return dialog;
}

/** Leaves the desk. The list of people is shown; a person with a PIN is asked for it first. */
export async function leaveDesk(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Lock/ }).click();
  const somebodyElse = page.getByRole('button', { name: 'Somebody else' });
  await expect(async () => {
    if (await somebodyElse.isVisible()) await somebodyElse.click({ timeout: 1_000 });
    await expect(page.getByText('Who is at the desk?')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Signs a person in from the list of people, with a PIN where there is one, and opens the counter. */
export async function signIn(page: Page, name: string, pin?: string): Promise<void> {
  await page.getByRole('list', { name: 'People' }).getByRole('button', { name }).click();
  if (pin !== undefined) {
    await page.getByLabel(`PIN of ${name}`, { exact: true }).click();
    await typeText(page, pin);
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('banner')).toContainText(name);
  await openPage(page, 'Counter');
}

/** The bound methods of the application, as Wails puts them on the window. */
export interface Bound {
  go?: { main?: { App?: { Invoke(json: string): Promise<string> } } };
}

/**
 * Runs a capability as the person at the desk, without the page, and returns the result envelope. A change of language
 * loads the page again, at times before the answer: it is set once more then, which changes nothing.
 */
export async function call(page: Page, capability: string, args: object): Promise<unknown> {
  const invoked = async () => {
    await page.waitForFunction(() => (window as unknown as Bound).go?.main?.App !== undefined);
    return page.evaluate(
      (invocation) => {
        const caller = { type: 'ui', source: 'e2e' };
        return (window as unknown as Required<Bound>).go.main?.App?.Invoke(
          JSON.stringify({ ...invocation, request_id: crypto.randomUUID(), caller }),
        );
      },
      { capability, arguments: args },
    );
  };
  const answer = await invoked().catch((error) => {
    if (capability !== 'language.set' || !/context was destroyed/.test(String(error))) throw error;
    return invoked();
  });
  return JSON.parse(answer ?? '{}');
}

/*
 * Wails' development script closes its socket when the page is about to be left, and
 * then throws on every call. The page runs until the next document is there; its calls
 * in that time have no listener and are dropped.
 */
export async function dropCallsWhileLeaving(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.addEventListener('beforeunload', () => Object.assign(window, { WailsInvoke: () => undefined }));
  });
}

/** Binds the in-memory application as Wails binds the real one. */
async function standIn(page: Page): Promise<void> {
  const backend = new FakeBackend();
  await page.exposeFunction('callFake', (method: string, json: string) => {
    switch (method) {
      case 'Invoke':
        return backend.invoke(json);
      case 'Manifest':
        return backend.manifest(json);
      case 'Send':
        return backend.send(json);
      case 'Decide':
        return backend.decide(json);
      case 'PickFile':
        return backend.pickFile();
      case 'DropFile':
        return backend.dropFile(json);
      default:
        return '{}';
    }
  });
  for (const stream of ['bus', 'chat', 'approval'] as const) {
    backend.on(stream, (payload) => {
      page.evaluate(([name, text]) => window.dispatchEvent(new CustomEvent(`fake:${name}`, { detail: text })), [
        stream,
        payload,
      ] as const);
    });
  }
  await page.addInitScript(() => {
    const call = (window as unknown as { callFake: (method: string, json: string) => Promise<string> }).callFake;
    const App = Object.fromEntries(
      ['Invoke', 'Cancel', 'Manifest', 'Send', 'Stop', 'Decide', 'PickFile', 'DropFile'].map((name) => [
        name,
        (json: string) => call(name, json),
      ]),
    );
    let number = 0;
    const runtime = {
      EventsOn(name: string, listener: (payload: string, number: number) => void) {
        const heard = (event: Event) => {
          number += 1;
          listener((event as CustomEvent<string>).detail, number);
        };
        window.addEventListener(`fake:${name}`, heard);
        return () => window.removeEventListener(`fake:${name}`, heard);
      },
    };
    Object.assign(window, { go: { main: { App } }, runtime });
  });
}

/** Chooses what is seldom done with the order that is open. */
export async function seldom(page: Page, name: string): Promise<void> {
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menu', { name: 'More' }).getByRole('menuitem', { name }).click();
}

/** Opens the list of what cannot be done with the order that is open. */
export async function impossible(page: Page): Promise<Locator> {
  await seldom(page, 'Not possible now');
  return page.getByRole('dialog', { name: 'Not possible now' });
}
