import { forbidden } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";

/** Fields below a path of which only the first may be set, and whether both are. */
export type Pair = readonly [first: string, second: string, given: boolean];

/** Fields that cannot stand beside each other. */
export const exclusions = (path: string, pairs: readonly Pair[]): readonly Cause[] =>
  pairs.flatMap(([first, second, given]) =>
    given ? [forbidden(`${path}.${second}`, `may not be set together with ${path}.${first}`)] : [],
  );
