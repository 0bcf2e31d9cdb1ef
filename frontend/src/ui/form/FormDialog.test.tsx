// @vitest-environment jsdom
import { MantineProvider, TextInput } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useKeys } from '../keys/useKeys';
import { FormDialog } from './FormDialog';

const call = { error: null, isPending: false } as Parameters<typeof FormDialog>[0]['call'];

function Desk() {
  const [open, setOpen] = useState(false);
  useKeys({ F8: { act: () => setOpen(true) } });
  return (
    <MantineProvider>
      <input aria-label="Search" />
      {open && (
        <FormDialog title="Discount" submit="Give" call={call} onSubmit={() => {}} onClose={() => setOpen(false)}>
          <TextInput data-autofocus label="Percent" />
        </FormDialog>
      )}
    </MantineProvider>
  );
}

afterEach(cleanup);

it('has the focus before the next key, when a key opens it', async () => {
  render(<Desk />);
  screen.getByLabelText('Search').focus();
  const quick = async () => {
    document.documentElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8', bubbles: true }));
    await null; // no other event comes before what waits here
    return document.activeElement;
  };
  expect(await quick()).toBe(screen.getByLabelText('Percent'));
});
