// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, it } from 'vitest';
import { Client } from '../bridge/client';
import { FakeBackend } from '../shop/fake/backend';
import { BusProvider } from './BusProvider';
import { useTask } from './useTask';

class Printer extends FakeBackend {
  override async invoke() {
    return JSON.stringify({ status: 'success', request_id: 'r', data: { file: 'receipt.pdf', rows: 1 } });
  }
}

function Order({ id }: { id: string }) {
  const printing = useTask('document.export', 'Receipt', id);
  return (
    <button type="button" onClick={() => printing.start({ kind: 'receipt', format: 'pdf', orderId: id })}>
      {printing.data?.file ?? 'Print'}
    </button>
  );
}

afterEach(cleanup);

it('keeps the receipt of one order from the page of another', async () => {
  const client = new Client(new Printer());
  const inside = (id: string) => (
    <BusProvider client={client}>
      <Order key={id} id={id} />
    </BusProvider>
  );
  const { rerender } = render(inside('#W1'));
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  await screen.findByRole('button', { name: 'receipt.pdf' });
  rerender(inside('#W2'));
  screen.getByRole('button', { name: 'Print' });
  rerender(inside('#W1'));
  screen.getByRole('button', { name: 'receipt.pdf' });
});
