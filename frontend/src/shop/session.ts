import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { Request } from '../bridge/capabilities';
import { answerKey, readAgain } from '../queries/BusProvider';
import { useCapability } from '../queries/useCapability';
import { useInvoke } from '../queries/useInvoke';

const source = { source: 'SignIn' };

/** The session: the person at this desk, and the people who can sign in; undefined until it is read. */
export function useSession() {
  return useCapability('session.get', {}, source).data;
}

/** Signs a person in and removes everything of the person before from the window. */
export function useSignIn() {
  const { mutateAsync, ...rest } = useInvoke('session.signIn', source);
  const afterwards = useAnew();
  const run = (args: Request<'session.signIn'>) =>
    mutateAsync(args).then(({ data }) => {
      if (data.notice) notifications.show({ color: 'amber', message: data.notice, autoClose: false, withBorder: true });
      return afterwards();
    }, told);
  return { ...rest, run };
}

/** Leaves the desk: locks it for a person with a PIN, signs other people out. */
export function useLeave() {
  const session = useSession();
  const locks = session?.people.find(({ id }) => id === session.staff?.id)?.needsPin ?? false;
  const lock = useInvoke('session.lock', source);
  const signOut = useInvoke('session.signOut', source);
  const queries = useQueryClient();
  const afterwards = useAnew();
  const shown = () => readAgain(queries, { queryKey: answerKey('session.get', {}) });
  return {
    isPending: lock.isPending || signOut.isPending,
    run: () => (locks ? lock.mutateAsync({}).then(shown, told) : signOut.mutateAsync({}).then(afterwards, told)),
  };
}

/** Reads everything again after the answer: only then does the door know the new person. */
function useAnew() {
  const queries = useQueryClient();
  return () => readAgain(queries);
}

/** A failure is in the state of the call already. */
const told = () => undefined;
