import { Select as MantineSelect, type Primitive, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A field with a list to choose from. The list is in the page while the field has the focus: a key that opens it finds
 * its options. A list that is always there is placed by Mantine whenever its page is shown, and the browser has to style
 * the page once more for that.
 */
export function Select<Value extends Primitive>({ comboboxProps, onFocus, onBlur, ...props }: SelectProps<Value>) {
  const [focused, setFocused] = useState(false);
  return (
    <MantineSelect
      {...props}
      comboboxProps={{ shadow: 'sm', ...comboboxProps, keepMounted: focused }}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
    />
  );
}
