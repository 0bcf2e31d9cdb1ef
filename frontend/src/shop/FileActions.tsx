import { Button, Text } from '@mantine/core';
import { i18n } from '../language/i18n';
import { useInvoke } from '../queries/useInvoke';
import { useEntry } from '../queries/useManifest';

/** Opens a file that was written, or shows it in its folder, where this desk can; says why it could not. */
export function FileActions({ file }: { file: string }) {
  const open = useInvoke('document.open', { source: 'FileActions' });
  const show = useInvoke('document.show', { source: 'FileActions' });
  const may = useEntry('document.open')?.available ?? false;
  if (!may) return null;
  const failed = open.error ?? show.error;
  return (
    <>
      <Button size="compact-xs" variant="default" ml="xs" onClick={() => open.mutate({ file })}>
        {i18n._('Open')}
      </Button>
      <Button size="compact-xs" variant="default" ml="xs" onClick={() => show.mutate({ file })}>
        {i18n._('Show in folder')}
      </Button>
      {failed && (
        <Text size="sm" role="alert">
          {[failed.message, failed.recoveryHint].filter(Boolean).join(' ')}
        </Text>
      )}
    </>
  );
}
