import { Group, Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { usePickedFile } from '../../../queries/usePickedFile';
import { ShopLogo } from '../../../shop/ShopLogo';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';

/** The logo of the shop, which can be chosen and removed; it counts at once. */
export function Logo({ edition }: { edition: string | undefined }) {
  const { unread, pick } = usePickedFile('picture');
  const set = useInvoke('settings.setLogo', { source: 'Settings' });
  const refusal = useRefusal('settings.setLogo');
  const failure = unread ?? set.error;
  return (
    <Part title={i18n._('Logo')}>
      {edition && <ShopLogo key={edition} edition={edition} alt={i18n._('Logo of the shop')} />}
      <Text size="xs" c="dimmed">
        {i18n._('At the head of receipts. JPEG, PNG or GIF of at most 20 MB.')}
      </Text>
      {failure && <Problem message={failure.message} hint={failure.recoveryHint} />}
      <Group gap="xs" mt="xs">
        <ActionButton
          variant="default"
          loading={set.isPending}
          disabledReason={refusal}
          onClick={() => pick(({ file }) => set.mutate({ file }))}
        >
          {edition ? i18n._('Choose another logo') : i18n._('Choose a logo')}
        </ActionButton>
        {edition && (
          <ActionButton variant="default" disabledReason={refusal} onClick={() => set.mutate({})}>
            {i18n._('Remove the logo')}
          </ActionButton>
        )}
      </Group>
    </Part>
  );
}
