// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Request } from '../../bridge/capabilities';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { forgetKept } from '../../ui/window/useKept';
import { AuditList } from './AuditList';
import AuditPage from './AuditPage';
import { navigationDomains } from './record';
import { useFilters } from './useFilters';
import { newsText, useNewRecords } from './useNewRecords';

type Search = Request<'audit.search'>;

/** An application that remembers what its log was asked, and by whom. */
class Asked extends FakeBackend {
  readonly searches: { source: string; args: Search }[] = [];
  override async invoke(json: string) {
    const { capability, arguments: args, caller } = JSON.parse(json);
    if (capability === 'audit.search') this.searches.push({ source: caller.source, args });
    return super.invoke(json);
  }
  by(source: string): Search[] {
    return this.searches.filter((search) => search.source === source).map(({ args }) => args);
  }
  /** Something is done by the person, and told. */
  does(capability: string): number {
    this.run({
      capability,
      arguments: {},
      request_id: `r${this.records.length}`,
      caller: { type: 'ui', source: 'Test' },
    });
    return this.records[0]?.seq ?? 0;
  }
}

const show = (backend: Asked, part: ReactNode) =>
  render(
    <MantineProvider env="test">
      <BusProvider client={new Client(backend)}>{part}</BusProvider>
    </MantineProvider>,
  );

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
beforeEach(forgetKept);
afterEach(cleanup);

describe('the news of a list', () => {
  const asked: Search = { text: 'ana', without: navigationDomains };
  let restarts = 0;

  function News({ seq, top = false, settled = true }: { seq: number; top?: boolean; settled?: boolean }) {
    const [first] = useState({ seq, time: 7 });
    const came = useNewRecords(asked, { first, top, settled, restart: () => restarts++ });
    return <p>{came.map(({ capability }) => capability).join(' ') || 'none'}</p>;
  }
  beforeEach(() => {
    restarts = 0;
  });

  it('is what came after its first record, of what it asks for', async () => {
    const backend = new Asked();
    const seq = backend.does('cart.clear');
    show(backend, <News seq={seq} />);
    await waitFor(() => expect(backend.by('AuditNews')).toEqual([{ ...asked, since: 7, limit: 100 }]));
    expect(screen.getByText('none')).toBeTruthy();
    act(() => {
      backend.does('theme.toggle');
      backend.does('cart.hold');
    });
    await screen.findByText('cart.hold');
    expect(restarts, 'somebody is reading').toBe(0);
  });

  it('has the list read again where its beginning is in view', async () => {
    const backend = new Asked();
    const seq = backend.does('cart.clear');
    show(backend, <News seq={seq} top />);
    await waitFor(() => expect(backend.by('AuditNews')).toHaveLength(1));
    expect(restarts).toBe(0);
    act(() => void backend.does('cart.hold'));
    await waitFor(() => expect(restarts).toBeGreaterThan(0));
    expect(screen.getByText('none')).toBeTruthy();
  });

  it('is not asked for while the list itself is read', async () => {
    const backend = new Asked();
    show(backend, <News seq={0} settled={false} />);
    act(() => void backend.does('cart.hold'));
    await act(async () => {});
    expect(backend.by('AuditNews')).toEqual([]);
  });

  it('is counted up to what is asked for at once', () =>
    expect([newsText(1), newsText(2), newsText(100)]).toEqual([
      '1 new record',
      '2 new records',
      '100 or more new records',
    ]));
});

describe('the list of the audit', () => {
  function List() {
    return <AuditList narrowing={useFilters()} onOpen={() => undefined} />;
  }

  it('asks for news as it asks for itself: without navigation, until that is wanted', async () => {
    const backend = new Asked();
    backend.does('cart.hold');
    show(backend, <List />);
    await waitFor(() => expect(backend.by('AuditNews')).not.toEqual([]));
    expect(backend.by('AuditList').map(({ without }) => without)).toEqual([navigationDomains]);
    expect(backend.by('AuditNews').map(({ without }) => without)).toEqual([navigationDomains]);

    await userEvent.setup().click(screen.getByLabelText('Show navigation and card answers'));
    await waitFor(() => expect(backend.by('AuditNews')).toHaveLength(2));
    expect(backend.by('AuditList').at(-1)).not.toHaveProperty('without');
    expect(backend.by('AuditNews').at(-1)).not.toHaveProperty('without');
  });

  it('is written to a file as it is listed: without navigation, until that is wanted', async () => {
    const backend = new Asked();
    const written: object[] = [];
    backend.offer({
      ...{ name: 'audit.export', title: 'Export', side_effect: 'ui-only' },
      input_schema: { properties: { format: { enum: ['csv'] } } },
      run: ({ args }) => {
        written.push(args);
        return { file: 'audit.csv', records: 1 };
      },
    });
    backend.does('cart.hold');
    show(backend, <AuditPage onGo={() => undefined} />);
    const user = userEvent.setup();
    const write = async () => {
      await user.click(await screen.findByRole('button', { name: /Export/ }));
      await user.click(await screen.findByRole('menuitem', { name: /CSV/ }));
    };
    await write();
    await waitFor(() => expect(written).toMatchObject([{ format: 'csv', without: navigationDomains }]));
    await user.click(screen.getByLabelText('Show navigation and card answers'));
    await write();
    await waitFor(() => expect(written).toHaveLength(2));
    expect(written[1]).not.toHaveProperty('without');
  });
});
