import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { inSentence } from '../../language/format';
import { i18n } from '../../language/i18n';
import classes from './Chat.module.css';

/** The application's text above an empty conversation. */
export interface WelcomeWords {
  /** The introduction, with an example of a sentence. */
  introText?: string;
  /** The fields that a model is told about people, in words; empty when there are none. */
  personalFieldsText?: (fields?: readonly string[]) => string;
}

interface WelcomeProps extends WelcomeWords {
  status: Response<'assistant.status'> | undefined;
}

/** Shown in an empty conversation: the introduction, the model that answers, and what it is told. */
export function Welcome({ status, introText, personalFieldsText = listed }: WelcomeProps) {
  return (
    <div className={classes.welcome}>
      <Text fw={600}>{i18n._('Say what you want done')}</Text>
      <Text size="sm" c="dimmed">
        {introText}
      </Text>
      {status?.remote && (
        <Text size="sm" mt="sm">
          {whatLeaves(status, personalFieldsText(status.leaves))}
        </Text>
      )}
      {status?.rules && (
        <>
          <Text size="sm" fw={600} mt="sm">
            {i18n._('Rules of the house')}
          </Text>
          <Text size="sm" className={classes.rules}>
            {status.rules}
          </Text>
        </>
      )}
    </div>
  );
}

const listed = (fields: readonly string[] = []) => fields.map(inSentence).join(', ');

/** The model that answers, and the data that leaves the computer. */
function whatLeaves({ model, endpoint, masked }: Response<'assistant.status'>, fields: string): string {
  const values = { model: model ?? '', endpoint, fields };
  if (masked) {
    return i18n._(
      '{model} at {endpoint} answers. What you say and what is looked up for you leaves this computer; what is known of people goes as placeholders.',
      values,
    );
  }
  return fields
    ? i18n._(
        '{model} at {endpoint} answers. What you say and what is looked up for you leaves this computer: {fields}.',
        values,
      )
    : i18n._('{model} at {endpoint} answers. What you say and what is looked up for you leaves this computer.', values);
}
