import { expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { reasonsRule } from "./reasons.ts";

const findings = (folder: string, path: string, text: string) =>
  findingsOf(reasonsRule, { ...packageFiles(folder), [`${folder}/${path}`]: text });

const condition = `export const a = 1;\nexport const condition = { type: "Ready", status: "False", reason: "Late" };\n`;

it("finds reasons of conditions and Events that are written out", () => {
  expect(findings("packages/core", "src/machine/node.ts", condition)).toEqual([
    'packages/core/src/machine/node.ts:2: the reason "Late" is written out: declare it among the package\'s reasons',
  ]);
});

it.each([
  ["where they are declared", "packages/core", "src/api/machine-conditions.ts", condition],
  ["in tests", "packages/core", "src/machine/node.test.ts", condition],
  ["of errors, beside their code", "packages/kit", "src/a.ts", `fail({ code: "kit.late", reason: "Late" });`],
  ["that are empty", "packages/kit", "src/a.ts", `say({ status: "True", reason: "" });`],
  ["of constants", "packages/infra-linode", "src/a.ts", `say({ status: "True", reason: LinodeReason.late });`],
  ["of packages that write no conditions of their own", "packages/kube", "src/a.ts", condition],
])("accepts reasons %s", (_, folder, path, text) => {
  expect(findings(folder, path, text)).toEqual([]);
});
