import { Button, Group, Text } from '@mantine/core';
import type { OptionalDataControlsTemplateProps, TitleFieldProps } from '@rjsf/utils';
import { IconPlus, IconX } from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import { addText } from './form';

/** The placeholder of an optional part of a form, such as an address: it unfolds on demand. */
export function OptionalPart({ id, schema, onAddClick, onRemoveClick }: OptionalDataControlsTemplateProps) {
  const title = schema.title ?? '';
  if (onAddClick) {
    return (
      <Button id={id} variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAddClick}>
        {addText(title)}
      </Button>
    );
  }
  return (
    <Button id={id} variant="subtle" leftSection={<IconX size={14} aria-hidden />} onClick={onRemoveClick}>
      {i18n._('Leave it out')}
    </Button>
  );
}

/** The head of a part of a form: its title and, where it may be left out, the way to it. */
export function PartTitle({ id, title, optionalDataControl }: Partial<TitleFieldProps>) {
  return (
    <Group justify="space-between" gap="xs" mb={4}>
      <Text id={id} fw={600}>
        {title}
      </Text>
      {optionalDataControl}
    </Group>
  );
}
