// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KitProvider } from '../kit/KitProvider';
import { shop } from '../shop/domain';
import { FakeBackend } from '../shop/fake/backend';
import { pages } from '../shop/places';
import { store } from '../ui/window/stored';
import { personalName } from '../ui/window/useKept';
import { App } from './App';
import './setup/FirstRun'; // there when it is wanted

/** Opens a window that was last left at the counter. */
function open(shopName: string | undefined) {
  if (shopName) store('localStorage', personalName('place'), { page: 'counter' });
  const backend = new FakeBackend();
  backend.shop.name = shopName;
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={shop}>
        <App />
      </KitProvider>
    </MantineProvider>,
  );
  return { backend, user: userEvent.setup() };
}

beforeAll(() => {
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** What the shop was asked to be set up with. */
const asked = ({ records }: FakeBackend) => records.find(({ capability }) => capability === 'shop.setUp')?.arguments;

it.each(['{F1}', '{F8}', '{Shift>}{F8}{/Shift}'])('takes no %s below a dialog: one Escape closes one', async (keys) => {
  const { backend, user } = open('Corner Shop');
  await screen.findByRole('heading', { level: 1, name: 'Counter' });
  const card = {
    ...{
      approval_id: 'a1',
      request_id: 'r1',
      capability: 'cart.clear',
      side_effect: 'ui-only' as const,
      title: 'Clear',
    },
    ...{ conversation_id: 'c1', sentence: 'Empty the cart', expires_at: Date.now() + 60_000, arguments: [] },
  };
  act(() => backend.emit('approval', { type: 'opened', card }));
  await screen.findByRole('article');
  await user.keyboard('{F3}');
  await screen.findByRole('dialog', { name: 'Choose customer' });
  await user.keyboard(`Ana${keys}na`);
  screen.getByRole('dialog', { name: 'Choose customer' });
  expect(screen.getByRole('combobox', { name: 'Search customers' })).toHaveProperty('value', 'Anana');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('article'), 'it was not denied').not.toBeNull();
  act(() => backend.emit('approval', { type: 'closed', card, answer: 'deny' }));
});

describe('App in a folder without a shop', () => {
  it('offers two ways to begin, and nothing that fails', async () => {
    store('localStorage', personalName('place'), { page: 'orders', id: '#W1' });
    const { backend } = open(undefined);
    await screen.findByRole('region', { name: 'Sample shop' });
    screen.getByRole('region', { name: 'Empty shop' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(backend.records.filter(({ status }) => status !== 'success')).toEqual([]);
  });
  it('makes the sample shop and opens the day', async () => {
    const { user } = open(undefined);
    await user.click(await screen.findByRole('button', { name: 'Open the sample shop' }));
    await screen.findByRole('heading', { level: 1, name: 'Today' });
    await screen.findByText('Alder & Finch Coffee');
  });
  it('makes an empty shop by the name it was given', async () => {
    const { backend, user } = open(undefined);
    await screen.findByDisplayValue('US Dollar (USD)');
    await user.type(await screen.findByRole('textbox', { name: 'Name of the shop' }), 'Corner Shop{Enter}');
    await screen.findByText('Corner Shop');
    expect(asked(backend)).toEqual({
      ...{ from: 'empty', name: 'Corner Shop', country: 'US', currency: 'USD', timeZone: 'America/Denver' },
      ...{ ratePpm: 0, pricesIncludeTax: false },
    });
  });
  it('takes currency, tax and time zone from the country, and what is changed by hand', async () => {
    const { backend, user } = open(undefined);
    await user.type(await screen.findByRole('textbox', { name: 'Name of the shop' }), 'Laden');
    await screen.findByDisplayValue('US Dollar (USD)');
    const country = screen.getByRole('combobox', { name: 'Country of the shop' });
    await user.clear(country);
    await user.type(country, 'germ');
    await user.keyboard('{Enter}');
    await screen.findByDisplayValue('Euro (EUR)');
    const percent = screen.getByRole('textbox', { name: 'Tax in percent' });
    expect((percent as HTMLInputElement).value).toBe('19');
    await user.clear(percent);
    await user.type(percent, 'x');
    await user.click(screen.getByRole('button', { name: /^Start with an empty shop/ }));
    expect(asked(backend)).toBeUndefined();
    await user.clear(percent);
    await user.type(percent, '7,5{Enter}');
    await waitFor(() => expect(asked(backend)).toBeDefined());
    expect(asked(backend)).toEqual({
      ...{ from: 'empty', name: 'Laden', country: 'DE', currency: 'EUR', timeZone: 'Europe/Berlin' },
      ...{ ratePpm: 75_000, pricesIncludeTax: true },
    });
  });
});

describe('App in a folder with a shop', () => {
  it('opens the desk', async () => {
    open('Corner Shop');
    await screen.findByRole('navigation', { name: 'Pages' });
    expect(screen.queryByText('Welcome to Deskhand')).toBeNull();
  });

  it('lists the keys of each page, and none is bound twice', async () => {
    const { user } = open('Corner Shop');
    await screen.findByRole('heading', { level: 1, name: 'Counter' });
    const keys = async () => {
      await user.keyboard('{F1}');
      const dialog = await screen.findByRole('dialog', { name: 'Keys' });
      const listed = within(dialog).getAllByRole('term');
      const of = new Map(listed.map((key) => [key.textContent, key.nextElementSibling?.textContent]));
      expect(of.size, 'each is listed once').toBe(listed.length);
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      return of;
    };
    const counter = await keys();
    expect(counter.get('F2')).toBe('Search products');
    expect(counter.get('F3')).toBe('Choose customer');
    expect(counter.get('Shift F3')).toBe('New customer');
    for (const { title: name, shortcut } of pages.filter(({ page }) => page !== 'counter')) {
      await user.keyboard(`{Alt>}${shortcut.slice(-1)}{/Alt}`);
      await screen.findByRole('heading', { level: 1, name });
      const page = await keys();
      expect(page.get('F2'), name).toBe('Search products at the counter');
      expect(page.has('F6'), name).toBe(true); // of a capability
      expect(page.get('/') !== undefined, name).toBe(['Orders', 'Customers', 'Catalog', 'Audit'].includes(name));
    }
  });

  it('names the customer of a card, and opens their page from there', async () => {
    const { backend, user } = open('Corner Shop');
    await screen.findByRole('navigation', { name: 'Pages' });
    const card = {
      ...{ approval_id: 'a1', request_id: 'r1', capability: 'cart.setCustomer', side_effect: 'ui-only' as const },
      ...{ title: 'Choose the customer', sentence: 'Choose a customer', expires_at: Date.now() + 60_000 },
      arguments: [{ pointer: '/customerId', label: 'Customer', value: 'cus_ana', text: 'cus_ana' }],
    };
    act(() => backend.emit('approval', { type: 'opened', card }));
    const shown = await screen.findByRole('article', { name: card.sentence });
    await user.click(await within(shown).findByRole('button', { name: /^Ana/ }));
    const gone = () => backend.records.find(({ capability }) => capability === 'navigation.go')?.arguments;
    await waitFor(() => expect(gone()).toEqual({ page: 'customers', id: 'cus_ana' }));
  });

  it('keeps what was begun behind the lock, out of reach and deaf to its keys', async () => {
    const { backend, user } = open('Corner Shop');
    const search = await screen.findByRole('combobox', { name: 'Search products' });
    // Put there at once: what is typed key by key has its change told when the lock
    // takes the focus, in the middle of drawing.
    fireEvent.change(search, { target: { value: 'half a wo' } });
    search.focus();
    const lock = (person: string | undefined) =>
      act(async () => {
        backend.lockedFor = person;
        backend.emit('bus', { type: 'stateChange', domain: 'lock' });
      });
    await lock('Mara Lindqvist');
    const pin = await screen.findByLabelText('PIN of Mara Lindqvist');
    expect(search.closest<HTMLElement>('body > *')?.inert).toBe(true);
    const asked = backend.asked;
    await user.type(pin, '47{F9}{Control>}k{/Control}{Escape}');
    expect((pin as HTMLInputElement).value).toBe('47');
    expect(backend.asked, 'nothing was asked for from behind').toBe(asked);
    expect(screen.queryByRole('dialog')).toBeNull();
    await lock(undefined);
    await waitFor(() => expect(screen.queryByLabelText('PIN of Mara Lindqvist')).toBeNull());
    expect((screen.getByRole('combobox', { name: 'Search products' }) as HTMLInputElement).value).toBe('half a wo');
    expect(search.isConnected, 'it is the same field').toBe(true);
    expect(document.activeElement).toBe(search);
  });
});

describe('App whose shop cannot be opened', () => {
  it('says why, and opens it when the cause is gone', async () => {
    const backend = new FakeBackend();
    backend.shop.name = 'Corner Shop';
    const works = backend.manifest.bind(backend);
    const error = { code: 'PRECONDITION_FAILED', message: 'The disk is full.', recovery_hint: 'Make room on it.' };
    backend.manifest = async () => JSON.stringify({ error });
    render(
      <MantineProvider env="test">
        <KitProvider backend={backend} domain={shop}>
          <App />
        </KitProvider>
      </MantineProvider>,
    );
    await screen.findByRole('heading', { name: 'The shop could not be opened' });
    expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
    expect(screen.getByRole('alert').textContent).toContain('Make room on it.');
    backend.manifest = works;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('navigation', { name: 'Pages' });
  });
});
