import type { ReactNode } from 'react';
import { SelectionBar } from '../kit/selection/SelectionBar';
import { useSelected } from '../kit/selection/useSelection';
import { i18n } from '../language/i18n';
import type { Picking } from '../ui/list/picking';
import { ExportMenu } from '../ui/page/FileExport';
import type { useSearched } from './useSearchedList';

interface SelectedRowsProps {
  entity: string;
  picking: Picking;
  goesOn: boolean;
  exporting: ReturnType<typeof useSearched>['exportingSome'];
  /** What else works on several of them. */
  children?: (ids: readonly string[]) => ReactNode;
}

/** The selected records of a list, and what works on all of them. */
export function SelectedRows({ entity, picking, goesOn, exporting, children }: SelectedRowsProps) {
  const ids = useSelected(entity).map(({ id }) => id);
  return (
    <SelectionBar picking={picking} goesOn={goesOn}>
      <ExportMenu
        formats={exporting.formats}
        busy={exporting.busy}
        label={i18n._('Export selected')}
        onStart={(format) => exporting.onStart(format, ids)}
      />
      {children?.(ids)}
    </SelectionBar>
  );
}
