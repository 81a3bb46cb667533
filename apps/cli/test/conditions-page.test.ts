import { isNegative } from "@capstan/inspect";
import { join } from "node:path";
import type { ConditionRow, ConditionTable } from "@capstan/contract/wire";
import { orderConditions } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { alignedTables } from "../src/new/aligned-tables.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { nothingOutside } from "./managed-world.ts";

const page = join(import.meta.dirname, "../../../docs/conditions.md");

const providers = await createProviders(providerNames, nothingOutside);

const tables = providers.flatMap(({ name, conditions = {} }) =>
  Object.entries(conditions).map(([kind, table]) => ({ kind, provider: name, table })),
);

const summaries: Readonly<Record<NonNullable<ConditionRow["summary"]>, string>> = {
  always: "always",
  unlessDeleting: "unless deleting",
  ifReported: "if reported",
};

const row = ({ about, negative, only, reasons = {}, summary, type, v1beta1 }: ConditionRow): string => {
  const good = negative === true ? "False" : "True";
  const part = summary === undefined ? "" : summaries[summary];
  const words = [...new Set(Object.values(reasons))].map((reason) => `\`${reason}\``).join(", ");
  return `| ${only === undefined ? `\`${type}\`` : ""} | ${about} | ${good} | ${part} | ${v1beta1 === undefined ? "" : `\`${v1beta1}\``} | ${words} |`;
};

const section = ({ kind, provider, table }: { kind: string; provider: string; table: ConditionTable }): string =>
  [
    `## ${kind}, written by ${provider}`,
    "",
    "| type | True when | good | in the summary | in `v1beta1` | reasons of its own |",
    "| --- | --- | --- | --- | --- | --- |",
    ...Object.values(table).map(row),
    "",
  ].join("\n");

it("docs/conditions.md has the table of every kind", async () => {
  const introduction = `# Conditions

The conditions of every kind, in the order in which they are stored. The summary of a kind is \`Ready\`, and \`Available\` of a
Cluster; the column says when a condition counts towards it. Conditions may also have the reason of an [error](errors.md),
the name of a step, or a state of the cloud. A test compares this page with the program; \`npm test -- conditions-page -u\`
updates it.
`;
  const text = alignedTables([introduction, ...tables.map(section)].join("\n"));
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(page);
});

describe.each(tables)("the conditions of $kind by $provider", ({ kind, table }) => {
  const rows = Object.values(table).filter(({ only }) => only === undefined);

  it("are in the order in which they are stored", () => {
    expect(rows.map(({ type }) => type)).toEqual(orderConditions(rows).map(({ type }) => type));
  });

  it("have different types", () => {
    const types = rows.map(({ type }) => type);
    expect(types).toEqual([...new Set(types)]);
    const old = Object.values(table).flatMap(({ v1beta1 = "" }) => (v1beta1 === "" ? [] : [v1beta1]));
    expect(old).toEqual([...new Set(old)]);
  });

  it("are good or bad as capstan describe shows them", () => {
    expect(rows.filter(isNegative)).toEqual(rows.filter(({ negative }) => negative === true));
  });

  it("belong to a kind that a provider has", () => {
    expect(providers.flatMap(({ kinds }) => kinds.map((known) => known.kind))).toContain(kind);
  });
});
