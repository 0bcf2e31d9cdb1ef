// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useHeldKeys } from './useHeldKeys';

const heard = vi.fn<(key: string) => void>();

function Page() {
  useHeldKeys();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only counts
    <div onKeyDown={({ key }) => heard(key)}>
      <button type="button" onClick={() => heard('click')}>
        Add
      </button>
      <input aria-label="Words" />
      <textarea aria-label="Note" />
    </div>
  );
}

afterEach(() => {
  cleanup();
  heard.mockClear();
});

describe('a key that is held', () => {
  it.each(['Enter', 'F9', 'Escape', 'Delete', 'a'])('%s does once what it does on a button', async (key) => {
    const user = userEvent.setup();
    render(<Page />);
    screen.getByRole('button').focus();
    await user.keyboard(`{${key}>5/}`);
    expect(heard.mock.calls.filter(([what]) => what === key)).toHaveLength(1);
    expect(heard.mock.calls.filter(([what]) => what === 'click').length).toBeLessThanOrEqual(1);
  });
  it.each(['Enter', 'F4'])('%s does once what it does in a field', async (key) => {
    const user = userEvent.setup();
    render(<Page />);
    await user.click(screen.getByRole('textbox', { name: 'Words' }));
    await user.keyboard(`{${key}>5/}`);
    expect(heard).toHaveBeenCalledTimes(1);
  });
  it('writes in a field, moves anywhere, and ends lines in a text', async () => {
    const user = userEvent.setup();
    render(<Page />);
    await user.type(screen.getByRole('textbox', { name: 'Words' }), '{a>3/}{Backspace>2/}');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Words' }).value).toBe('a');
    await user.type(screen.getByRole('textbox', { name: 'Note' }), '{Enter>3/}');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('\n\n\n');
    heard.mockClear();
    screen.getByRole('button').focus();
    await user.keyboard('{ArrowDown>3/}');
    expect(heard).toHaveBeenCalledTimes(3);
  });
});
