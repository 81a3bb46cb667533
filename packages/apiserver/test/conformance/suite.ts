import type { Api, Target } from "./api.ts";

/** What a section of the suite works with. Each section has a namespace of its own. */
export interface Suite {
  readonly api: Api;
  readonly target: Target;
  /** Exists, with what controllers put into a new one and nothing else at the start. */
  readonly namespace: string;
}

/** Declares the cases of one section with vitest; `suite()` is read when a case runs. */
export type Section = (suite: () => Suite) => void;
