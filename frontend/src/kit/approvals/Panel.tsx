import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import classes from './Approvals.module.css';
import type { Decision } from './useDecision';

interface PanelProps {
  title: string;
  submit: string;
  children: ReactNode;
  decide: Decision;
  onSubmit: () => void;
  onBack: () => void;
}

/** What a card asks for before it is allowed in another way; Escape goes back to the plain answer. */
export function Panel({ title, submit, children, decide, onSubmit, onBack }: PanelProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const { error, isPending } = decide;
  return (
    <form
      ref={form}
      className={classes.panel}
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation(); // of the card, where it denies
        if ((event.target as Element).getAttribute('aria-expanded') !== 'true') onBack();
      }}
    >
      <div className={classes.panelBody}>
        <Text size="xs" fw={600} mb={6}>
          {title}
        </Text>
        {children}
      </div>
      <div className={classes.panelFoot}>
        {error && <Problem message={error.message} hint={error.recoveryHint} />}
        <Group gap="xs" justify="space-between">
          <Button variant="default" onClick={onBack}>
            {i18n._('Back')}
          </Button>
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </div>
    </form>
  );
}
