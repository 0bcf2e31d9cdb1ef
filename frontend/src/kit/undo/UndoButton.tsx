import { Anchor, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';

interface UndoButtonProps {
  requestId: string;
  /** The undone action, in words. */
  what: string;
  onOpen: (requestId: string) => void;
}

/** Undoes what one request changed, and shows the outcome in a notification with a link to its trace. */
export function UndoButton({ requestId, what, onOpen }: UndoButtonProps) {
  const entry = useEntry('audit.undo');
  const undo = useInvoke('audit.undo', { source: 'UndoButton', once: true });
  if (!entry) return null;

  const tell = (color: string, title: string, text: string, undoneBy: string | undefined) => {
    const id = `undo ${requestId}`;
    const open = () => {
      notifications.hide(id);
      if (undoneBy) onOpen(undoneBy);
    };
    notifications.hide(id);
    notifications.show({
      ...{ id, color, title, withBorder: true, autoClose: 12000 },
      message: (
        <>
          <Text size="sm">{text}</Text>
          {undoneBy && (
            <Anchor component="button" type="button" size="sm" onClick={open}>
              {i18n._('Show what was recorded')}
            </Anchor>
          )}
        </>
      ),
    });
  };

  return (
    <ActionButton
      variant="default"
      loading={undo.isPending}
      disabledReason={entry.available ? undefined : (entry.unavailable_reason ?? i18n._('Not possible now.'))}
      onClick={() =>
        undo.mutate(
          { requestId },
          {
            onSuccess: ({ request_id }) => tell('pine', i18n._('Undone'), what, request_id),
            onError: (error) =>
              tell(
                error.code === 'INTERNAL' ? 'brick' : 'amber',
                error.code === 'CONFLICT' ? i18n._('Changed again since') : i18n._('Not undone'),
                [error.message, error.recoveryHint].filter(Boolean).join(' '),
                error.requestId,
              ),
          },
        )
      }
    >
      {i18n._('Undo')}
    </ActionButton>
  );
}
