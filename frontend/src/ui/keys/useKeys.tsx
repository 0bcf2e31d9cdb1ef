import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Binding, base, hearUnbound, Layer, type LayerKind, openLayer, watchKeys } from './registry';

const Around = createContext<Layer>(base);

interface KeyLayerProps {
  kind: LayerKind;
  /** Leaves the layer: the top one alone hears Escape. */
  onEscape?: () => void;
  /** The element that takes the keys while it has the focus. Default: the window. */
  within?: RefObject<Element | null>;
  children: ReactNode;
}

/** A part of the window with keys that are its own. */
export function KeyLayer({ kind, onEscape, within, children }: KeyLayerProps) {
  const around = useContext(Around);
  const [layer] = useState(() => new Layer(kind, around));
  useLayoutEffect(() => {
    layer.onEscape = onEscape;
  });
  useLayoutEffect(() => {
    layer.within = within?.current ?? null;
    return openLayer(layer);
  }, [layer, within]);
  return <Around value={layer}>{children}</Around>;
}

/** Binds keys, such as "F2" or "Ctrl+K", on the layer around while the component is there. */
export function useKeys(keys: Readonly<Record<string, Binding>>): void {
  const layer = useContext(Around);
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  const names = Object.keys(keys).join('\n');
  useLayoutEffect(() => {
    const unbind = names
      .split('\n')
      .filter(Boolean)
      .map((name) => layer.bind(name, () => latest.current[name] ?? {}));
    return () => {
      for (const end of unbind) end();
    };
  }, [layer, names]);
}

/** Shows each key to a watcher before any element has it; one that returns true keeps it. */
export function useKeyWatch(watcher: (event: KeyboardEvent) => unknown): void {
  const latest = useRef(watcher);
  useEffect(() => {
    latest.current = watcher;
  });
  useEffect(() => watchKeys((event) => latest.current(event)), []);
}

/** Tells of the keys that no layer binds. */
export function useUnboundKeys(heard: ((key: string) => void) | undefined): void {
  useLayoutEffect(() => heard && hearUnbound(heard), [heard]);
}
