import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { missingText } from '../../language/missing';
import classes from './Note.module.css';

interface EmptyProps {
  title: string;
  /** The words that no record has, where something was searched for. */
  missing?: readonly string[];
  children?: ReactNode;
  /** What one would do next. */
  action?: { label: string; onClick: () => void };
}

/** The empty state of a list or page: why it is empty, and what to do. */
export function Empty({ title, missing, children, action }: EmptyProps) {
  const words = missingText(missing);
  return (
    <Stack className={classes.empty} gap={4}>
      <Text fw={600}>{title}</Text>
      {words && <Text size="sm">{words}</Text>}
      {children && (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      )}
      {action && (
        <Button variant="default" mt="xs" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </Stack>
  );
}

interface ProblemProps {
  message: string;
  hint?: string;
  onRetry?: () => void;
}

/** A failure, in the application's words, with what mends it. */
export function Problem({ message, hint, onRetry }: ProblemProps) {
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={16} aria-hidden className={classes.icon} />
      <div>
        <Text size="sm">{message}</Text>
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        {onRetry && (
          <Button variant="default" mt="xs" onClick={onRetry}>
            {i18n._('Try again')}
          </Button>
        )}
      </div>
    </div>
  );
}
