import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { exportsRule } from "./exports.ts";

const right = { "@capstan/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" };

describe("exports", () => {
  it("accepts entries that exist, references that mirror the dependencies, and a README", () => {
    const dependencies = { "@capstan/schema": "0.1.0", undici: "8.12.4" };
    expect(findingsOf(exportsRule, packageFiles("packages/kube", { dependencies }))).toEqual([]);
  });

  it("finds an entry without a source", () => {
    const exports = { ".": right, "./gone": { ...right, "@capstan/source": "./src/gone.ts" } };
    const readme = { "packages/kube/README.md": "Entry `./gone`." };
    expect(findingsOf(exportsRule, packageFiles("packages/kube", { exports }), readme)).toEqual([
      "packages/kube/package.json: ./gone: ./src/gone.ts does not exist",
    ]);
  });

  it("finds an entry that the README does not name", () => {
    const events = { "@capstan/source": "./src/events.ts", types: "./dist/events.d.ts", default: "./dist/events.js" };
    const exports = { ".": right, "./events": events, "./package.json": "./package.json" };
    const files = { ...packageFiles("packages/kube", { exports }), "packages/kube/src/events.ts": "" };
    const named = { "packages/kube/README.md": 'import { a } from "@capstan/kube/events";' };
    expect(findingsOf(exportsRule, files)).toEqual(["packages/kube/README.md: the entry ./events is not named"]);
    expect(findingsOf(exportsRule, files, named)).toEqual([]);
  });

  it.each([
    { ...right, types: "./dist/other.d.ts" },
    { ...right, default: "./src/index.ts" },
    { "@capstan/source": "./src/index.ts", default: "./dist/index.js" },
  ])("finds an entry that is not what its source is built to: %j", (entry) => {
    expect(findingsOf(exportsRule, packageFiles("packages/kube", { exports: { ".": entry } }))).toEqual([
      "packages/kube/package.json: .: types and default must be what ./src/index.ts is built to",
    ]);
  });

  it("refuses wildcards", () => {
    expect(findingsOf(exportsRule, packageFiles("packages/kube", { exports: { "./*": right } }))).toEqual([
      "packages/kube/package.json: ./*: wildcard exports are not allowed",
    ]);
  });

  it("finds a reference too few and a reference too many", () => {
    const files = packageFiles("packages/kube", { dependencies: { "@capstan/schema": "0.1.0" } });
    const tsconfig = {
      "packages/kube/tsconfig.build.json": `{ "references": [{ "path": "../cel/tsconfig.build.json" }] }`,
    };
    expect(findingsOf(exportsRule, files, tsconfig)).toEqual([
      "packages/kube/tsconfig.build.json: references are [../cel/tsconfig.build.json], the dependencies want [../schema/tsconfig.build.json]",
    ]);
  });

  it("reads the references of an app from where it stands", () => {
    const files = packageFiles("apps/cli", { dependencies: { "@capstan/schema": "0.1.0" } });
    const tsconfig = {
      "apps/cli/tsconfig.build.json": `{ "references": [{ "path": "../../packages/schema/tsconfig.build.json" }] }`,
    };
    expect(findingsOf(exportsRule, files, tsconfig)).toEqual([]);
  });

  it("wants a README", () => {
    const { "packages/kube/README.md": _, ...files } = packageFiles("packages/kube");
    expect(findingsOf(exportsRule, files)).toEqual(["packages/kube: README.md is missing"]);
  });
});
