/** What a suite needs of the test runner; Vitest's own functions fit. */
export interface SuiteTools {
  describe(name: string, define: () => void): void;
  readonly it: {
    (name: string, run: () => Promise<void>, timeoutMs?: number): void;
    skip(name: string, run: () => Promise<void>): void;
  };
  beforeAll(run: () => Promise<void>, timeoutMs?: number): void;
  afterAll(run: () => Promise<void>): void;
  /** Of the points at which a process can crash, one in so many is tried. Default 1: all of them. */
  readonly crashEvery?: number;
}

/** Cases by name; a skipped one shows its reason in the report. */
export const defineCases = (
  { it }: SuiteTools,
  cases: Readonly<Record<string, () => Promise<void>>>,
  options: { readonly skip?: Readonly<Record<string, string>>; readonly timeoutMs?: number } = {},
): void => {
  const unknown = Object.keys(options.skip ?? {}).filter((name) => !(name in cases));
  if (unknown.length > 0) throw new Error(`there are no conformance cases named ${unknown.join(", ")} to skip`);
  for (const [name, run] of Object.entries(cases)) {
    const reason = options.skip?.[name];
    if (reason === undefined) it(name, run, options.timeoutMs);
    else it.skip(`${name} (skipped: ${reason})`, run);
  }
};
