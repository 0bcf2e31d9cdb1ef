import type { ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CapabilityName, Request } from '../../bridge/capabilities';
import { refusal } from '../../bridge/manifest';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';

interface CapabilityButtonProps<N extends CapabilityName> extends ButtonProps {
  name: N;
  args: Request<N>;
  /** The part of the window that asks. */
  source: string;
  /** The words on it; absent: the capability's title. */
  children?: ReactNode;
}

/** Invokes a capability, and says why it failed. It can be pressed when the manifest says that it is possible now. */
export function CapabilityButton<N extends CapabilityName>(props: CapabilityButtonProps<N>) {
  const { name, args, source, children, ...rest } = props;
  const entry = useEntry(name);
  const { mutate, isPending, error } = useInvoke(name, { source });
  return (
    <>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <ActionButton
        variant="default"
        {...rest}
        disabledReason={refusal(entry)}
        loading={isPending}
        onClick={() => mutate(args)}
      >
        {children ?? entry?.title ?? name}
      </ActionButton>
    </>
  );
}
