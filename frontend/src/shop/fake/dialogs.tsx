import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../bridge/wire';
import { show } from './show';
import { WaitingBackend } from './waiting';

/** A dialog and how a person uses it; it is named by its capability. */
export interface DialogCase {
  /** The capability, if the dialog has another name. */
  calls?: string;
  schema?: JsonObject;
  /** What its dry runs come to. */
  preview?: object;
  /** What a person does before the button of that name. */
  fill?: (user: UserEvent) => Promise<void>;
  submit: string;
  args: object;
  answer?: object;
  /** Enter in the field that has the focus sends it too. */
  enter?: boolean;
}

/** Types a text into a field, in the place of what is there. */
export async function type(user: UserEvent, name: string | RegExp, text: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name });
  await user.clear(field);
  await user.type(field, text);
}

/** Chooses one of a list. */
export async function choose(user: UserEvent, field: string | RegExp, option: string | RegExp): Promise<void> {
  await user.click(await screen.findByRole('combobox', { name: field }));
  await user.click(await screen.findByRole('option', { name: option }));
}

/** Finds one of a long list by typing. */
export async function find(user: UserEvent, field: string | RegExp, text: string): Promise<void> {
  const box = await screen.findByRole('combobox', { name: field });
  await user.clear(box);
  await user.type(box, `${text}{Enter}`);
}

/** A dialog, and the name of a field of it to type into. */
type Other = readonly [name: string, field: string];

/**
 * Tests what every dialog is to do between two events: pressed twice, refused, closed before its answer. Two of them
 * are there to be open when the answer of another comes.
 */
export function testDialogs(
  cases: Record<string, DialogCase>,
  first: Other,
  second: Other,
  dialogOf: (name: string, onClose: () => void) => ReactNode,
): void {
  /** One dialog at a time, each opened by its button. */
  function Dialogs({ onClosed }: { onClosed: (name: string) => void }) {
    const [open, setOpen] = useState<string>();
    return (
      <>
        {Object.keys(cases).map((name) => (
          <button key={name} type="button" onClick={() => setOpen(name)}>
            {name}
          </button>
        ))}
        {open &&
          dialogOf(open, () => {
            onClosed(open);
            setOpen(undefined);
          })}
      </>
    );
  }

  async function opened(name: string) {
    const { calls = name, schema, preview, fill } = cases[name] as DialogCase;
    const backend = new WaitingBackend();
    for (const one of new Set([name, calls])) backend.wait(one, schema, preview);
    const onClosed = vi.fn();
    const { user } = show(backend, <Dialogs onClosed={onClosed} />);
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog');
    await fill?.(user);
    const sent = () => backend.asks.filter(({ capability }) => capability === calls);
    return { user, dialog, onClosed, sent };
  }
  const press = (user: UserEvent, dialog: HTMLElement, name: string) =>
    user.dblClick(within(dialog).getByRole('button', { name }));

  describe.each(Object.entries(cases))('%s', (name, { submit, args, answer = {}, enter }) => {
    it('sends once what was typed, however often it is pressed, says why it was refused and closes when it was done', async () => {
      const { user, dialog, onClosed, sent } = await opened(name);
      if (enter) await user.keyboard('{Enter}{Enter}');
      else await press(user, dialog, submit);
      expect(sent().map((asked) => asked.arguments)).toEqual([args]);
      sent()[0]?.refuse('PRECONDITION_FAILED', 'Somebody was quicker.');
      await within(dialog).findByText('Somebody was quicker.');
      expect(onClosed).not.toHaveBeenCalled();
      await press(user, dialog, submit);
      expect(sent().map((asked) => asked.arguments)).toEqual([args, args]);
      sent()[1]?.answer(answer);
      await waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
    });

    it('closes no other when its answer comes after it was closed', async () => {
      const { user, dialog, onClosed, sent } = await opened(name);
      await press(user, dialog, submit);
      await user.keyboard('{Escape}');
      await waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
      const [other, field] = name === first[0] ? second : first;
      await user.click(screen.getByRole('button', { name: other }));
      await type(user, field, 'half a se');
      sent()[0]?.answer(answer);
      await new Promise((later) => setTimeout(later, 50));
      expect(onClosed).toHaveBeenCalledOnce();
      expect(screen.getByDisplayValue('half a se')).toBeTruthy();
    });
  });
}
