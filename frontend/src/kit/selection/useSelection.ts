import { useCallback, useMemo } from 'react';
import type { RecordRef } from '../../bridge/records';
import { extended, type Picked, type Picking, toggled } from '../../ui/list/picking';
import { useKept } from '../../ui/window/useKept';

const none: Picked = { keys: [] };

const usePicked = (entity: string) => useKept<Picked>(`picked ${entity}`);

/** The records of one kind that are selected, in the order they were: what acts on several of them asks here. */
export function useSelected(entity: string): readonly RecordRef[] {
  const [{ keys } = none] = usePicked(entity);
  return useMemo(() => keys.map((id) => ({ entity, id })), [entity, keys]);
}

/**
 * Selects several records of one kind in a list of them, which has their ids as its keys. They stay selected while the
 * window is open, whatever the list shows meanwhile.
 */
export function useSelection<T>(entity: string, items: readonly T[], idOf: (item: T) => string): Picking {
  const [picked = none, set] = usePicked(entity);
  const loaded = useMemo(() => items.map(idOf), [items, idOf]);
  const ids = useMemo(() => new Set(picked.keys), [picked]);
  const inView = useMemo(() => loaded.filter((id) => ids.has(id)).length, [loaded, ids]);
  const change = useCallback(
    (to: (now: Picked) => Picked) =>
      set((now = none) => {
        const next = to(now);
        return next.keys.length > 0 ? next : undefined;
      }),
    [set],
  );
  return {
    count: ids.size,
    elsewhere: ids.size - inView,
    every: loaded.length > 0 && inView === loaded.length,
    has: (id) => ids.has(id),
    toggle: (index) => {
      const id = loaded[index];
      if (id !== undefined) change((now) => toggled(now, id));
    },
    extend: (index, from) => change((now) => extended(now, loaded, index, from)),
    all: () => change((now) => ({ keys: [...new Set([...now.keys, ...loaded])] })),
    clear: () => set(undefined),
  };
}
