import { useCallback, useEffect } from 'react';
import type { FilledForm } from '../../bridge/chat';
import { at } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { translateFromGo } from '../../language/translateFromGo';
import { useClient } from '../../queries/BusProvider';
import { useDraft, useKept } from '../../ui/window/useKept';

const FILLED = 'filled form';

/** The form that the assistant has filled in, until it is submitted or left. */
export function useFilled(capability: string) {
  const [filled, setFilled] = useKept<FilledForm | undefined>(FILLED);
  const leave = () => setFilled(() => undefined);
  return { filled: filled?.capability === capability ? filled : undefined, leave };
}

/** Has a filled form opened. */
export function useOpenFilled(): (form: FilledForm) => void {
  const [, setFilled] = useKept<FilledForm | undefined>(FILLED);
  return useCallback((form) => setFilled(() => form), [setFilled]);
}

/** Opens the forms that the assistant fills in: at once, or when the dialog that is open is closed. */
export function useFilledForms(dialog: string | undefined, open: (capability: string) => void): void {
  const client = useClient();
  const [filled, setFilled] = useKept<FilledForm | undefined>(FILLED);
  const [shown, setShown] = useDraft<string>('filled shown');
  useEffect(
    () =>
      client.on('chat', ({ type, form }) => {
        if (type === 'form' && form) setFilled(() => form);
      }),
    [client, setFilled],
  );
  const key = filled && JSON.stringify(filled);
  useEffect(() => {
    if (!filled || key === shown || dialog) return;
    setShown(key);
    open(filled.capability);
  });
}

/** The values that are still as they were filled in, with their labels. */
export function untouched({ values = [] }: FilledForm, now: JsonObject) {
  return values
    .filter(({ pointer, value }) => JSON.stringify(at(now, pointer)) === JSON.stringify(value))
    .map(({ label, ...rest }) => ({ ...rest, label: translateFromGo(label) }));
}
