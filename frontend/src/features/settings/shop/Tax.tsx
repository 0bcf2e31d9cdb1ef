import { TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { EditableRows, omitText } from '../../../ui/form/EditableRows';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { NumberField } from '../../../ui/form/NumberField';
import { useRows } from '../../../ui/form/useRows';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { idFor } from './rates';

type TaxSettings = NonNullable<Response<'settings.get'>['tax']>;

/** The tax classes: what products are filed under, and the rate of each. */
export function Tax() {
  return <SavedSection section="tax">{({ tax }, save) => tax && <TaxForm save={save} known={tax} />}</SavedSection>;
}

function TaxForm({ known, save }: { known: TaxSettings; save: SaveSettings }) {
  const { rows, change, omit, add } = useRows(
    'settings tax',
    known.map(({ id, name, ratePpm }) => ({ id, name, percent: (ratePpm / 10_000) as number | undefined })),
  );
  const taken = rows.map(({ id }) => id);
  const classesNow = rows.map(({ id, name, percent }) => ({
    ...{ id: id || idFor(name, taken), name: name.trim() },
    ratePpm: percent === undefined ? -1 : Math.round(percent * 10_000),
  }));
  const wrong = classesNow.some(({ name, ratePpm }) => name === '' || ratePpm < 0)
    ? i18n._('Fill in every name and rate.')
    : undefined;
  const same =
    JSON.stringify(classesNow) === JSON.stringify(known.map(({ id, name, ratePpm }) => ({ id, name, ratePpm })));
  return (
    <SectionForm
      wide
      title={i18n._('Tax classes')}
      disabledReason={wrong ?? (same ? i18n._('Nothing is changed yet.') : undefined)}
      save={save}
      onSave={() => save.mutate({ section: 'tax', values: { classes: classesNow } })}
    >
      <EditableRows
        label={i18n._('Tax classes')}
        className={classes.rows}
        rows={rows}
        omitText={({ name }) => omitText(name)}
        onOmit={omit}
        adding={{ text: i18n._('One more'), onAdd: () => add({ id: '', name: '', percent: undefined }) }}
      >
        {({ row, name, percent }, index) => (
          <>
            <ErrorAt pointer={`/values/classes/${index}/name`}>
              <TextInput
                label={i18n._('Name')}
                value={name}
                onChange={(e) => change(row, { name: e.currentTarget.value })}
              />
            </ErrorAt>
            <ErrorAt pointer={`/values/classes/${index}/ratePpm`}>
              <NumberField
                label={i18n._('Percent')}
                {...{ decimals: 4, min: 0, max: 100, unit: '%' }}
                value={percent}
                onChange={(next) => change(row, { percent: next })}
              />
            </ErrorAt>
            <span />
          </>
        )}
      </EditableRows>
    </SectionForm>
  );
}
