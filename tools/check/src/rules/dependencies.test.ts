import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { dependenciesRule } from "./dependencies.ts";

const kube = (files: Readonly<Record<string, string>>) => ({
  ...packageFiles("packages/kube", { dependencies: { undici: "8.12.4" }, devDependencies: { yaml: "2.9.1" } }),
  ...files,
});

describe("dependencies", () => {
  it.each([
    `import { request } from "undici";`,
    `import type { Agent } from "undici";`,
    `import "undici/register";`,
    `const { request } = await import("undici");`,
  ])("accepts %s", (text) => {
    expect(findingsOf(dependenciesRule, kube({ "packages/kube/src/a.ts": text }))).toEqual([]);
  });

  it("accepts providers and object stores in an app, which loads them by name", () => {
    const names = ["core", "infra-acme", "object-store-acme", "kube"].map((name) => [`@capstan/${name}`, "0.1.0"]);
    const manifest = { dependencies: Object.fromEntries(names) };
    const unused = "no source imports @capstan/kube: remove it, or move it to devDependencies if tests do";
    expect(findingsOf(dependenciesRule, packageFiles("apps/cli", manifest))).toEqual([
      `apps/cli/package.json: ${unused}`,
    ]);
    expect(findingsOf(dependenciesRule, packageFiles("packages/kit", manifest))).toHaveLength(4);
  });

  it.each([
    ["nobody imports", "packages/kube/src/a.ts", `import "undici-types";`],
    ["only a test imports", "packages/kube/src/a.test.ts", `import { MockAgent } from "undici";`],
  ])("finds one that %s", (_, path, text) => {
    expect(findingsOf(dependenciesRule, kube({ [path]: text }))).toEqual([
      "packages/kube/package.json: no source imports undici: remove it, or move it to devDependencies if tests do",
    ]);
  });
});
