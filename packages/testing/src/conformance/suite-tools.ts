/** Functions that a suite needs of the test runner; Vitest's own fit. */
export interface SuiteTools {
  describe(name: string, define: () => void): void;
  readonly it: {
    (name: string, run: () => Promise<void>, timeoutMs?: number): void;
    skip(name: string, run: () => Promise<void>): void;
  };
  beforeAll(run: () => Promise<void>, timeoutMs?: number): void;
  afterAll(run: () => Promise<void>): void;
  /**
   * Sampling interval of the points at which a process can crash: one in this many is tried. Default 1, which is all of
   * them.
   */
  readonly crashEvery?: number;
  /** Names of the cases to define, for a subject that differs in these alone from one that has them all. Default: all cases. */
  readonly only?: readonly string[];
  /** Where a suite is dealt to several files, which of them this is, from 1 on. Default: there is one. */
  readonly share?: { readonly index: number; readonly count: number };
}

const checkNames = (names: readonly string[], cases: object, what: string): void => {
  const unknown = names.filter((name) => !(name in cases));
  if (unknown.length > 0) throw new Error(`there are no conformance cases named ${unknown.join(", ")} to ${what}`);
};

/** Cases by name; a skipped one shows its reason in the report. */
export const defineCases = (
  { it, only, share = { index: 1, count: 1 } }: Pick<SuiteTools, "it" | "only" | "share">,
  cases: Readonly<Record<string, () => Promise<void>>>,
  options: { readonly skip?: Readonly<Record<string, string>>; readonly timeoutMs?: number } = {},
): void => {
  checkNames(Object.keys(options.skip ?? {}), cases, "skip");
  checkNames(only ?? [], cases, "run");
  const left = Object.entries(cases).filter(([name]) => only?.includes(name) !== false);
  for (const [name, run] of left.filter((_, place) => place % share.count === share.index - 1)) {
    const reason = options.skip?.[name];
    if (reason === undefined) it(name, run, options.timeoutMs);
    else it.skip(`${name} (skipped: ${reason})`, run);
  }
};
