/** Crossings that nothing holds yet. Whatever holds one takes its line away. */
const known: readonly (readonly [what: string, how: RegExp])[] = [
  [
    "Hardware is claimed from every namespace, and a second description of a machine is said on the first",
    /namespaces\/team-b\/(hardware|machines|secrets\/theirs-bmc|templates|workflows|jobs|tasks|events|tinkerbellmachines)|^(Secret. theirs-bmc|Hardware|Machine.bmc|TinkerbellMachine|Event)|^machines metal-1:/,
  ],
  [
    "servers are put into the network and behind the firewall whose number they name",
    /^instances \d+ uses|^firewalls \d+:/,
  ],
];

export const unknown = (crossings: readonly string[]): readonly string[] =>
  crossings.filter((crossing) => !known.some(([, how]) => how.test(crossing)));
