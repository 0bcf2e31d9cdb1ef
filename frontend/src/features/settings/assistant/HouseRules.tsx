import { Textarea } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { useForm } from '../../../ui/form/useForm';
import { SectionForm } from '../SectionForm';

/** The present rules, as the control has them. */
interface Rules {
  version: number;
  text: string;
}

/** The owner's words for every model. */
export function HouseRules() {
  const save = useInvoke('assistant.setRules', { source: 'Settings' });
  const known = useEntry('assistant.setRules')?.current as Rules | undefined;
  if (!known) return null;
  return <RulesForm save={save} known={known} />;
}

interface RulesFormProps {
  known: Rules;
  save: ReturnType<typeof useInvoke<'assistant.setRules'>>;
}

function RulesForm({ known, save }: RulesFormProps) {
  const { values, change } = useForm('settings rules', { text: known.text });
  const { text } = values;
  return (
    <SectionForm
      wide
      title={i18n._('Rules of the house')}
      help={i18n._(
        'In your words, a rule a line, told to every model with each request and shown to everybody. They narrow what a model does and allow nothing. The built-in assistant understands none.',
      )}
      disabledReason={text.trim() === known.text ? i18n._('Nothing is changed yet.') : undefined}
      save={save}
      onSave={() => save.mutate({ text })}
    >
      <ErrorAt pointer="/text">
        <Textarea
          label={
            known.version > 0 ? i18n._('Rules, version {version, number}', { version: known.version }) : i18n._('Rules')
          }
          placeholder={i18n._('Never offer express.')}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      </ErrorAt>
    </SectionForm>
  );
}
