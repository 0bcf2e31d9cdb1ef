import { useState } from 'react';
import { useManifest } from '../../asking/hooks';
import type { ApprovalCard } from '../../door/approval';
import { entry } from '../../door/manifest';
import type { JsonObject } from '../../door/wire';
import { i18n } from '../../language/i18n';
import { type FieldsOf, usedValues } from './cards';
import { Panel } from './Panel';
import type { Decision } from './useDecision';

interface EditPanelProps {
  card: ApprovalCard;
  names: Readonly<Record<string, string>>;
  Fields: FieldsOf;
  decide: Decision;
  onBack: () => void;
}

/** The values of a call, to be changed before it is allowed: the card comes again with what they would do. */
export function EditPanel({ card, names, Fields, decide, onBack }: EditPanelProps) {
  const schema = entry(useManifest(), card.capability)?.input_schema;
  const [values, setValues] = useState<JsonObject>(() => usedValues(card.arguments));
  return (
    <Panel
      title={i18n._('Change the values; you see what they come to before anything is done')}
      submit={i18n._('See what these come to')}
      decide={decide}
      onSubmit={() => decide.mutate({ answer: 'allow', arguments: values })}
      onBack={onBack}
    >
      <Fields {...{ schema, values, names }} violations={decide.error?.violations ?? []} onChange={setValues} />
    </Panel>
  );
}
