import { Component, type ErrorInfo, type ReactNode } from 'react';

/** A part of the window that could not be drawn. */
export interface Breakdown {
  /** The details of the error, for a report. */
  details: string;
  /** Draws the part anew. */
  retry: () => void;
}

interface BoundaryProps {
  /** The content behind the boundary; other content is drawn anew. */
  of: string;
  /** Shown in its place. */
  fallback: (breakdown: Breakdown) => ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  of: string;
  error: unknown; // undefined: none
  where: string | undefined;
}

/** Keeps a part that cannot be drawn from taking the rest of the window along. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, error: undefined, where: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error ?? new Error('nothing was said') };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { of, error: undefined, where: undefined };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ where: componentStack ?? undefined });
  }

  retry = () => this.setState({ error: undefined, where: undefined });

  override render(): ReactNode {
    const { error, where, of } = this.state;
    if (error === undefined) return this.props.children;
    return this.props.fallback({ details: detailsOf(of, error, where), retry: this.retry });
  }
}

/** The details of a breakdown, as text for a report. */
export function detailsOf(of: string, error: unknown, where = ''): string {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return [`${of}: ${what}`, stack.replace(`${what}\n`, ''), where.trim()].filter(Boolean).join('\n\n');
}
