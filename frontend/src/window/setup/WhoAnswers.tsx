import { NativeSelect } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useRefusal } from '../../queries/useManifest';
import classes from './FirstRun.module.css';

/** A model on this computer. */
export interface Answering {
  endpoint: string;
  model: string;
}

interface WhoAnswersProps {
  chosen?: Answering;
  onChoose: (model?: Answering) => void;
}

/** The models that were found on this computer, as who answers in the chat; nothing where there are none. */
export function WhoAnswers({ chosen, onChoose }: WhoAnswersProps) {
  const enabled = useRefusal('assistant.findLocal') === undefined;
  const { data } = useCapability('assistant.findLocal', {}, { source: 'FirstRun', enabled });
  const found = (data?.endpoints ?? []).flatMap(({ models, ...server }) =>
    models.map((model) => ({ ...server, model })),
  );
  if (found.length === 0) return null;
  const at = found.findIndex(({ endpoint, model }) => endpoint === chosen?.endpoint && model === chosen.model);
  return (
    <NativeSelect
      className={classes.place}
      size="xs"
      label={i18n._('Who answers in the chat')}
      description={i18n._('Nothing that is said to a model on this computer leaves it. This can be changed later.')}
      data={[
        { value: '-1', label: i18n._('The built-in assistant') },
        ...found.map(({ name, model, foreign }, n) => ({
          value: `${n}`,
          label: foreign
            ? i18n._('{model} in {name}, run by another account', { model, name })
            : i18n._('{model} in {name}', { model, name }),
        })),
      ]}
      value={`${at}`}
      onChange={(event) => {
        const one = found[Number(event.currentTarget.value)];
        onChoose(one && { endpoint: one.endpoint, model: one.model });
      }}
    />
  );
}
