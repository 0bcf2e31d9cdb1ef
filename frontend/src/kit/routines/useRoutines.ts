import { notifications } from '@mantine/notifications';
import type { Response } from '../../bridge/capabilities';
import { entry, type ManifestEntry } from '../../bridge/manifest';
import { namesOf } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useManifest } from '../../queries/useManifest';

export type Routine = Response<'routine.list'>['routines'][number];

const LIST = 'routine.list';
export const RUN = 'routine.run';

/** The saved routines; none where the application keeps none. */
export function useRoutines(): readonly Routine[] {
  const enabled = entry(useManifest(), LIST)?.available ?? false;
  return useCapability(LIST, {}, { source: 'Routines', enabled }).data?.routines ?? [];
}

/** Whether a routine asks for something before it is run. */
export const asks = ({ form }: Routine) => namesOf(form as JsonObject).length > 0;

/** Where the ids in the form of a routine are found: as for the capabilities that it uses. */
export function useSources({ uses }: Routine): ManifestEntry['sources'] {
  const manifest = useManifest();
  return Object.assign({}, ...uses.map((name) => entry(manifest, name)?.sources).reverse());
}

/** Runs a routine that asks for nothing; a card shows it first. */
export function useRunRoutine() {
  const run = useInvoke(RUN, { source: 'Routines', once: true });
  return ({ id, name }: Routine) =>
    run.mutate(
      { routineId: id },
      {
        onError: ({ message, recoveryHint, reason }) => {
          if (reason === 'declined') return; // the person said so
          const title = `${name}: ${message}`;
          notifications.show({ id: RUN, color: 'amber', title, message: recoveryHint, withBorder: true });
        },
      },
    );
}
