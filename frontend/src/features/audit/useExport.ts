import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../bus/BusProvider';
import type { Request, Response } from '../../bus/client';
import type { BusError } from '../../bus/error';
import { useBusEvent } from '../../bus/hooks';
import { newId } from '../../bus/id';

/** Writes records to a file, tells how far it has come, and can be stopped. */
export function useExport() {
  const client = useClient();
  const [task, setTask] = useState<{ id: string; percent: number; stopped?: boolean }>();
  useBusEvent('progress', ({ task_id, percent }) => {
    if (percent !== undefined) setTask((now) => (now?.id === task_id ? { ...now, percent } : now));
  });
  const run = useMutation<Response<'audit.export'>, BusError, Request<'audit.export'>>({
    mutationFn: async (args) => {
      const requestId = newId();
      setTask({ id: requestId, percent: 0 });
      return (await client.invoke('audit.export', args, { source: 'ExportButton', requestId })).data;
    },
  });
  const stop = () => {
    if (!task) return;
    setTask({ ...task, stopped: true });
    client.cancel(task.id);
  };
  return {
    start: run.mutate,
    stop,
    clear: run.reset,
    running: run.isPending,
    stopped: task?.stopped ?? false,
    percent: task?.percent ?? 0,
    written: run.data,
    error: run.error,
  };
}
