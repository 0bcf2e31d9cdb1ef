// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Boundary, detailsOf } from './Boundary';
import { Broken } from './Broken';

let broken = true;
function Part() {
  if (broken) throw new TypeError('rows is not a list');
  return <p>All is well</p>;
}

const show = (of: string) => (
  <MantineProvider env="test">
    <Boundary
      of={of}
      fallback={(breakdown) => (
        <Broken {...breakdown} title="It failed">
          The rest works on.
        </Broken>
      )}
    >
      {of === 'another' ? <p>Another part</p> : <Part />}
    </Boundary>
    <p>The rest</p>
  </MantineProvider>
);

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React tells of what is caught too
});
afterEach(() => {
  cleanup();
  broken = true;
});

describe('Boundary', () => {
  it('says what happened, and leaves the rest alone', () => {
    render(show('page orders'));
    expect(screen.getByRole('alert').textContent).toContain('It failed');
    expect(screen.getByRole('alert').textContent).toContain('page orders: TypeError: rows is not a list');
    screen.getByText('The rest');
  });
  it('is drawn anew when that is asked for', async () => {
    render(show('page orders'));
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    screen.getByText('All is well');
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('forgets it when something else is behind it', () => {
    const { rerender } = render(show('page orders'));
    rerender(show('another'));
    screen.getByText('Another part');
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('copies the details', async () => {
    const user = userEvent.setup(); // brings a clipboard
    render(show('page orders'));
    await user.click(screen.getByRole('button', { name: 'Copy the details' }));
    await screen.findByRole('button', { name: 'Copied' });
    expect(await navigator.clipboard.readText()).toContain('rows is not a list');
  });
});

describe('detailsOf', () => {
  it('names what was thrown, whatever it was', () => expect(detailsOf('page', 'no')).toBe('page: no'));
});
