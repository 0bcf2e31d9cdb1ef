import { type ComponentType, memo, type ReactElement, useEffect, useState } from 'react';
import { Loading } from '../page/Loading';

/**
 * A part whose code is fetched when it is shown, or ahead of that by `fetch`. Once it
 * is there the part is drawn at once: behind React's lazy and Suspense a part that was
 * waited for, however shortly, is held back for 300 ms. While the code is on its way
 * `waiting` says so, in words or by what is drawn; code that cannot be had is a failure of the part. It is drawn again
 * only for other props.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  waiting?: () => string | ReactElement,
) {
  let code: ComponentType<Props> | undefined;
  const fetch = async () => {
    code ??= (await load()).default;
    return code;
  };

  function Later(props: Props) {
    const [Part, setPart] = useState(() => code);
    const [failed, setFailed] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Part) return;
      let gone = false;
      fetch().then(
        (loaded) => gone || setPart(() => loaded),
        (error) => gone || setFailed({ error }),
      );
      return () => {
        gone = true;
      };
    }, [Part]);
    if (failed) throw failed.error;
    if (Part) return <Part {...props} />;
    const shown = waiting?.();
    return typeof shown === 'string' ? <Loading label={shown} /> : shown;
  }
  return Object.assign(memo(Later), { fetch });
}
