import { Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { i18n } from '../../language/i18n';
import { useKeys } from '../keys/useKeys';
import { PickAll } from '../list/PickBox';
import type { Picking } from '../list/picking';
import { useListCursor } from '../list/useListCursor';
import { headRow, VirtualListbox } from '../list/VirtualListbox';
import { useAgentContext } from '../window/useAgentContext';
import { ExportMenu, ExportStatus, type FileFormat, type FileTask } from './FileExport';
import classes from './ListPage.module.css';
import { Loading } from './Loading';
import { Problem } from './Note';
import { Page } from './Page';
import { PageHead } from './PageHead';

/** A list that is read page by page, as far as it was read. */
interface PagedRows<T> {
  items: readonly T[];
  list: { show: (first: number, last: number) => void };
  isPending: boolean;
  isSuccess: boolean;
  refetch: () => void;
  error: { message: string; recoveryHint?: string } | null;
}

export interface ListPageProps<T, F extends FileFormat> {
  /** The heading, and the name of the list. */
  title: string;
  /** Marks the list in the page. */
  id: string;
  pages: PagedRows<T>;
  keyOf: (item: T) => string;
  search: { value: string; onChange: (text: string) => void };
  /** The label of the search, and its placeholder. */
  label: string;
  placeholder: string;
  /** Filters and actions, before and after the search; last the actions of the page. */
  before?: ReactNode;
  afterSearch?: ReactNode;
  after?: ReactNode;
  /** What stands between the head of the page and the list. */
  above?: ReactNode;
  /** The export, with the nouns for one row and for many. */
  exporting: { formats: readonly F[]; task: FileTask; onStart: (format: F) => void };
  nouns: readonly [one: string, many: string];
  /** The heads of the columns, in the grid of the rows. */
  columns: ReactNode;
  renderRow: (item: T) => ReactNode;
  onOpen: (item: T) => void;
  /** Picks several rows by their keys. */
  picking: Picking;
  /** What stands below the list. */
  foot: ReactNode;
  /** The empty state. */
  empty: ReactNode;
}

/** A page that lists and searches; "/" leads to the search, the arrow down from there into the list. */
export function ListPage<T, F extends FileFormat>(props: ListPageProps<T, F>) {
  const { title, id, pages, keyOf, search, label, placeholder, before, after, exporting, nouns } = props;
  const { above, afterSearch } = props;
  const { items } = pages;
  const { columns, renderRow, onOpen, picking, foot, empty } = props;
  const field = useRef<HTMLInputElement>(null);
  const choose = (index: number) => {
    const item = items[index];
    if (item !== undefined) onOpen(item);
  };
  const cursor = useListCursor(items, keyOf, choose);
  useAgentContext(() => {
    const under = items[cursor.active];
    return under === undefined ? undefined : { step: id, ids: [keyOf(under)] };
  });
  const find = () => {
    field.current?.focus();
    field.current?.select(); // typing replaces the earlier words
  };
  useKeys({
    '/': { does: i18n._('Search the list'), act: find },
    // The list itself has these while the focus is in it.
    Space: { does: i18n._('Select a row of the list, or no longer') },
    'Shift+ArrowDown': { does: i18n._('Select the rows up to the next one') },
    'Shift+ArrowUp': { does: i18n._('Select the rows up to the one before') },
    'Ctrl+A': { does: i18n._('Select all rows that are loaded') },
  });

  return (
    <Page>
      <PageHead title={title}>
        <Group gap="sm" wrap="wrap" className={classes.head}>
          {before}
          <TextInput
            ref={field}
            type="search"
            className={classes.search}
            aria-label={label}
            aria-keyshortcuts="/"
            wrapperProps={{ 'data-key': '/' }}
            placeholder={placeholder}
            leftSection={<IconSearch size={15} aria-hidden />}
            value={search.value}
            onChange={(event) => search.onChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              document.getElementById(id)?.focus();
            }}
          />
          {afterSearch}
          <ExportMenu formats={exporting.formats} busy={exporting.task.running} onStart={exporting.onStart} />
          {after}
        </Group>
      </PageHead>
      {above}
      <ExportStatus {...exporting.task} nouns={nouns} />
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      <div className={classes.columns} {...headRow(id, items.length)}>
        <PickAll picking={picking} loaded={items.length} />
        {columns}
      </div>
      <div className={classes.list}>
        {pages.isPending && !pages.error && <Loading label={i18n._('Reading the list')} />}
        {pages.isSuccess && items.length === 0 && empty}
        {items.length > 0 && (
          <VirtualListbox
            id={id}
            label={title}
            heads="above"
            items={items}
            keyOf={keyOf}
            rowHeight={38}
            cursor={cursor}
            onChoose={choose}
            onShow={pages.list.show}
            renderRow={renderRow}
            picking={picking}
          />
        )}
      </div>
      {foot}
    </Page>
  );
}
