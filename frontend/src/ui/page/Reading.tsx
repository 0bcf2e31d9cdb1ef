import { Loading } from './Loading';
import { Problem } from './Note';

interface ReadingProps {
  label: string;
  /** What is read: its failure is told, with the way to try again. */
  of: { error: { message: string; recoveryHint?: string } | null; refetch: () => void };
}

/** Stands where something will be that is still read, or could not be. */
export function Reading({ label, of: { error, refetch } }: ReadingProps) {
  if (error) return <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />;
  return <Loading label={label} />;
}
