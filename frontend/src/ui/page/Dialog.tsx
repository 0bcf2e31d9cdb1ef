import { Modal, type ModalProps } from '@mantine/core';
import { useFocusBack } from '../keys/useFocusBack';
import { KeyLayer } from '../keys/useKeys';

/** A dialog over the page. Its keys are its own, Escape closes it alone, and the focus goes back to where it was. */
export function Dialog({ children, ...dialog }: Omit<ModalProps, 'opened'>) {
  useFocusBack();
  return (
    <KeyLayer kind="dialog" onEscape={dialog.onClose}>
      <Modal {...dialog} opened closeOnEscape={false}>
        {children}
      </Modal>
    </KeyLayer>
  );
}
