import { Text } from '@mantine/core';
import type { CapabilityName, Request } from '../../bridge/capabilities';
import type { JsonObject } from '../../bridge/wire';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { FormDialog } from '../../ui/form/FormDialog';
import SchemaFields from '../palette/SchemaFields';
import { useValues } from '../palette/useValues';

interface CapabilityDialogProps {
  name: CapabilityName;
  /** The part of the window that asks. */
  source: string;
  /** What the form begins with. */
  args?: JsonObject;
  /** Called with the result, before the dialog is closed. */
  onDone?: (result: JsonObject) => void;
  onClose: () => void;
}

/** Marks the first field, with which the dialog begins. */
export function markFirst(fields: HTMLElement | null): void {
  fields?.querySelector('input:not([type=hidden]), button')?.setAttribute('data-autofocus', '');
}

/** The form of a capability as a dialog of a page, made from its schema. */
export default function CapabilityDialog({ name, source, args, onDone, onClose }: CapabilityDialogProps) {
  const entry = useEntry(name);
  const { values: typed, setValues } = useValues({ name, input_schema: entry?.input_schema ?? {} });
  const values = args && Object.keys(typed).length === 0 ? args : typed;
  const call = useInvoke(name, { source, once: `dialog ${name}` });
  const { title = name, help, input_schema, sources } = entry ?? {};
  const done = ({ data }: { data: unknown }) => {
    onDone?.(data as JsonObject);
    onClose();
  };
  return (
    <FormDialog
      {...{ title, submit: title, size: 'md', onClose }}
      call={{ ...call, error: call.error && { message: call.error.message, recoveryHint: call.error.recoveryHint } }}
      onSubmit={() => call.mutate(values as Request<CapabilityName>, { onDone: done })}
    >
      <Text size="xs" c="dimmed">
        {help}
      </Text>
      <div ref={markFirst}>
        <SchemaFields
          schema={input_schema}
          violations={call.error?.violations ?? []}
          {...{ sources, values }}
          onChange={setValues}
        />
      </div>
    </FormDialog>
  );
}
