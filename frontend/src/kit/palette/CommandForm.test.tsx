// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import CommandForm from './CommandForm';

const nothing = () => undefined;

/** A change of the cart, and the form that submits it. */
function Both() {
  const entry = useEntry('checkout.submit');
  const set = useInvoke('cart.setShipping', { source: 'Test' });
  return (
    <>
      <button type="button" onClick={() => set.mutate({ fulfilment: 'takeAway' })}>
        Take along
      </button>
      {entry && (
        <CommandForm entry={entry} onChoose={nothing} onBack={nothing} onClose={nothing} onOpenTrace={nothing} />
      )}
    </>
  );
}

it.each([
  ['is submitted when the answer has come', true],
  ['is not submitted when the change is refused', false],
])('a cart of which a change is under way %s', async (_, taken) => {
  const backend = new WaitingBackend();
  backend.wait('cart.setShipping');
  backend.wait('checkout.submit');
  const { user } = show(backend, <Both />);
  const sent = (name: string) => backend.asks.filter(({ capability }) => capability === name);
  const submit = await screen.findByRole('button', { name: 'Submit the order' });
  await user.click(screen.getByRole('button', { name: 'Take along' }));
  await user.click(submit);
  await waitFor(() => expect(sent('cart.setShipping')).toHaveLength(1));
  expect(sent('checkout.submit')).toEqual([]);
  await act(async () => {
    if (taken) sent('cart.setShipping')[0]?.answer({});
    else sent('cart.setShipping')[0]?.refuse('PRECONDITION_FAILED', 'This one is only delivered.');
  });
  if (taken) await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
  else await screen.findByText('This one is only delivered.');
  expect(sent('checkout.submit')).toHaveLength(taken ? 1 : 0);
});
