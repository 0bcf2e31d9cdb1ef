import { useCallback } from 'react';
import type { JsonObject } from '../../bridge/wire';
import { keep, useKept } from '../../ui/window/useKept';
import { said, type View } from './view';

const nothing: JsonObject = {};

/** The name under which a window keeps what one of its lists is narrowed to and sorted by. */
const nameOf = (list: string) => `list ${list}`;

/** What a list is narrowed to and sorted by, while the window is open. */
export function useListValues(list: string): [values: JsonObject, set: (values: JsonObject) => void] {
  const [values = nothing] = useKept<JsonObject>(nameOf(list));
  const set = useCallback((next: JsonObject) => showView({ list, values: next }), [list]);
  return [values, set];
}

/** Shows a list narrowed and sorted as a view has it. */
export function showView({ list, values }: Pick<View, 'list' | 'values'>): void {
  keep(nameOf(list), said(values));
}
