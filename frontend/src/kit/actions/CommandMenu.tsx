import { entry, refusal } from '../../bridge/manifest';
import { useManifest } from '../../queries/useManifest';
import { MoreMenu } from '../../ui/page/MoreMenu';
import { useOpenCommand } from '../desk/useOpenCommand';

interface CommandMenuProps {
  /** Capabilities that are seldom needed on a page; those that the person does not have are left out. */
  names: readonly string[];
}

/** A menu that opens the forms of capabilities. */
export function CommandMenu({ names }: CommandMenuProps) {
  const manifest = useManifest();
  const open = useOpenCommand();
  const entries = names.flatMap((name) => entry(manifest, name) ?? []);
  if (entries.length === 0) return null;
  return (
    <MoreMenu
      items={entries.map((one) => ({
        ...{ key: one.name, title: one.title, help: one.help, refused: refusal(one) },
        onClick: () => open(one.name),
      }))}
    />
  );
}
