import { Anchor, Text } from '@mantine/core';
import { useInvoke, useRefusal } from '../../asking/hooks';
import { i18n } from '../../language/i18n';

/** Takes back what one request changed, and says in its place how that ended. */
export function TakeBack({ requestId, what }: { requestId: string; what: string }) {
  const { mutate, isPending, isSuccess, error } = useInvoke('audit.undo', { source: 'Activity', once: true });
  const refused = useRefusal('audit.undo');
  if (refused) return null;
  if (isSuccess) return <Text size="xs">{i18n._('Undone')}</Text>;
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
        <Text size="xs">
          {error.message} {error.recoveryHint}
        </Text>
      )}
    </>
  );
}
