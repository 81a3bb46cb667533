import { join } from "node:path";
import { expect, it } from "vitest";
import { providerNames } from "../src/modules/providers.ts";
import { alignedTables } from "../src/new/aligned-tables.ts";
import { createProgram, flagsOf } from "../src/program.ts";
import { type FeatureGate, featureGates } from "../src/upstream/feature-gates.ts";
import type { UpstreamFlag } from "../src/upstream/upstream-flag.ts";
import { translateFlags } from "../src/upstream/translate-flags.ts";
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

const { commands } = createProgram().root;

const ownFlags = ["up", "install"].map((name) => {
  const command = commands.find((each) => each.name() === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return flagsOf(command);
});

/** The commands beside `manager` that do the same; for a flag that means nothing anywhere, none. */
const alsoOf = ({ name, boolean, use }: UpstreamFlag): string => {
  if ("ignored" in use || "refused" in use) return "";
  const value = name === "feature-gates" ? "EdgeZone=true" : "1";
  const word = boolean === true ? `--${name}` : `--${name}=${value}`;
  const takes = ownFlags.filter((command) => {
    const { words, notes } = translateFlags([word], [...providerNames], command);
    return words.length > 0 && notes.length === 0;
  });
  return takes.map((command) => `\`${command.name}\``).join(", ");
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
ignoring it would change the behaviour.

\`capstan up\` and \`capstan install\` take the same flags. The last column says which of the two has the setting too; a flag for
which a command has none is ignored with one line, and what the manager refuses they refuse.

A test compares this page with the program; \`npm test -- upstream-flags-page -u\` updates it.

## Flags

${table(
  ["flag", "of the managers of", "here", "also in"],
  upstreamFlags.map((flag) => [
    `\`${flag.name.length === 1 ? "-" : "--"}${flag.name}\``,
    flag.of.join(", "),
    meaning(flag),
    alsoOf(flag),
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
