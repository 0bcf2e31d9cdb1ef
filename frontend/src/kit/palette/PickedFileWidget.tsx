import { Button, Input } from '@mantine/core';
import type { WidgetProps } from '@rjsf/utils';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { usePickedFile } from '../../queries/usePickedFile';

/** A field for a file: the application's own picker gives a token, never a path. */
export function PickedFileWidget({ id, label, required, schema, onChange, rawErrors }: WidgetProps) {
  const { picked, unread, pick } = usePickedFile(String((schema as JsonObject)['x-file']));
  const error = unread?.message ?? rawErrors?.join('; ');
  return (
    <Input.Wrapper label={label} withAsterisk={required} error={error} id={id}>
      <div>
        <Button id={id} variant="default" onClick={() => pick(({ file }) => onChange(file))}>
          {picked?.name ?? i18n._('Choose a file')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
