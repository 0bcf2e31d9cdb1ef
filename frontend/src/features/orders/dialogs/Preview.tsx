import { Text } from '@mantine/core';
import type { BusError } from '../../../bridge/error';
import { Problem } from '../../../ui/page/Note';

interface PreviewProps {
  /** The foreseen result; undefined while it is not known. */
  text: string | undefined;
  error: BusError | null;
}

/** The foreseen result of an action, computed by the application in a dry run. */
export function Preview({ text, error }: PreviewProps) {
  if (error) return <Problem message={error.message} hint={error.recoveryHint} />;
  return (
    <Text role="status" fw={600} mih={20}>
      {text}
    </Text>
  );
}
