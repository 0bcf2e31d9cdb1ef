import { Button, Group } from '@mantine/core';
import type { Suggestion } from '../../bridge/chat';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import classes from './Chat.module.css';
import type { Thread } from './thread';

interface NextStepsProps {
  thread: Thread;
  send: (text: string) => void;
  tap: (suggestion: Suggestion) => void;
}

/** Buttons for what may come next: short answers to a question, and suggested calls. */
export function NextSteps({ thread: { choices, suggestions, taken, plan }, send, tap }: NextStepsProps) {
  return (
    <>
      {choices.length > 0 && (
        <Group gap="xs" className={classes.choices} role="group" aria-label={i18n._('Suggested answers')}>
          {choices
            .flatMap(({ options }) => options)
            .map(({ title }) => (
              <Button key={title} variant="light" size="compact-sm" onClick={() => send(title)}>
                {translateFromGo(title)}
              </Button>
            ))}
        </Group>
      )}
      {suggestions.length > 0 && (
        <Group gap="xs" className={classes.choices} role="group" aria-label={i18n._('Suggested next steps')}>
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion.text}
              variant="light"
              size="compact-sm"
              className={classes.suggestion}
              disabled={taken?.includes(suggestion)}
              onClick={() => tap(suggestion)}
            >
              {suggestion.text}
            </Button>
          ))}
          {plan && (
            <Button variant="filled" size="compact-sm" onClick={() => tap(plan)}>
              {i18n._('Do all {count, number} as one', { count: suggestions.length })}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}
