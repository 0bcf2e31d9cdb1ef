import { Checkbox, Text } from '@mantine/core';
import { formatMoment } from '../../ui/format';
import classes from './Audit.module.css';
import { navigationIn } from './filters';
import { SavedFilters } from './SavedFilters';
import type { useFilters } from './useFilters';

interface FoundProps {
  narrowing: ReturnType<typeof useFilters>;
  navigation: boolean;
  onNavigation: (show: boolean) => void;
}

/** How many records there are, and which of them are not shown and why. */
export function Found({ narrowing, navigation, onNavigation }: FoundProps) {
  const { filters, facets, counting, unindexed } = narrowing;
  const hidden = facets && !navigation ? navigationIn(facets, filters) : 0;
  return (
    <div className={classes.found}>
      <Text size="xs" c="dimmed" role="status">
        {counting && 'Counting…'}
        {facets && !counting && (
          <>
            {count(facets.records)}
            {facets.searchedBack ? ` since ${formatMoment(facets.searchedBack)}` : ''}
            {hidden > 0 && `, ${hidden.toLocaleString()} of navigation not shown`}
            {unindexed ? `; the words of the newest ${unindexed.toLocaleString()} are not searched yet` : ''}
          </>
        )}
      </Text>
      <SavedFilters {...narrowing} />
      <Checkbox
        size="xs"
        label="Show navigation"
        checked={navigation}
        onChange={(event) => onNavigation(event.currentTarget.checked)}
      />
    </div>
  );
}

const count = (records: number) => `${records.toLocaleString()} ${records === 1 ? 'record' : 'records'}`;
