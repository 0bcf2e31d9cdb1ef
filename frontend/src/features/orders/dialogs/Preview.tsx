import { Text } from '@mantine/core';
import type { BusError } from '../../../door/error';
import { Problem } from '../../../ui/page/Note';

interface PreviewProps {
  /** What it would come to; undefined while it is not known. */
  text: string | undefined;
  error: BusError | null;
}

/** What an action would come to, worked out by the application before anything is done. */
export function Preview({ text, error }: PreviewProps) {
  if (error) return <Problem message={error.message} hint={error.recoveryHint} />;
  return (
    <Text role="status" fw={600} mih={20}>
      {text}
    </Text>
  );
}
