import { useMutation, useQuery } from '@tanstack/react-query';
import type { BusError } from '../../bridge/error';
import { entry } from '../../bridge/manifest';
import type { JsonObject } from '../../bridge/wire';
import { own } from '../../language/own';
import { answerKey, useClient } from '../../queries/BusProvider';
import { useMayAsk } from '../../queries/frozen';
import { useManifest } from '../../queries/useManifest';
import { useDomain } from '../domain';
import type { View } from './view';

const source = 'Views';

/** The views that the person at the desk keeps, with the page of each; none where the application keeps none. */
export function useViews(): { views: readonly (View & { link: string })[]; error: BusError | null } {
  const { views: keeping } = useDomain();
  const client = useClient();
  const available = entry(useManifest(), keeping?.list ?? '')?.available ?? false;
  const { data, error } = useQuery<{ views: View[] }, BusError>({
    queryKey: answerKey(keeping?.list ?? '', {}),
    queryFn: async () => (await client.invokeByName<{ views: View[] }>(keeping?.list ?? '', {}, { source })).data,
    enabled: useMayAsk(available),
  });
  const views = (data?.views ?? []).flatMap((view) => {
    const link = own(keeping?.pages, view.list);
    return link === undefined ? [] : [{ ...view, link }];
  });
  return { views, error };
}

/** What a view is saved as; with its id it is changed or renamed. */
type Saved = Omit<View, 'id'> & { viewId?: string };

/** Saves and removes views; undefined where the person may not. */
export function useKeepViews() {
  const { views: keeping } = useDomain();
  const client = useClient();
  const may = entry(useManifest(), keeping?.save ?? '')?.available ?? false;
  const call = (name: string | undefined, args: JsonObject) => client.invokeByName(name ?? '', args, { source });
  const save = useMutation<unknown, BusError, Saved>({
    mutationFn: ({ viewId, ...view }) => call(keeping?.save, { ...view, ...(viewId && { viewId }) }),
  });
  const remove = useMutation<unknown, BusError, string>({
    mutationFn: (viewId) => call(keeping?.remove, { viewId }),
  });
  return may ? { save: { ...save, capability: keeping?.save ?? '' }, remove } : undefined;
}
