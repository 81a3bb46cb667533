import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { circlesRule } from "./circles.ts";

const kube = (files: Readonly<Record<string, string>>) => ({
  ...packageFiles("packages/kube"),
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/kube/src/${path}`, text])),
});

describe("circles", () => {
  it.each([
    ["one way", { "a.ts": `import { b } from "./b.ts";`, "b.ts": "export const b = 1;" }],
    ["two ways to one file", { "a.ts": `import "./b.ts"; import "./c.ts";`, "b.ts": `import "./c.ts";`, "c.ts": "" }],
    ["a circle through a test", { "a.ts": `import "./a.test.ts";`, "a.test.ts": `import "./a.ts";` }],
    ["a circle within a room is one of files only", { "x/a.ts": `import "./b.ts";`, "x/b.ts": "" }],
  ])("accepts %s", (_, files) => {
    expect(findingsOf(circlesRule, kube(files))).toEqual([]);
  });

  it.each([
    ["imports", `import { b } from "./b.ts";`],
    ["imports of types", `import type { B } from "./b.ts";`],
    ["re-exports", `export { b } from "./b.ts";`],
    ["imports at run time", `const b = await import("./b.ts");`],
  ])("finds files that reach each other by %s", (_, text) => {
    expect(findingsOf(circlesRule, kube({ "a.ts": text, "b.ts": `import "./a.ts";` }))).toEqual([
      "packages/kube/src/a.ts: files in a circle: imports packages/kube/src/b.ts (packages/kube/src/a.ts:1), imports packages/kube/src/a.ts (packages/kube/src/b.ts:1)",
    ]);
  });

  it("finds one circle, the shortest, for files that all reach each other", () => {
    const files = {
      "a.ts": `import "./b.ts";\nimport "./c.ts";`,
      "b.ts": `import "./c.ts";`,
      "c.ts": `import "./a.ts";`,
    };
    expect(findingsOf(circlesRule, kube(files))).toEqual([
      "packages/kube/src/a.ts: files in a circle: imports packages/kube/src/c.ts (packages/kube/src/a.ts:2), imports packages/kube/src/a.ts (packages/kube/src/c.ts:1)",
    ]);
  });

  it("finds rooms in a circle whose files are in none", () => {
    const files = {
      "x/a.ts": `import "../y/b.ts";`,
      "x/more.ts": "",
      "y/b.ts": "",
      "y/deep/c.ts": `import "../../x/more.ts";\nimport "../../x/other.ts";`,
      "x/other.ts": "",
    };
    expect(findingsOf(circlesRule, kube(files))).toEqual([
      "packages/kube/src/x: rooms in a circle: imports packages/kube/src/y (packages/kube/src/x/a.ts:1), imports packages/kube/src/x (packages/kube/src/y/deep/c.ts:1 and 1 more)",
    ]);
  });

  it("finds a room in a circle with a file that stands beside it", () => {
    const files = { "x/a.ts": `import "../options.ts";`, "options.ts": `import "./x/b.ts";`, "x/b.ts": "" };
    expect(findingsOf(circlesRule, kube(files))).toEqual([
      "packages/kube/src/options.ts: rooms in a circle: imports packages/kube/src/x (packages/kube/src/options.ts:1), imports packages/kube/src/options.ts (packages/kube/src/x/a.ts:1)",
    ]);
  });

  it("finds packages in a circle", () => {
    const files = {
      ...packageFiles("packages/kube", { dependencies: { "@capstan/pki": "0.1.0" } }),
      ...packageFiles("packages/pki", { dependencies: { "@capstan/kube": "0.1.0" } }),
      "packages/kube/src/a.ts": `import "@capstan/pki/x";`,
      "packages/pki/src/b.ts": `import type { K } from "@capstan/kube";`,
    };
    expect(findingsOf(circlesRule, files)).toEqual([
      "packages/kube: packages in a circle: imports packages/pki (packages/kube/src/a.ts:1), imports packages/kube (packages/pki/src/b.ts:1)",
    ]);
  });
});
