import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { unusedExportsRule } from "./unused-exports.ts";

const folder = "packages/kit";
const of = (file: string, index: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
  findingsOf(unusedExportsRule, packageFiles(folder), {
    [`${folder}/src/index.ts`]: index,
    [`${folder}/src/room/part.ts`]: file,
    ...more,
  });

describe("unused exports", () => {
  it.each([
    ["a name that is imported", `import { a } from "./room/part.ts"; export const b = a;`],
    ["a name that is imported under another", `import { a as c } from "./room/part.ts"; export const b = c;`],
    ["a name that is re-exported", `export { a } from "./room/part.ts";`],
    ["a name that is re-exported under another", `export { a as b } from "./room/part.ts";`],
    ["a file that is re-exported", `export * from "./room/part.ts";`],
    ["a file that is imported whole", `import * as part from "./room/part.ts"; export const b = part.a;`],
    ["a file that is imported when it is needed", `export const b = () => import("./room/part.ts");`],
    ["a type", `import type { a } from "./room/part.ts"; export type B = typeof a;`],
  ])("are not %s", (_, index) => {
    expect(of("export const a = 1;", index)).toEqual([]);
  });

  it("are not what the entry of a package exports, and not what is exported elsewhere", () => {
    expect(of(`export { b } from "../index.ts";`, "export const a = 1; export const b = 2;")).toEqual([]);
  });

  it("are names that no other file imports, types too", () => {
    const file = "export const a = 1;\nexport type B = string;\nconst c = a;\nexport { c };";
    expect(of(file, `import { a } from "./other.ts"; export const b = a;`)).toEqual([
      `${folder}/src/room/part.ts:1: nothing imports a: take the export away, and what is unused then`,
      `${folder}/src/room/part.ts:2: nothing imports B: take the export away, and what is unused then`,
      `${folder}/src/room/part.ts:4: nothing imports c: take the export away, and what is unused then`,
    ]);
  });

  it("are not types that the file itself uses", () => {
    expect(of("export type B = string;\nexport const a = (b: B) => b;", `export { a } from "./room/part.ts";`)).toEqual(
      [],
    );
  });

  it("are not looked for in tests", () => {
    expect(of("const a = 1;", "", { [`${folder}/src/room/part.test.ts`]: "export const one = 1;" })).toEqual([]);
  });
});
