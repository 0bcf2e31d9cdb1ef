// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { usd } from '../../shop/fake/data';
import { type DialogCase, testDialogs, type } from '../../shop/fake/dialogs';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import { useScans } from '../../ui/keys/useScans';
import { AdjustStock } from './AdjustStock';
import { ArchiveProduct } from './ArchiveProduct';
import { EditProduct } from './EditProduct';
import { EditVariant } from './EditVariant';
import { NewProduct } from './NewProduct';
import type { FullProduct, Variant } from './product';
import { ReceiveStock } from './ReceiveStock';
import { SetPrice } from './SetPrice';
import { SetReorder } from './SetReorder';

const variant = {
  ...{ id: 'v1', sku: 'GUJ', label: '250 g', options: { Size: '250 g' }, price: usd(1850) },
  ...{ stock: 5, available: true },
} as Variant;
const guji = {
  ...{ id: 'p1', name: 'Guji', description: '', tags: [], optionNames: ['Size'], variants: [variant] },
} as unknown as FullProduct;

const cases: Record<string, DialogCase> = {
  'catalog.createProduct': {
    fill: async (user) => {
      await type(user, 'Name', 'Mug');
      await type(user, 'SKU', 'MUG');
      await type(user, 'In stock', '7');
      await type(user, 'Price', '14,50');
    },
    submit: 'Add the product',
    args: { name: 'Mug', variants: [{ sku: 'MUG', price: { amount: 1450, currency: 'USD' }, stock: 7 }] },
    answer: { productId: 'p2' },
    enter: true,
  },
  'catalog.updateProduct': {
    fill: (user) => type(user, 'Name', 'Guji Natural'),
    submit: 'Save',
    args: { productId: 'p1', name: 'Guji Natural' },
    enter: true,
  },
  'catalog.updateProduct of a variant': {
    calls: 'catalog.updateProduct',
    fill: (user) => type(user, 'Barcode', '4006381333931'),
    submit: 'Save',
    args: { productId: 'p1', variants: [{ variantId: 'v1', barcode: '4006381333931' }] },
    enter: true,
  },
  'catalog.setPrice': {
    fill: (user) => type(user, 'New price', '19'),
    submit: 'Set the price',
    args: { variantId: 'v1', price: { amount: 1900, currency: 'USD' } },
    enter: true,
  },
  'catalog.adjustStock': {
    fill: async (user) => {
      await user.type(await screen.findByRole('combobox', { name: 'Reason' }), 'counted');
      await type(user, 'Pieces more', '-2');
    },
    submit: 'Adjust the stock',
    args: { variantId: 'v1', delta: -2, reason: 'counted' },
    enter: true,
  },
  'catalog.setReorder': {
    fill: (user) => type(user, 'Reorder at', '3'),
    submit: 'Set the level',
    args: { variantId: 'v1', level: 3 },
    enter: true,
  },
  'catalog.archiveProduct': { submit: 'Take it off sale', args: { productId: 'p1' } },
};

describe('dialogs of the catalog', () =>
  testDialogs(cases, ['catalog.updateProduct', 'Name'], ['catalog.setPrice', 'New price'], (name, onClose) => {
    switch (name) {
      case 'catalog.createProduct':
        return <NewProduct name="" onClose={onClose} onCreated={onClose} />;
      case 'catalog.updateProduct':
        return <EditProduct product={guji} onClose={onClose} />;
      case 'catalog.setPrice':
        return <SetPrice variant={variant} onClose={onClose} />;
      case 'catalog.adjustStock':
        return <AdjustStock variant={variant} onClose={onClose} />;
      case 'catalog.setReorder':
        return <SetReorder variant={variant} onClose={onClose} />;
      case 'catalog.archiveProduct':
        return <ArchiveProduct product={guji} onClose={onClose} />;
      default:
        return <EditVariant product={guji} variant={variant} onClose={onClose} />;
    }
  }));

it.each([
  [
    'Reorder at',
    '1,5',
    <SetReorder key="r" variant={variant} onClose={() => {}} />,
    'catalog.setReorder',
    'Set the level',
  ],
  [
    'Pieces more',
    '0.5',
    <AdjustStock key="a" variant={variant} onClose={() => {}} />,
    'catalog.adjustStock',
    'Adjust the stock',
  ],
  [
    'New price',
    '1.2.3',
    <SetPrice key="p" variant={variant} onClose={() => {}} />,
    'catalog.setPrice',
    'Set the price',
  ],
])('%s is not set by %s, which stays with its reason', async (name, typed, dialog, calls, submit) => {
  const backend = new WaitingBackend();
  backend.wait(calls);
  const { user } = show(backend, dialog);
  await type(user, name, typed);
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: new RegExp(`^${submit}`) }));
  expect(backend.asks).toEqual([]);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) });
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual([typed, 'true']);
});

it('a reorder level of 012 is 12', async () => {
  const backend = new WaitingBackend();
  backend.wait('catalog.setReorder');
  const { user } = show(backend, <SetReorder variant={variant} onClose={() => {}} />);
  await type(user, 'Reorder at', '012{Enter}');
  await waitFor(() => expect(backend.asks.map((one) => one.arguments)).toEqual([{ variantId: 'v1', level: 12 }]));
});

it('changes only what was typed of a product and of a variant', async () => {
  const backend = new WaitingBackend();
  backend.wait('catalog.updateProduct');
  const product = (now: FullProduct) => <EditProduct product={now} onClose={() => {}} />;
  const { user, put } = show(backend, product(guji));
  await type(user, 'Name', 'Guji Natural');
  act(() => put(product({ ...guji, description: 'From Oromia', tags: ['new'] })));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const edit = (now: Variant) => <EditVariant product={guji} variant={now} onClose={() => {}} />;
  act(() => put(edit(variant)));
  await type(user, 'Barcode', '4006381333931');
  act(() => put(edit({ ...variant, sku: 'GUJ-2', backorder: true })));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(backend.asks.map((asked) => asked.arguments)).toEqual([
    { productId: 'p1', name: 'Guji Natural' },
    { productId: 'p1', variants: [{ variantId: 'v1', barcode: '4006381333931' }] },
  ]);
});

/** A scanner types a code, a key each 10 ms of the clock of events. */
function scan(code: string): void {
  for (const [i, key] of [...code, 'Enter'].entries()) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: performance.now() + i * 10 });
    document.activeElement?.dispatchEvent(event);
  }
}
function Scanned() {
  useScans(() => expect.unreachable('a dialog is open'));
  return null;
}

it('takes a scanned code as the barcode of the first new variant without one', async () => {
  const { user } = show(
    new WaitingBackend(),
    <>
      <Scanned />
      <NewProduct name="Mug" onClose={() => {}} onCreated={() => {}} />
    </>,
  );
  await screen.findByRole('dialog');
  await user.type(screen.getByLabelText('Options', { selector: 'input' }), 'Size{Enter}');
  await user.click(screen.getByRole('button', { name: 'One more variant' }));
  const codes = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Barcode' }).map(({ value }) => value);
  act(() => scan('4006381333931'));
  await waitFor(() => expect(codes()).toEqual(['4006381333931', '']));
  act(() => scan('9780201379624'));
  await waitFor(() => expect(codes()).toEqual(['4006381333931', '9780201379624']));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Mug');
});

it('takes a scanned code as the barcode of a variant that is changed', async () => {
  show(
    new WaitingBackend(),
    <>
      <Scanned />
      <EditVariant product={guji} variant={variant} onClose={() => {}} />
    </>,
  );
  await screen.findByRole('dialog');
  act(() => scan('4006381333931'));
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Barcode' })).toHaveProperty('value', '4006381333931'),
  );
});

it('counts every scan of a delivery, though two answers come at once, and sends it once', async () => {
  const backend = new WaitingBackend();
  backend.wait('catalog.search');
  backend.wait('catalog.receiveStock');
  const { user } = show(backend, <ReceiveStock onClose={() => {}} />);
  const dialog = await screen.findByRole('dialog');
  const field = await within(dialog).findByRole('combobox', { name: /Product/ });
  const scans = () => backend.asks.filter(({ arguments: args }) => args.query === 'GUJ');
  for (const count of [1, 2, 3]) {
    await user.type(field, 'GUJ{Enter}');
    await waitFor(() => expect(scans().length).toBeGreaterThanOrEqual(count));
    await user.clear(field);
  }
  await act(async () => {
    for (const one of backend.asks) one.answer({ products: [{ ...guji, defaultVariantId: 'v1' }], hasMore: false });
  });
  expect(await within(dialog).findByRole('textbox', { name: /^Pieces of Guji, 250 g/ })).toHaveProperty('value', '3');
  await user.dblClick(within(dialog).getByRole('button', { name: 'Receive it' }));
  const sent = backend.asks.filter(({ capability }) => capability === 'catalog.receiveStock');
  expect(sent.map((asked) => asked.arguments)).toEqual([{ lines: [{ variantId: 'v1', quantity: 3 }] }]);
});

it('stores a usual reason by the same word in every language, and shows it in the window’s', async () => {
  vi.resetModules();
  const { speak } = await import('../../language/i18n');
  await speak('de', { de: () => import('../../shop/de.po') });
  const { movementText, storedWhy, whys } = await import('./product');
  expect(Object.values(whys)).toContain('gezählt');
  expect(['gezählt', 'verschenkt', 'zerkratzt'].map(storedWhy)).toEqual(['counted', 'given away', 'zerkratzt']);
  const of = (note: string) => movementText({ at: 0, delta: 3, reason: 'adjustment', note, variantId: 'v' });
  expect([of('counted'), of('zerkratzt')].map((text) => text.split(' · ')[1])).toEqual(['gezählt', 'zerkratzt']);
  const { show } = await import('../../shop/fake/show');
  const { WaitingBackend } = await import('../../shop/fake/waiting');
  const { AdjustStock } = await import('./AdjustStock');
  const backend = new WaitingBackend();
  backend.wait('catalog.adjustStock');
  const variant = { id: 'v', label: '250 g', options: {}, price: { amount: 1, currency: 'USD', text: '' } };
  const { user } = show(backend, <AdjustStock variant={{ ...variant, available: true }} onClose={() => undefined} />);
  await user.type(await screen.findByRole('textbox', { name: /^Stück mehr/ }), '3');
  await user.type(screen.getByLabelText('Grund', { selector: 'input' }), 'gezählt{Enter}');
  await waitFor(() => expect(backend.asks.map((one) => one.arguments.reason)).toEqual(['counted']));
  await speak('en', {});
  vi.resetModules();
});
