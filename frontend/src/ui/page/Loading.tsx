import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** Lines where content will be. */
export function Loading({ label, lines = 4 }: { label: string; lines?: number }) {
  return (
    <Stack p="md" gap="sm" role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} animate={false} height={14} width={`${90 - (line % 3) * 18}%`} />
      ))}
    </Stack>
  );
}
