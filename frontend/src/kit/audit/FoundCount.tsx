import { Checkbox, Text } from '@mantine/core';
import { formatMoment } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import classes from './Audit.module.css';
import { navigationIn } from './filters';
import { SavedFilters } from './SavedFilters';
import type { useFilters } from './useFilters';

interface FoundCountProps {
  narrowing: ReturnType<typeof useFilters>;
  navigation: boolean;
  onNavigation: (show: boolean) => void;
}

/** The number of records found, and how many are hidden and why. */
export function FoundCount({ narrowing, navigation, onNavigation }: FoundCountProps) {
  const { filters, facets, counting, unindexed } = narrowing;
  const saves = useEntry('audit.saveFilter')?.available ?? false;
  const hidden = facets && !navigation ? navigationIn(facets, filters) : 0;
  return (
    <div className={classes.found}>
      <Text size="xs" c="dimmed" role="status">
        {counting && i18n._('Counting…')}
        {facets && !counting && [foundText(facets), hiddenText(hidden), unindexedText(unindexed)].join('')}
      </Text>
      {saves && <SavedFilters {...narrowing} />}
      <Checkbox
        size="xs"
        label={i18n._('Show navigation and card answers')}
        checked={navigation}
        onChange={(event) => onNavigation(event.currentTarget.checked)}
      />
    </div>
  );
}

function foundText({ records, searchedBack }: NonNullable<FoundCountProps['narrowing']['facets']>): string {
  if (!searchedBack) return i18n._('{count, plural, one {# record} other {# records}}', { count: records });
  const since = formatMoment(searchedBack);
  return i18n._('{count, plural, one {# record} other {# records}} since {since}', { count: records, since });
}

function hiddenText(count: number): string {
  return count > 0 ? i18n._(', {count, number} of card answers and of navigation not shown', { count }) : '';
}

function unindexedText(count: number | undefined): string {
  return count ? i18n._('; the words of the newest {count, number} are not searched yet', { count }) : '';
}
