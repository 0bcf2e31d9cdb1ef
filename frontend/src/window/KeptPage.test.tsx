// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../bridge/client';
import { BusProvider } from '../queries/BusProvider';
import { useInvoke } from '../queries/useInvoke';
import { FakeBackend } from '../shop/fake/backend';
import type { Place } from '../shop/navigation';
import { FormDialog } from '../ui/form/FormDialog';
import { KeptParts, ListOrRecord } from '../ui/window/KeptParts';
import { useLasting } from '../ui/window/useKept';
import { KeptPage } from './KeptPage';

afterEach(cleanup);

let visits = 0;
let reads: string[] = [];
beforeEach(() => {
  visits = 0;
  reads = [];
});

/** A page that knows which of those that were drawn it is, and reads while it is shown. */
function Page() {
  const [number] = useState(() => (visits += 1));
  useEffect(() => {
    reads.push(`${number} shown`);
    return () => void reads.push(`${number} left`);
  }, [number]);
  return <p>Page {number}</p>;
}

const client = new Client(new FakeBackend());
const at = (page: Place['page'], options: { ahead?: boolean; stays?: boolean }) => (
  <MantineProvider env="test">
    <BusProvider client={client}>
      <KeptPage page="reports" place={{ page }} onGo={() => undefined} {...options}>
        <Page />
      </KeptPage>
    </BusProvider>
  </MantineProvider>
);
const drawn = () => screen.queryByText(/^Page/)?.textContent;
const seen = () => screen.getByText(/^Page/).style.display !== 'none';

it('is not there before it is opened, nor after, unless it is drawn ahead', () => {
  const { rerender } = render(at('counter', {}));
  expect(drawn()).toBeUndefined();
  rerender(at('reports', {}));
  expect(drawn()).toBe('Page 1');
  rerender(at('counter', {}));
  expect(drawn()).toBeUndefined();
  expect(reads).toEqual(['1 shown', '1 left']);
});

it('is drawn ahead unseen, reads nothing until it is opened, and begins anew after it was left', async () => {
  const { rerender } = render(at('counter', { ahead: true }));
  await waitFor(() => expect(drawn()).toBe('Page 1'));
  expect(seen()).toBe(false);
  expect(reads).toEqual([]);
  rerender(at('reports', { ahead: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', true]);
  rerender(at('counter', { ahead: true }));
  await waitFor(() => expect(drawn()).toBe('Page 2'));
  expect(seen()).toBe(false);
  expect(reads).toEqual(['1 shown', '1 left']);
});

it('is as it was left where it stays', () => {
  const { rerender } = render(at('reports', { ahead: true, stays: true }));
  rerender(at('counter', { ahead: true, stays: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', false]);
  rerender(at('reports', { ahead: true, stays: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', true]);
  expect(reads).toEqual(['1 shown', '1 left', '1 shown']);
});

describe('a form that was begun', () => {
  /** A page with a button that opens a dialog to add a note, which is answered when the test says so. */
  class Notes extends FakeBackend {
    answer = () => {};
    override async invoke(json: string) {
      if (JSON.parse(json).capability !== 'customer.addNote') return super.invoke(json);
      await new Promise<void>((resolve) => {
        this.answer = resolve;
      });
      return JSON.stringify({ status: 'success', request_id: 'r', data: {} });
    }
  }
  function Adding() {
    const [open, setOpen] = useLasting('adding a note', false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Add a note
        </button>
        {open && <Note onClose={() => setOpen(false)} />}
      </>
    );
  }
  function Note({ onClose }: { onClose: () => void }) {
    const [text, setText] = useLasting('note that is added', '');
    const add = useInvoke('customer.addNote', { source: 'Test', once: true });
    return (
      <FormDialog
        title="Note"
        submit="Save"
        call={add}
        onSubmit={() => add.mutate({ customerId: 'c1', text }, { onDone: onClose })}
        onClose={onClose}
      >
        <input aria-label="Text" data-autofocus value={text} onChange={(event) => setText(event.target.value)} />
      </FormDialog>
    );
  }
  const backend = new Notes();
  const withNotes = new Client(backend);
  const shown = (where: Place['page'], id?: string) => (
    <MantineProvider env="test">
      <BusProvider client={withNotes}>
        <KeptPage page="settings" place={{ page: where }} onGo={() => undefined}>
          <KeptParts id={id ?? 'staff'}>{(part) => (part === 'staff' ? <Adding /> : <p>{part}</p>)}</KeptParts>
        </KeptPage>
        <KeptPage page="customers" place={{ page: where }} onGo={() => undefined} stays>
          <ListOrRecord id={id} list="All customers" record={(one) => (one === 'c1' ? <Adding /> : <p>{one}</p>)} />
        </KeptPage>
      </BusProvider>
    </MantineProvider>
  );
  const field = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'Text' });
  const begin = async () => {
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Add a note' }));
    await user.keyboard('Allergic to nuts');
    return user;
  };

  it.each([
    ['another page', () => shown('settings'), () => shown('counter')],
    ['another part', () => shown('settings'), () => shown('settings', 'tax')],
    ['another record', () => shown('customers', 'c1'), () => shown('customers', 'c2')],
    ['the list', () => shown('customers', 'c1'), () => shown('customers')],
    ['another page than its record', () => shown('customers', 'c1'), () => shown('counter')],
  ])('is there again after %s was opened', async (_, there, elsewhere) => {
    const { rerender } = render(there());
    const user = await begin();
    rerender(elsewhere());
    await act(async () => {}); // a removed form is forgotten a moment later
    expect(field()).toBeNull();
    rerender(there());
    expect(field()?.value).toBe('Allergic to nuts');
    await user.keyboard('{Escape}');
    expect(field()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add a note' }));
    expect(field()?.value).toBe('');
  });

  it('ends when its answer comes while another page is shown', async () => {
    const { rerender } = render(shown('settings'));
    const user = await begin();
    await user.keyboard('{Enter}');
    rerender(shown('counter'));
    await act(async () => backend.answer());
    rerender(shown('settings'));
    expect(field()).toBeNull();
  });

  it('leaves no page behind once it ended', async () => {
    const { rerender } = render(shown('customers', 'c1'));
    const user = await begin();
    await user.keyboard('{Escape}');
    rerender(shown('customers', 'c2'));
    expect(screen.queryByText('Add a note')).toBeNull();
  });
});
