import { useDraft } from '../../ui/window/useKept';

/** Opens the palette: at the form of a capability, or at its list. */
export function useOpenCommand(): (capability?: string) => void {
  const [, setDialog] = useDraft<string>('dialog');
  const [, setCommand] = useDraft<string>('command');
  return (capability) => {
    setCommand(capability);
    setDialog('palette');
  };
}
