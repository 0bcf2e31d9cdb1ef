import { useCallback } from 'react';
import type { CapabilityName, Request, Response } from '../bridge/capabilities';
import { asBusError, type BusError } from '../bridge/error';
import { newId } from '../bridge/ids';
import { useKept } from '../ui/window/useKept';
import { useClient } from './BusProvider';
import { useBusEvent } from './useBusEvent';

interface Task<N extends CapabilityName> {
  id: string;
  running: boolean;
  percent: number;
  stopped?: boolean;
  data?: Response<N>;
  error?: BusError;
}

/**
 * Runs a capability that takes a while: tells how far it has come, in per cent,
 * and can be stopped. It goes on when its page is left, and is found there again; `of` tells
 * pages of one kind apart.
 */
export function useTask<N extends CapabilityName>(name: N, source: string, of = source) {
  const client = useClient();
  const [task, setTask] = useKept<Task<N>>(`task ${name} of ${of}`);
  useBusEvent('progress', ({ task_id, percent }) => {
    if (percent === undefined) return;
    setTask((now) => (now?.running && now.id === task_id ? { ...now, percent } : now));
  });
  const start = async (args: Request<N>, whenDone?: (data: Response<N>) => void) => {
    const id = newId();
    setTask({ id, running: true, percent: 0 });
    try {
      const { data } = await client.invoke(name, args, { source, requestId: id });
      setTask({ id, running: false, percent: 100, data });
      whenDone?.(data);
    } catch (thrown) {
      setTask((now) => ({ id, running: false, percent: 0, stopped: now?.stopped, error: asBusError(thrown) }));
    }
  };
  const stop = () => {
    if (!task) return;
    setTask({ ...task, stopped: true });
    client.cancel(task.id);
  };
  const clear = useCallback(() => setTask(undefined), [setTask]);
  return { running: false, percent: 0, ...task, start, stop, clear };
}
