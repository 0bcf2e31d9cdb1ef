import { Switch, Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry, useRefusal } from '../../../queries/useManifest';
import { Loading } from '../../../ui/page/Loading';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import { Budget } from './Budget';
import { HouseRules } from './HouseRules';
import { Model } from './Model';
import { WhatLeaves } from './WhatLeaves';

/** The endpoint of the built-in model in records. */
const BUILT_IN = 'built-in';

const source = { source: 'Settings' };

/** Whether the assistant may be asked at all, who answers then, and what that one is told. */
export function Assistant() {
  const { data, error, refetch } = useCapability('assistant.status', {}, source);
  const set = useInvoke('assistant.setEnabled', source);
  const refused = useRefusal('assistant.setEnabled');
  const settings = useEntry('settings.set');
  if (!data) {
    return error ? (
      <Problem message={error.message} onRetry={refetch} />
    ) : (
      <Loading label={i18n._('Asking the assistant')} />
    );
  }
  return (
    <>
      <Part title={i18n._('Assistant')}>
        {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
        <Switch
          label={i18n._('The assistant may be asked')}
          description={refused ?? i18n._('Off, everything else goes on; conversations, rules and grants stay.')}
          checked={data.enabled}
          disabled={refused !== undefined || set.isPending}
          onChange={(event) =>
            set.mutate({ enabled: event.currentTarget.checked }, { onSuccess: () => void refetch() })
          }
        />
        <Text mt="sm">{answers(data)}</Text>
      </Part>
      {settings && <Model />}
      <HouseRules />
      <Budget />
      <WhatLeaves status={data} onChanged={() => void refetch()} />
    </>
  );
}

interface Answering {
  model?: string;
  endpoint?: string;
  latencyMs: number;
  connected: boolean;
}

/** Who answers, and how it did when it was asked last. */
function answers({ model, endpoint, latencyMs, connected }: Answering): string {
  const builtin = !model || endpoint === BUILT_IN;
  const name = builtin
    ? i18n._('The built-in assistant')
    : endpoint
      ? i18n._('{model} at {endpoint}', { model, endpoint })
      : model;
  if (!connected) return i18n._('{name} is set, but did not answer when it was asked last.', { name });
  if (latencyMs === 0) return i18n._('{name} answers.', { name });
  return i18n._('{name} answers, in {latencyMs, number} ms when asked last.', { name, latencyMs });
}
