import { Anchor, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';

interface UndoProps {
  requestId: string;
  /** The undone action, in words. */
  what: string;
  /** The part of the window that asks. */
  source: string;
  /** Announces the outcome to a screen reader, where nothing around it does. */
  announced?: boolean;
}

/** Undoes what one request changed, and shows the outcome in its place. */
export function Undo({ requestId, what, source, announced }: UndoProps) {
  const { mutate, isPending, isSuccess, error } = useInvoke('audit.undo', { source, once: true });
  const refused = useRefusal('audit.undo');
  if (refused) return null;
  if (isSuccess) {
    return (
      <Text size="xs" c={announced ? 'dimmed' : undefined} role={announced ? 'status' : undefined}>
        {i18n._('Undone')}
      </Text>
    );
  }
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="xs"
        aria-label={i18n._('Undo: {what}', { what })}
        disabled={isPending}
        onClick={() => mutate({ requestId })}
      >
        {i18n._('Undo')}
      </Anchor>
      {error && (
        <Text size="xs" role={announced ? 'alert' : undefined}>
          {error.message} {error.recoveryHint}
        </Text>
      )}
    </>
  );
}
