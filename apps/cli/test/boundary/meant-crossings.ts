/** What is written in another namespace all the same. */
const expected: readonly (readonly [why: string, what: RegExp])[] = [
  [
    "whose machine it is gets told that somebody elsewhere describes it, too",
    /namespaces\/team-b\/(hardware\/metal-1\/status|events)|^(Hardware.tinkerbell.org|Event.) metal-1/,
  ],
];

export const notMeant = (crossings: readonly string[]): readonly string[] =>
  crossings.filter((crossing) => !expected.some(([, what]) => what.test(crossing)));
