import { readdirSync, readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { invoke } from './bridge';
import { chooseCustomer, openPage, pageNames, putGuji, real, test } from './desk';
import { look, problemsOf } from './look';

/*
 * Every surface of the window, each by the name of its picture.
 * States that all lists or all forms share are checked where they are easiest to reach.
 */
const seen: Record<string, readonly string[]> = {
  Counter: [
    ...['counter', 'counter-long-names', 'counter-contrast', 'discount'],
    ...['scanner-next', 'scanner-unknown', 'scanner-elsewhere'],
    ...[
      'till-walk-in',
      'till-cash',
      'till-sold',
      'till-deliver',
      'till-new-product',
      'till-new-customer',
      'till-order',
      'till-discount',
      'till-notes',
      'till-part',
      'till-price',
      'till-open-item',
      'till-open-line',
      'day-touch',
    ],
  ],
  Orders: [
    'orders',
    'orders-filters',
    'orders-selected',
    'card-same',
    'draft',
    'draft-ended',
    'trace-same',
    ...['routine-save', 'routine-save-time', 'palette-routine', 'routine-form', 'card-routine', 'settings-routines'],
    'orders-views',
    'orders-period',
    'order',
    'order-refunded',
    'orders-loading',
    'orders-error',
    'orders-long-names',
    'orders-contrast',
    ...['order-address', 'order-payment', 'order-items', 'order-items-added', 'order-parcel', 'order-exchange'],
    ...[
      'order-return',
      'order-received',
      'order-returned',
      'order-taken-back',
      'order-more',
      'order-receipt',
      'order-refused',
    ],
  ],
  Customers: [
    ...['customers', 'customers-none', 'customers-long-names', 'customers-other-script', 'customers-contrast'],
    ...[
      'customer',
      'customer-new',
      'customer-address',
      'customer-note',
      'customer-note-counter',
      'customer-method',
      'customer-changed',
    ],
    ...[
      'customer-long-name',
      'customer-erase',
      'customers-selected',
      'customer-more',
      'customer-merge',
      'customer-merged',
    ],
  ],
  Catalog: [
    ...['catalog', 'catalog-contrast', 'product', 'product-new', 'product-price', 'product-stock'],
    ...[
      'product-variant',
      'product-changed',
      'product-archive',
      'product-clerk',
      'import-mistakes',
      'import-preview',
      'import-pictures',
    ],
    ...['receive-stock', 'product-imported', 'product-picture', 'catalog-picture', 'product-reorder', 'report-levels'],
    'catalog-selected',
  ],
  'The beginning and who is there': [
    ...[
      'first-run',
      'first-run-country',
      'first-run-refused',
      'first-run-stopped',
      'setup-offer',
      'setup-shop',
      'setup-person',
    ],
    ...['sign-in', 'pin-wrong', 'lock', 'tour', 'tour-not-yet', 'tour-asked', 'tour-steps'],
  ],
  Today: [...['today', 'today-nothing', 'today-error', 'today-contrast'], ...['cash-move', 'close-day']],
  Reports: [
    ...[
      'report-sales',
      'report-products',
      'report-stock',
      'report-nothing',
      'report-payments',
      'report-returns',
      'report-compared',
      'report-payments-compared',
    ],
    ...['report-loading', 'report-contrast', 'report-closings'],
  ],
  Chat: [
    ...['chat', 'chat-suggestions', 'chat-records', 'chat-plan', 'chat-stopped', 'chat-conversations'],
    ...['chat-broken', 'chat-offline', 'chat-off', 'chat-mention', 'chat-choices'],
    ...['chat-open-record', 'chat-opened-again'],
    ...['chat-budget', 'chat-autonomy', 'form-filled'],
  ],
  'Confirmation card': [
    ...['card-bill', 'card-bill-rows', 'card-declined'],
    ...['card', 'card-edit', 'card-grant', 'card-taint', 'card-plan', 'card-request', 'card-changed', 'card-sent'],
    ...['card-refused', 'scanner-card'],
    ...['mail-receipt', 'mail-refused', 'copies-restore'],
    ...['approve', 'approve-wrong', 'approve-left', 'approve-discount', 'approve-record'],
  ],
  Palette: [
    ...['palette', 'form', 'palette-contrast', 'choices', 'found', 'found-first', 'palette-views'],
    ...['found-nothing-palette', 'found-nothing-counter', 'found-nothing-list'],
  ],
  Audit: [
    ...['audit', 'trace', 'audit-found', 'audit-empty', 'audit-undone', 'audit-conflict', 'audit-export'],
    ...['audit-report', 'audit-news', 'audit-saved-filters', 'audit-loading', 'audit-error', 'audit-contrast'],
    ...['audit-searched-back', 'audit-days', 'audit-long-trace', 'audit-verify-stopped', 'audit-record', 'audit-names'],
    ...['audit-turn', 'audit-turns'],
    ...['audit-more', 'palette-rows', 'scanner-dialog'],
  ],
  'The frame of the window': [
    ...[
      'page-failed',
      'disk-full',
      'just-done',
      'activity',
      'activity-asked',
      'card-more-time',
      'card-of-client',
      'card-suggestion',
      'card-tried',
      'german-palette',
      'german-card',
    ],
    ...['drop-target', 'drop-asked'],
  ],
  Settings: [
    ...[
      'settings-dark',
      'settings-drafts',
      'card-merge',
      'card-merge-moved',
      'settings-suggested',
      'settings-grant-tried',
      'settings-try-model-card',
      'settings-model-tried',
      'settings-contrast',
      'settings-light',
      'settings-shop',
      'settings-logo',
      'settings-shipping',
      'settings-mail',
    ],
    ...['settings-assistant', 'settings-copies', 'settings-model', 'settings-verdict', 'settings-leaves'],
    ...['settings-local-models', 'settings-local-answers'],
    ...['settings-programs-none', 'settings-program-let-in', 'settings-program-start', 'settings-programs'],
    ...['settings-peer-card', 'settings-peers'],
    ...['settings-rules', 'settings-grant', 'settings-webhooks', 'mail-settings', 'copies', 'copies-restored'],
    ...['settings-lock', 'settings-staff', 'staff-pin', 'staff-new', 'backups', 'settings-budget'],
    ...[
      'settings-rules-of-the-house',
      'chat-customer',
      'chat-plan-rows',
      'settings-review',
      'settings-notifications',
      'card-review',
      'chat-review',
    ],
  ],
  'Several desks': [
    'link-cut',
    'link-cut-sign-in',
    'join',
    'join-wrong-code',
    'join-waiting',
    'join-cancelled',
    'removed',
    ...['settings-desks-none', 'settings-desks-problem', 'settings-desks-asks', 'settings-desks'],
  ],
  'An archive': ['archive-shops', 'archive-verified', 'archive-audit', 'archive-record'],
  'Large text and large targets': [
    ...['settings-large-text', 'counter-large-text', 'orders-large-text', 'card-large-text', 'card-large-text-chat'],
    ...['counter-touch', 'orders-touch', 'orders-selected-touch', 'card-large-text-german'],
  ],
};

test('everything in the list is looked at, and nothing else', () => {
  const flows = readdirSync('e2e').filter((name) => name.endsWith('.spec.ts') && name !== 'look.spec.ts');
  const here = readFileSync('e2e/look.spec.ts', 'utf8').split('\n// Looked at here')[1] ?? '';
  const source = [here, ...flows.map((name) => readFileSync(`e2e/${name}`, 'utf8'))].join('\n');
  const listed = Object.values(seen).flat();
  expect(listed.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
  const looked = [...source.matchAll(/\blook\(\w+, '([^']+)'\)/g)].map(([, name]) => name);
  expect(looked.length).toBeGreaterThan(40);
  expect(looked.filter((name) => !listed.includes(name ?? ''))).toEqual([]);
});

// Looked at here: the surfaces that no other flow reaches.

/** Answers one capability with a failure, or not at all, until the page is opened again. */
async function instead(page: Page, capability: string, answer: 'nothing' | 'a failure'): Promise<void> {
  await page.evaluate(
    ([name, how]) => {
      const { App } = (window as unknown as { go: { main: { App: { Invoke: (json: string) => Promise<string> } } } }).go
        .main;
      const invoke = App.Invoke;
      App.Invoke = (json) => {
        const { capability, request_id } = JSON.parse(json);
        if (capability !== name) return invoke(json);
        if (how === 'nothing') return new Promise(() => undefined);
        const message = 'The shop cannot be read.';
        const recovery_hint = 'See whether its disk is there, then try again.';
        return Promise.resolve(
          JSON.stringify({ request_id, status: 'error', code: 'INTERNAL', message, recovery_hint }),
        );
      };
    },
    [capability, answer] as const,
  );
}

test('a page says that it is being read, and what went wrong', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'the answers of the application are held back');
  await instead(desk, 'order.search', 'nothing');
  await openPage(desk, 'Orders');
  await expect(desk.getByRole('status').filter({ hasText: 'Reading the list' })).toBeAttached();
  await look(desk, 'orders-loading');
  await instead(desk, 'audit.search', 'nothing');
  await openPage(desk, 'Audit');
  await expect(desk.getByRole('status').filter({ hasText: 'Reading the journal' })).toBeAttached();
  await look(desk, 'audit-loading');
  await instead(desk, 'report.sales', 'nothing');
  await openPage(desk, 'Reports');
  await expect(desk.getByRole('status').filter({ hasText: 'Adding up' })).toBeAttached();
  await look(desk, 'report-loading');

  await openPage(desk, 'Counter'); // so that nothing of the three is read when it is opened again
  await desk.reload();
  for (const [page, capability, picture] of [
    ['Orders', 'order.search', 'orders-error'],
    ['Audit', 'audit.search', 'audit-error'],
    ['Today', 'report.today', 'today-error'],
  ] as const) {
    await instead(desk, capability, 'a failure');
    await openPage(desk, page);
    await expect(desk.getByRole('main').getByRole('alert').first()).toContainText('The shop cannot be read');
    await expect(desk.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
    await look(desk, picture);
  }
});

test('names that are long, or of another script and direction, stay whole and in their place', {
  tag: '@long',
}, async ({ desk }) => {
  test.skip(!real, 'customers are the real shop’s');
  const long = 'Wilhelmina Constantia Freiherrin von Hohenstaufen-Donaueschingen zu Schwarzburg-Sondershausen';
  const arabic = 'فاطمة الزهراء بنت محمد القرطبي';
  for (const name of [arabic, long]) await invoke(desk, 'customer.create', { name });
  await chooseCustomer(desk, long);
  await putGuji(desk);
  await look(desk, 'counter-long-names');

  await openPage(desk, 'Customers');
  const customers = desk.getByRole('grid', { name: 'Customers' }).getByRole('row');
  const search = desk.getByRole('searchbox', { name: 'Search customers' });
  await search.fill(arabic);
  await expect(customers.filter({ hasText: arabic }).first()).toBeVisible();
  await look(desk, 'customers-other-script');
  await search.fill(long);
  await expect(customers.filter({ hasText: long }).first()).toBeVisible();
  await look(desk, 'customers-long-names');
  await customers.filter({ hasText: long }).first().click();
  await expect(desk.getByRole('heading', { level: 1, name: long })).toBeVisible();
  await look(desk, 'customer-long-name');

  await openPage(desk, 'Orders');
  await expect(desk.getByRole('grid', { name: 'Orders' }).getByRole('row').first()).toBeVisible();
  await look(desk, 'orders-long-names');
});

test('in high contrast every page can be used by everybody', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'reports are the real shop’s');
  await invoke(desk, 'theme.set', { theme: 'contrast' });
  try {
    await expect(desk.locator('html')).toHaveAttribute('data-contrast', '');
    await putGuji(desk);
    await look(desk, 'counter-contrast');
    await openPage(desk, 'Orders');
    await look(desk, 'orders-contrast');
    await openPage(desk, 'Customers');
    await look(desk, 'customers-contrast');
    await openPage(desk, 'Catalog');
    await look(desk, 'catalog-contrast');
    await openPage(desk, 'Today');
    await look(desk, 'today-contrast');
    await openPage(desk, 'Reports');
    await look(desk, 'report-contrast');
    await openPage(desk, 'Audit');
    await look(desk, 'audit-contrast');
    await desk.keyboard.press('Control+K');
    await look(desk, 'palette-contrast');
  } finally {
    await invoke(desk, 'theme.set', { theme: 'light' });
  }
});

test('days without a sale say so', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'reports are the real shop’s');
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales' }).click();
  await desk.getByRole('button', { name: 'Days' }).click();
  for (let month = 0; month < 15; month += 1) await desk.getByRole('button', { name: 'Previous month' }).click();
  const days = desk.getByRole('table').getByRole('button', { disabled: false });
  await days.nth(8).click();
  await days.nth(9).click();
  await desk.keyboard.press('Escape');
  await expect(desk.getByText('Nothing was sold in these days')).toBeVisible();
  await look(desk, 'report-nothing');
});

test('at 200 % nothing is cut off and everything is reached', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'reports are the real shop’s');
  for (const size of [
    { width: 960, height: 540 }, // 1920 × 1080 at 200 %
    { width: 640, height: 400 }, // 1280 × 800 at 200 %
  ]) {
    await desk.setViewportSize(size);
    for (const page of pageNames) {
      await openPage(desk, page);
      await expectAccessible(desk, `${page} at 200 %`);
      if (process.env.DESKHAND_PICTURES) {
        await desk.screenshot({ path: `test-results/zoom-${page.toLowerCase()}-${size.width}.png` });
      }
      expect(await outside(desk), `${page} at ${size.width}: outside of the window`).toEqual([]);
    }
  }
});

/** Usable elements outside the window that cannot be scrolled to. */
async function outside(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, a[href], [role=tab]')]
      .filter((element) => element.checkVisibility() && !element.closest('[class*=skip]'))
      .filter((element) => {
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        return width > 1 && (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1);
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.outerHTML.slice(0, 80)),
  );
}

test('where motion is not wanted nothing moves', { tag: '@long' }, async ({ desk }) => {
  const moving = () =>
    desk.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0) > 20)
        .map((animation) => (animation.effect as KeyframeEffect | null)?.target?.outerHTML.slice(0, 120)),
    );
  await desk.keyboard.press('Control+K');
  expect(await moving()).toEqual([]);
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('Control+J');
  expect(await moving()).toEqual([]);
  await desk.keyboard.press('?');
  expect(await moving()).toEqual([]);
});

test('a look finds a fault that shows in one way only', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'the parts that were checked are kept by the run');
  const place = '#added { position: fixed; inset: 6rem auto auto 6rem; background: var(--mantine-color-body) }';
  /** What a look finds after an element was added to the page. */
  const foundWith = async (html: string, style = '') => {
    await desk.evaluate(
      ([html, style, place]) => {
        const added = document.querySelector('main')?.appendChild(document.createElement('div'));
        if (added) Object.assign(added, { id: 'added', innerHTML: `<style>${place}${style}</style>${html}` });
      },
      [html, style, place] as const,
    );
    const found = await problemsOf(desk, 'a fault');
    await desk.evaluate(() => document.querySelector('#added')?.remove());
    return found;
  };
  /** The ways in which a fault was found, each in short. */
  const waysIn = (found: string[], fault: RegExp) =>
    found.filter((one) => fault.test(one)).map((one) => one.split(':')[0]);

  expect(await foundWith('<p class="fine">Save</p>')).toEqual([]);
  const dark = "[data-mantine-color-scheme='dark'] .faint { color: #555 }";
  const faint = await foundWith('<p class="faint">Too dark to read</p>', dark);
  expect(faint.filter((one) => one.includes('color-contrast')).length).toBeGreaterThan(0);
  expect(faint.every((one) => /dark/.test(one))).toBe(true);
  expect(await foundWith('<button type="button" class="nameless"></button>')).toContainEqual(
    expect.stringContaining('button-name'),
  );
  const narrow =
    '.narrow { width: 96px; padding: 0; border: 0; overflow: hidden; white-space: nowrap; font-size: 0.8125rem }';
  const cut = await foundWith('<button type="button" class="narrow">Save</button>', narrow);
  expect(waysIn(cut, /cut off/).every((way) => way?.startsWith('de 200'))).toBe(true);
  expect(waysIn(cut, /cut off/)).toHaveLength(1);
  const wide = '.wide { position: fixed; inset: 0 auto auto 0; width: 1100px } .wide button { float: right }';
  const dialog = await foundWith(
    '<div role="dialog" aria-label="Wide" class="wide"><button type="button">Save</button></div>',
    wide,
  );
  expect(waysIn(dialog, /out of reach/).length).toBeGreaterThan(0);
  expect(waysIn(dialog, /out of reach/).every((way) => way?.includes('1024'))).toBe(true);
  const close = '.close { display: block; width: 14px; height: 14px; padding: 0; border: 0 }';
  const two = '<button type="button" class="close">+</button><button type="button" class="close">-</button>';
  expect(await foundWith(two, close)).toContainEqual(expect.stringContaining('target-size'));
  expect(await foundWith('<h5>A heading that skips four levels</h5>')).toContainEqual(
    expect.stringContaining('heading-order'),
  );
  expect(await foundWith('<nav aria-label="Pages"><a href="#top">Top</a></nav>')).toContainEqual(
    expect.stringContaining('landmark-unique'),
  );
  // A part that was checked and then loses its name is checked again.
  const named = (label: string) =>
    `<button type="button" class="seen" ${label}><svg width="30" height="30"></svg></button>`;
  expect(await foundWith(named('aria-label="Add"'))).toEqual([]);
  expect(await foundWith(named(''))).toContainEqual(expect.stringContaining('button-name'));
});
