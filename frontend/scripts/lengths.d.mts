/** The parts of PostCSS's nodes that the plug-in writes. */
export const lengths: {
  postcssPlugin: string;
  Declaration(declaration: { value: string }): void;
  AtRule: { container(rule: { params: string }): void };
};
