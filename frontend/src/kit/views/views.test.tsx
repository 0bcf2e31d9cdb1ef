// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Backend } from '../../bridge/backend';
import { forgetKept } from '../../ui/window/useKept';
import { KitProvider } from '../KitProvider';
import { SaveView } from './SaveView';
import { useListValues } from './useListValues';
import { ViewBar } from './ViewBar';
import { alike, type View } from './view';

/** An application that keeps views, and nothing else. */
class Keeper {
  views: View[] = [];
  readonly #listeners = new Set<(payload: string) => void>();
  on(stream: string, listener: (payload: string) => void) {
    if (stream === 'bus') this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async manifest() {
    const capabilities = ['view.list', 'view.save', 'view.remove'].map((name) => ({
      ...{ name, title: name, side_effect: 'pure', available: true },
    }));
    return JSON.stringify({ application: { name: 'Notes', version: '1' }, capabilities, entities: [] });
  }
  async invoke(json: string) {
    const { capability, arguments: args, request_id } = JSON.parse(json);
    if (capability !== 'view.list') {
      const viewId = args.viewId ?? `v${this.views.length + 1}`;
      this.views = this.views.filter((view) => view.id !== viewId);
      const { list, name, values } = args;
      if (capability === 'view.save') this.views.push({ id: viewId, list, name, values });
      for (const tell of this.#listeners) tell(JSON.stringify({ type: 'stateChange', domain: 'view', ids: [viewId] }));
    }
    return JSON.stringify({ status: 'success', request_id, data: { views: this.views } });
  }
}

let keeper: Keeper;
const domain = {
  views: { list: 'view.list', save: 'view.save', remove: 'view.remove', pages: { 'note.list': 'notes' } },
};

function Notes() {
  const [values, onChange] = useListValues('note.list');
  return (
    <>
      <label>
        Words
        <input
          value={String(values.query ?? '')}
          onChange={({ target }) => onChange({ ...values, query: target.value })}
        />
      </label>
      <SaveView of="note.list" values={values} />
      <ViewBar of="note.list" values={values} onChange={onChange} />
    </>
  );
}

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
beforeEach(() => {
  forgetKept();
  keeper = new Keeper();
  render(
    <MantineProvider env="test">
      <KitProvider backend={keeper as unknown as Backend} domain={domain}>
        <Notes />
      </KitProvider>
    </MantineProvider>,
  );
});
afterEach(cleanup);

const words = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Words' });

async function save(text: string, name: string) {
  const user = userEvent.setup();
  await user.clear(words());
  await user.type(words(), text);
  await user.click(await screen.findByRole('button', { name: 'Save this view' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), `${name}{Enter}`);
  await screen.findByRole('button', { name });
}

it('saves what the list is narrowed to, and shows it again by a press', async () => {
  const user = userEvent.setup();
  expect((await screen.findByRole('button', { name: 'Save this view' })).getAttribute('aria-disabled')).toBe('true');
  await save('late', 'Overdue');
  await save('vip', 'Friends');
  expect(keeper.views.map(({ name, list, values }) => ({ name, list, values }))).toEqual([
    { name: 'Overdue', list: 'note.list', values: { query: 'late' } },
    { name: 'Friends', list: 'note.list', values: { query: 'vip' } },
  ]);
  const overdue = screen.getByRole('button', { name: 'Overdue' });
  expect(overdue.getAttribute('aria-pressed')).toBe('false');
  await user.click(overdue);
  expect(words().value).toBe('late');
  expect(overdue.getAttribute('aria-pressed')).toBe('true');
  await user.click(overdue);
  expect(words().value, 'a second press leaves it').toBe('');
});

it('renames and deletes a view', async () => {
  const user = userEvent.setup();
  await save('late', 'Overdue');
  await user.click(screen.getByRole('button', { name: 'More of Overdue' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('Overdue');
  await user.clear(name);
  await user.type(name, 'Too late{Enter}');
  await screen.findByRole('button', { name: 'Too late' });
  expect(keeper.views).toEqual([{ id: 'v1', list: 'note.list', name: 'Too late', values: { query: 'late' } }]);
  await user.click(screen.getByRole('button', { name: 'More of Too late' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => expect(within(document.body).queryByRole('list', { name: 'Views' })).toBeNull());
  expect(keeper.views).toEqual([]);
});

it('tells lists that are narrowed alike, in whatever sequence', () => {
  expect(alike({ a: 1, b: '' }, { b: undefined as never, a: 1 })).toBe(true);
  expect(alike({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(alike({ a: 1 }, { a: 1, b: false })).toBe(false);
});
