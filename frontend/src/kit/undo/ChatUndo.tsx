import { Anchor, Text } from '@mantine/core';
import { useInvoke, useRefusal } from '../../asking/hooks';
import { i18n } from '../../language/i18n';

/** Takes back what one call of the assistant changed, and says how that ended. */
export function Undo({ requestId, title }: { requestId: string; title: string }) {
  const { mutate, isPending, isSuccess, error } = useInvoke('audit.undo', { source: 'Chat', once: true });
  const refused = useRefusal('audit.undo');
  if (refused) return null;
  if (isSuccess) {
    return (
      <Text size="xs" c="dimmed" role="status">
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
        aria-label={i18n._('Undo: {what}', { what: title })}
        disabled={isPending}
        onClick={() => mutate({ requestId })}
      >
        {i18n._('Undo')}
      </Anchor>
      {error && (
        <Text size="xs" role="alert">
          {error.message} {error.recoveryHint}
        </Text>
      )}
    </>
  );
}
