import { i18n } from '../language/i18n';

const roles: Record<string, string> = {
  clerk: i18n._('Clerk'),
  manager: i18n._('Manager'),
  owner: i18n._('Owner'),
  auditor: i18n._('Auditor'),
};

/** What somebody is at the desk, in a word. */
export function roleText(role: string): string {
  return roles[role] ?? role;
}
