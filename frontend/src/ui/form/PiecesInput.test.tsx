// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { PiecesInput } from './PiecesInput';

beforeAll(() => {
  window.matchMedia = () =>
    ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
});
afterEach(cleanup);

function Pieces({ first }: { first: number }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <PiecesInput aria-label="Pieces" max={12} {...{ value }} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

it('means the number that was typed', async () => {
  const user = userEvent.setup();
  for (const [first, keys, meant] of [
    [0, '1', 1],
    [0, '10', 10],
    [0, '01', 1],
    [3, '2', 2],
    [3, '{Backspace}', 0],
    [0, '0', 0],
  ] as const) {
    render(
      <MantineProvider env="test">
        <Pieces first={first} />
      </MantineProvider>,
    );
    await user.tab();
    await user.keyboard(keys);
    expect(screen.getByRole('status').textContent, `${first}, then ${keys}`).toBe(String(meant));
    cleanup();
  }
});
