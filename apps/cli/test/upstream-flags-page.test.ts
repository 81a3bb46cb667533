import { join } from "node:path";
import { expect, it } from "vitest";
import { alignedTables } from "../src/new/aligned-tables.ts";
import { type FeatureGate, featureGates } from "../src/upstream/feature-gates.ts";
import type { UpstreamFlag } from "../src/upstream/upstream-flag.ts";
import { upstreamFlags } from "../src/upstream/upstream-flags.ts";

const page = join(import.meta.dirname, "../../../docs/upstream-flags.md");

const meaning = ({ use }: UpstreamFlag): string => {
  if ("flag" in use) return `\`${use.flag}\``;
  if ("option" in use) return `\`--set-option ${use.option}=...\``;
  if ("kinds" in use) return use.kinds.map((kind) => `\`--concurrency ${kind}=N\``).join(", ");
  if ("special" in use) return use.means;
  if ("refused" in use) return `refused: ${use.refused}`;
  const { ignored, otherwise } = use;
  return `ignored: ${ignored}${otherwise === undefined ? "" : `; other values than ${otherwise.than.join(", ")} are refused: ${otherwise.refused}`}`;
};

const gateMeaning = ({ off, on, option }: FeatureGate): string => {
  if (option !== undefined) return `\`--set-option ${option}=true\``;
  return [
    ...(on === undefined ? [] : [`\`true\` is ignored: ${on}`]),
    ...(off === undefined ? [] : [`\`false\` is ignored: ${off}`]),
  ].join("; ");
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

it("docs/upstream-flags.md says what becomes of every flag of upstream's managers", async () => {
  const text = `# Flags of upstream's managers

How \`capstan manager\` handles the flags of Cluster API's managers and its providers', so that their Deployments can be
switched over ([guide](guides/run-managers.md#switch-a-deployment-of-upstreams)). Flags are parsed as in Go: one hyphen or
two, \`--flag=false\`, underscores for hyphens. An ignored flag is logged when the manager starts; a flag is refused if
ignoring it would change the behaviour. A test compares this page with the program; \`npm test -- upstream-flags-page -u\`
updates it.

## Flags

${table(
  ["flag", "of the managers of", "here"],
  upstreamFlags.map((flag) => [
    `\`${flag.name.length === 1 ? "-" : "--"}${flag.name}\``,
    flag.of.join(", "),
    meaning(flag),
  ]),
)}

## Feature gates

Gates that are not in this table are ignored.

${table(
  ["gate", "here"],
  Object.entries(featureGates).map(([name, gate]) => [`\`${name}\``, gateMeaning(gate)]),
)}
`;
  await expect(alignedTables(text)).toMatchFileSnapshot(page);
});
