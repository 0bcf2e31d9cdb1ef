import { useQueryClient } from '@tanstack/react-query';
import type { Request } from '../door/capabilities';
import { answerKey } from './BusProvider';
import { useCapability } from './useCapability';
import { useInvoke } from './useInvoke';

const source = { source: 'SignIn' };

/** Who is at this desk, and who could be; undefined while that is not known. */
export function useSession() {
  return useCapability('session.get', {}, source).data;
}

/** Signs somebody in. Afterwards nothing of the one before is left in the window. */
export function useSignIn() {
  const { mutateAsync, ...rest } = useInvoke('session.signIn', source);
  const afterwards = useAnew();
  return { ...rest, run: (args: Request<'session.signIn'>) => mutateAsync(args).then(afterwards, told) };
}

/** Leaves the desk: locks it for somebody with a PIN, who comes back to everything as it was; signs others out. */
export function useLeave() {
  const session = useSession();
  const locks = session?.people.find(({ id }) => id === session.staff?.id)?.needsPin ?? false;
  const lock = useInvoke('session.lock', source);
  const signOut = useInvoke('session.signOut', source);
  const queries = useQueryClient();
  const afterwards = useAnew();
  const shown = () => queries.invalidateQueries({ queryKey: answerKey('session.get', {}) });
  return {
    isPending: lock.isPending || signOut.isPending,
    run: () => (locks ? lock.mutateAsync({}).then(shown, told) : signOut.mutateAsync({}).then(afterwards, told)),
  };
}

/** Asks for everything once more after the answer: only then is it certain that the door knows who is there. */
function useAnew() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries();
}

/** A failure is in the state of the call already. */
const told = () => undefined;
