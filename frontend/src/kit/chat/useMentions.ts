import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { type Mention, mentionAt, withMention } from '../../bridge/mentions';
import { moved } from '../../ui/list/useListCursor';
import { rowId } from '../../ui/list/VirtualListbox';
import { type Found, useRecordSearch } from '../useRecordSearch';

/** As many records of one kind, and of all, as are shown: a list of a field that is no combobox must not scroll. */
const OF_ONE_KIND = 4;
const SHOWN = 8;

/** A text that is being written, and the records in it. */
interface Written {
  text: string;
  mentions: readonly Mention[];
  onChange: (text: string, mentions: readonly Mention[]) => void;
}

/**
 * The records that can be chosen by "@" in a text field. Its arrows move through them, Enter and Tab choose, Escape
 * leaves the text as it is. Until an answer is there Enter does nothing: it would send what is not chosen yet.
 */
export function useMentions(field: RefObject<HTMLTextAreaElement | null>, { text, mentions, onChange }: Written) {
  const list = useId();
  const [caret, setCaret] = useState(0);
  const [put, setPut] = useState<{ caret: number }>();
  const [left, setLeft] = useState<number>(); // where the person wants no list
  const [active, setActive] = useState(0);
  const sought = mentionAt(text.slice(0, caret), mentions);
  const wanted = sought && sought.from !== left ? sought : undefined;
  const words = wanted?.words ?? '';
  const [query] = useDebouncedValue(words, 150);
  const { groups, busy } = useRecordSearch(query, 'Mentions');
  const waits = wanted !== undefined && (busy || words !== query);
  const shown = wanted === undefined || words !== query ? [] : firstOf(groups);
  const found = shown.flatMap(({ items }) => items);

  useLayoutEffect(() => {
    if (put) field.current?.setSelectionRange(put.caret, put.caret);
  }, [field, put]);

  const choose = ({ entity, value: id, name }: Found) => {
    if (!wanted) return;
    const next = withMention(text.slice(0, caret), wanted.from, mentions, { entity, id, name });
    const before = `${next.text} `;
    onChange(before + text.slice(caret).trimStart(), next.mentions);
    setCaret(before.length);
    setPut({ caret: before.length });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!wanted || event.nativeEvent.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const next = key.startsWith('Arrow') && found.length > 0 ? moved(key, active, found.length) : undefined;
    const one = found[Math.min(active, found.length - 1)];
    if (next !== undefined) setActive(next);
    else if ((key === 'Enter' || key === 'Tab') && one) choose(one);
    else if (key !== 'Enter' || !waits) return;
    event.preventDefault();
  };
  const onCaret = () => setCaret(field.current?.selectionStart ?? 0);
  const open = found.length > 0;
  return {
    ...{ list, groups: shown, count: found.length, active: Math.min(active, found.length - 1), open, waits, choose },
    /** Of the field, which calls them beside its own. */
    onKeyDown,
    /** Closes the list by Escape; undefined while there is none. */
    leave: wanted && (open || waits) ? () => setLeft(wanted.from) : undefined,
    onCaret,
    onType: (next: string) => {
      const at = field.current?.selectionStart ?? next.length;
      setCaret(at);
      setActive(0);
      if (!mentionAt(next.slice(0, at), mentions)) setLeft(undefined);
    },
    field: {
      'aria-haspopup': 'listbox',
      'aria-autocomplete': 'list',
      'aria-controls': open ? list : undefined,
      'aria-activedescendant': open ? rowId(list, Math.min(active, found.length - 1)) : undefined,
    } as const,
  };
}

function firstOf(groups: ReturnType<typeof useRecordSearch>['groups']) {
  let left = SHOWN;
  return groups.flatMap(({ group, items }) => {
    const some = items.slice(0, Math.min(OF_ONE_KIND, left));
    left -= some.length;
    return some.length > 0 ? [{ group, items: some }] : [];
  });
}
