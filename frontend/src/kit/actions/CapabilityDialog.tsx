import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CapabilityName, Request, Response } from '../../bridge/capabilities';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { FormDialog } from '../../ui/form/FormDialog';
import { lacking, trimmed, withoutFields } from '../form/fields';
import SchemaFields from '../form/SchemaFields';
import { useValues } from '../form/useValues';

interface CapabilityDialogProps<N extends CapabilityName> {
  name: N;
  /** The part of the window that asks. */
  source: string;
  /** The arguments without a field. */
  about?: Partial<Request<N>>;
  /** The values that the other fields begin with. */
  args?: JsonObject;
  /** The title and the label of its button; absent: the title of the capability. */
  title?: string;
  submit?: string;
  leave?: string;
  /** A destructive action, which Enter does not do at once. */
  danger?: boolean;
  /** The text above the fields; absent: the help of the capability. */
  children?: ReactNode;
  /** Called with the result, before the dialog is closed. */
  onDone?: (result: Response<N>) => void;
  onClose: () => void;
}

/** Marks the first field, with which the dialog begins. */
export function markFirst(fields: HTMLElement | null): void {
  fields?.querySelector('input:not([type=hidden]), textarea, button')?.setAttribute('data-autofocus', '');
}

/** A dialog that is one call: its fields come from the schema of the capability. */
export function CapabilityDialog<N extends CapabilityName>(props: CapabilityDialogProps<N>) {
  const { name, source, about, args, children, onDone, onClose, ...words } = props;
  const entry = useEntry(name);
  const { title = entry?.title ?? name, help, input_schema, sources } = entry ?? {};
  const key = about ? `${name} ${Object.values(about).join(' ')}` : name;
  const { values, setValues } = useValues({ name: key, input_schema: input_schema ?? {} }, args);
  const call = useInvoke(name, { source, once: `dialog ${key}` });
  const schema = withoutFields(input_schema, Object.keys(about ?? {}));
  const empty = lacking(schema, values).join(', ');
  return (
    <FormDialog
      {...{ title, submit: title, size: about ? 'sm' : 'md', ...words, call, onClose }}
      disabledReason={empty ? i18n._('Fill in: {fields}.', { fields: empty }) : undefined}
      onSubmit={() =>
        call.mutate({ ...about, ...trimmed(schema, values) } as Request<N>, {
          onDone: ({ data }) => {
            onDone?.(data);
            onClose();
          },
        })
      }
    >
      {children ?? (
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      )}
      <div ref={words.danger ? undefined : markFirst}>
        <SchemaFields {...{ schema, sources, values }} onChange={setValues} />
      </div>
    </FormDialog>
  );
}
