import type { ReactNode } from 'react';
import type { CapabilityName } from '../../bridge/capabilities';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import type { FileFormat } from '../../ui/page/FileExport';
import { ListPage, type ListPageProps } from '../../ui/page/ListPage';
import { SameForSelected } from '../selection/SameForSelected';
import { SelectionBar } from '../selection/SelectionBar';
import { useSelection } from '../selection/useSelection';
import { SaveView } from '../views/SaveView';
import { ViewBar } from '../views/ViewBar';
import { ListChoice } from './ListChoice';
import { ListFilters } from './ListFilters';

interface RecordsPageProps<T, F extends FileFormat>
  extends Omit<ListPageProps<T, F>, 'pages' | 'picking' | 'above' | 'afterSearch' | 'foot'> {
  /** The records as they are read. */
  pages: ListPageProps<T, F>['pages'] & { list: { goesOn: boolean } };
  /** The kind of its records; their ids are the keys. */
  entity: string;
  /** The capability that lists, and what the list is narrowed to and sorted by. */
  narrowing: { of: CapabilityName; values: JsonObject; onChange: (values: JsonObject) => void };
  /** Its fields that the page has in another place than among the filters, beside the words. */
  elsewhere?: readonly string[];
  /** What works on several records: buttons beside their number. */
  actions: ReactNode;
  /** What these actions came to. */
  outcome?: ReactNode;
}

/** What stands beside the filters: the words, and how they are spelt, the period and the order. */
const beside = ['query', 'forgiving', 'period', 'sort'];
/** The days of a list that a period stands instead of. */
const days = ['from', 'to', 'since'];

/**
 * A page that lists records of one kind: filters and order as the manifest declares them, saved views of both, and
 * several records selected for what works on several.
 */
export function RecordsPage<T, F extends FileFormat>(props: RecordsPageProps<T, F>) {
  const { entity, narrowing, elsewhere = [], actions, outcome, before, ...list } = props;
  const picking = useSelection(entity, list.pages.items, list.keyOf);
  return (
    <ListPage
      {...list}
      before={
        <>
          {before}
          <ListChoice
            {...narrowing}
            field="period"
            label={i18n._('Period')}
            none={days.some((name) => name in narrowing.values) ? i18n._('Certain days') : i18n._('Any time')}
            instead={days}
          />
          <ListFilters {...narrowing} elsewhere={[...beside, ...elsewhere]} />
        </>
      }
      afterSearch={
        <>
          <ListChoice {...narrowing} field="sort" label={i18n._('Sorting')} none={i18n._('Sorting')} />
          <SaveView {...narrowing} />
        </>
      }
      above={<ViewBar {...narrowing} />}
      picking={picking}
      foot={
        <>
          {outcome}
          <SelectionBar picking={picking} goesOn={list.pages.list.goesOn}>
            {actions}
            <SameForSelected entity={entity} />
          </SelectionBar>
        </>
      }
    />
  );
}
