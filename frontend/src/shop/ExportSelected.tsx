import { useSelected } from '../kit/selection/useSelection';
import { i18n } from '../language/i18n';
import { ExportMenu } from '../ui/page/FileExport';
import type { useSearched } from './useSearchedList';

interface ExportSelectedProps {
  entity: string;
  exporting: ReturnType<typeof useSearched>['exportingSome'];
}

/** Writes the selected records of a kind to a file. */
export function ExportSelected({ entity, exporting: { formats, busy, onStart } }: ExportSelectedProps) {
  const selected = useSelected(entity);
  const ids = () => selected.map(({ id }) => id);
  return (
    <ExportMenu {...{ formats, busy }} label={i18n._('Export selected')} onStart={(format) => onStart(format, ids())} />
  );
}
