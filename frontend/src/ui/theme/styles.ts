// The styles of the library and of the page's own elements: they stand before those of its parts.
import './mantine';
import '@mantine/notifications/styles.css';
import './global.css';
