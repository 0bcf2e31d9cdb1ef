import { Button, Group, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useRefusal } from '../../../queries/useManifest';
import { Badge } from '../../../ui/page/Badge';

interface LocalModelsProps {
  inUse: Response<'settings.get'>['model'];
  disabled: boolean;
  onUse: (endpoint: string, model: string) => void;
}

/** How many models of a server are offered; the others are listed by a test. */
const OFFERED = 6;

/** The models that were found on this computer, each a click away; nothing where there are none. */
export function LocalModels({ inUse, disabled, onUse }: LocalModelsProps) {
  const unfindable = useRefusal('assistant.findLocal');
  const unsettable = useRefusal('settings.set');
  const refused = unfindable ?? unsettable;
  const { data } = useCapability('assistant.findLocal', {}, { source: 'Settings', enabled: refused === undefined });
  const found = data?.endpoints ?? [];
  if (refused !== undefined || found.length === 0) return null;
  const isUsed = (endpoint: string, model: string) => inUse?.endpoint === endpoint && inUse.model === model;
  return (
    <section aria-label={i18n._('On this computer')}>
      <Text size="sm" fw={500}>
        {i18n._('On this computer')}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {i18n._('Nothing that is said to these models leaves it.')}
      </Text>
      {found.map(({ name, endpoint, models, foreign }) => (
        <Group key={endpoint} gap="xs" mb={6}>
          <Text size="sm" w={90}>
            {name}
          </Text>
          {foreign && <Badge color="brick">{i18n._('run by another account')}</Badge>}
          {models.slice(0, OFFERED).map((model) => (
            <Button
              key={model}
              size="compact-sm"
              variant="default"
              disabled={disabled || isUsed(endpoint, model)}
              onClick={() => onUse(endpoint, model)}
            >
              {isUsed(endpoint, model) ? i18n._('{model} answers', { model }) : i18n._('Use {model}', { model })}
            </Button>
          ))}
        </Group>
      ))}
    </section>
  );
}
