import { Checkbox, Text } from '@mantine/core';
import { formatMoment } from '../../ui/format';
import classes from './Audit.module.css';
import { type Facets, type Filters, navigationIn } from './filters';

interface FoundProps {
  filters: Filters;
  facets: Facets | undefined;
  /** How many of the newest records words are not found in yet. */
  unindexed?: number;
  navigation: boolean;
  onNavigation: (show: boolean) => void;
}

/** How many records there are, and which of them are not shown and why. */
export function Found({ filters, facets, unindexed, navigation, onNavigation }: FoundProps) {
  const hidden = facets && !navigation ? navigationIn(facets, filters) : 0;
  return (
    <div className={classes.found}>
      <Text size="xs" c="dimmed" role="status">
        {facets && (
          <>
            {count(facets.records)}
            {facets.searchedBack ? ` since ${formatMoment(facets.searchedBack)}` : ''}
            {hidden > 0 && `, ${hidden.toLocaleString()} of navigation not shown`}
            {unindexed ? `; the words of the newest ${unindexed.toLocaleString()} are not searched yet` : ''}
          </>
        )}
      </Text>
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
