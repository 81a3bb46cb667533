import type { RE2JS } from "re2js";

/** Where a command applies: at a line, the last line, lines that match, or (as the end of a range) so many lines later. */
export type Address =
  | { readonly line: number }
  | { readonly last: true }
  | { readonly pattern: RE2JS }
  | { readonly later: number };

/** A command of sed. */
export interface Edit {
  readonly verb: string;
  readonly from?: Address;
  readonly to?: Address;
  readonly isNegated: boolean;
  readonly pattern?: RE2JS;
  /** Replacement or added text, the characters that `y` replaces, or the label. */
  readonly text: string;
  /** Characters that `y` puts in their place. */
  readonly by?: string;
  readonly flags: string;
}
