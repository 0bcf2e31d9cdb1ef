import { useViewportSize } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useSizes } from '../../ui/theme/sizes';

/** The width of the window in rem below which the dock lies below the page, as in Dock.module.css. */
const DOCK_BELOW = 56;

/** Where notices are shown: never on the dock, where a card may wait. */
export function Notices() {
  const { scale } = useSizes();
  const { width } = useViewportSize();
  const below = width <= DOCK_BELOW * 16 * scale;
  return <Notifications position={below ? 'top-left' : 'bottom-left'} limit={3} containerWidth={320} />;
}
