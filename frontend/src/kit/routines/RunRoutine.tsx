import { Text } from '@mantine/core';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { FormDialog } from '../../ui/form/FormDialog';
import { markFirst } from '../actions/CapabilityDialog';
import SchemaFields from '../form/SchemaFields';
import { useValues } from '../form/useValues';
import { type Routine, RUN, useSources } from './useRoutines';

/** The form of what a routine asks for, which runs it; a card shows all of it before anything is done. */
export default function RunRoutine({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  const form = routine.form as JsonObject;
  const { values, setValues } = useValues({ name: `${RUN} ${routine.id}`, input_schema: form });
  const call = useInvoke(RUN, { source: 'Routines', once: `dialog ${routine.id}` });
  return (
    <FormDialog
      {...{ title: routine.name, submit: i18n._('Run the routine'), size: 'md', onClose }}
      call={call}
      onSubmit={() => call.mutate({ routineId: routine.id, values }, { onDone: onClose })}
    >
      <Text size="xs" c="dimmed">
        {routine.does.join(' · ')}
      </Text>
      <div ref={markFirst}>
        <SchemaFields schema={form} sources={useSources(routine)} at="/values" values={values} onChange={setValues} />
      </div>
    </FormDialog>
  );
}
