import { useDebouncedValue } from '@mantine/hooks';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useManifest } from '../../queries/useManifest';
import { useKept } from '../../ui/window/useKept';
import { usePersonNames } from '../domain';
import { chosenBy, conversationOptions, type Facet, type Filters, options } from './filters';
import { callerText, isNavigation, navigationDomains, outcomeText, sideEffectText } from './record';

/** The filters of the audit, kept for the life of the window, with their debounced query and its counts. */
export function useFilters() {
  const [filters = {}, keep] = useKept<Filters>('audit filters');
  const [wanted = false, setNavigation] = useKept<boolean>('audit navigation');
  const navigation = wanted || isNavigation({ capability: filters.capability });
  const [typed] = useDebouncedValue(filters.text, 200);
  const chosen = chosenBy({ ...filters, text: filters.text && typed });
  const { data, isPlaceholderData } = useCapability(
    'audit.search',
    { ...chosen, facets: true, limit: 1 },
    { source: 'AuditFacets' },
  );
  const capabilities = useManifest()?.capabilities;
  const facets = data?.facets;
  const personName = usePersonNames([filters.person, ...(facets?.people ?? []).map(({ value }) => value)]);

  const say: Record<Facet, (value: string) => string> = {
    caller: callerText,
    capability: (name) => capabilities?.find((c) => c.name === name)?.title ?? name,
    outcome: outcomeText,
    risk: sideEffectText,
    person: (id) => personName(id) ?? id,
  };
  return {
    filters,
    /** The query of the list and of a file of it. */
    asked: { ...chosen, without: navigation ? undefined : navigationDomains },
    /** Whether the records of which page was opened are listed too. */
    navigation,
    setNavigation,
    facets,
    /** Whether the counts are still those of other filters. */
    counting: isPlaceholderData,
    unindexed: data?.unindexed,
    narrow: (more: Filters) => keep({ ...filters, ...more }),
    replace: (other: Filters) => keep(other),
    clear: () => keep(undefined),
    conversations: conversationOptions(facets, filters.conversation, (time) =>
      i18n._('Chat, last used {time}', { time: formatTime(time) }),
    ),
    optionsOf: (facet: Facet) => options(facets, facet, filters[facet], say[facet]),
  };
}
