import { useQueryClient } from '@tanstack/react-query';
import type { Request } from './client';
import { useCapability, useInvoke } from './hooks';

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

/** Signs whoever is there out. */
export function useSignOut() {
  const { mutateAsync, ...rest } = useInvoke('session.signOut', source);
  const afterwards = useAnew();
  return { ...rest, run: () => mutateAsync({}).then(afterwards, told) };
}

/** Asks for everything once more after the answer: only then is it certain that the door knows who is there. */
function useAnew() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries();
}

/** A failure is in the state of the call already. */
const told = () => undefined;
