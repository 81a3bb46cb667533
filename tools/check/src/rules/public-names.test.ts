import { expect, it } from "vitest";
import { findingsOf, makeRepository, packageFiles } from "../../test/make-repository.ts";
import { publicNamesRule, reports, untakenCounts, untakenRule } from "./public-names.ts";

const kube = (exports: string) => ({
  ...packageFiles("packages/kube"),
  "packages/kube/src/index.ts": `export { connect, type Client } from "./client.ts";\nexport type * from "./types.ts";`,
  "packages/kube/src/client.ts": "export const connect = 1; export interface Client { a: 1 }",
  "packages/kube/src/types.ts": "export type Key = string; export const hidden = 1;",
  ...(exports === "" ? {} : { "packages/kube/exports.txt": exports }),
});
const report = "@capstan/kube\n  type Client\n  type Key\n  connect\n";

it("reports what each entry exports", () => {
  expect(reports(makeRepository(kube("")))).toEqual([{ path: "packages/kube/exports.txt", text: report }]);
});

it("refuses other names than those of the report", () => {
  expect(findingsOf(publicNamesRule, kube(report))).toEqual([]);
  expect(findingsOf(publicNamesRule, kube("@capstan/kube\n"))).toEqual([
    "packages/kube/exports.txt: the package exports other names: run `npm run check:exports` and commit the file",
  ]);
});

const user = (text: string) => ({ ...packageFiles("apps/cli"), "apps/cli/src/index.ts": text });

it("counts values that nothing imports and no README names", () => {
  const key = "public values that nothing imports";
  expect(untakenCounts(makeRepository(kube("")))).toEqual({ [key]: 1 });
  const imported = user(`import { connect } from "@capstan/kube";`);
  expect(untakenCounts(makeRepository(kube(""), imported))).toEqual({ [key]: 0 });
  const documented = { "packages/kube/README.md": "`connect` opens it" };
  expect(untakenCounts(makeRepository({ ...kube(""), ...documented }))).toEqual({ [key]: 0 });
});

it("lets the count go down, never up", () => {
  expect(findingsOf(untakenRule, kube(""))).toEqual([
    `tools/check/ratchet.json: "public values that nothing imports" occurs 1 times, at most 0 allowed: export it when something imports it`,
  ]);
});
