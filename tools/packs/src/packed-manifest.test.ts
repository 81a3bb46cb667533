import { expect, it } from "vitest";
import { packedManifest } from "./packed-manifest.ts";

it("leaves out what is for the repository, and names ours by ranges", () => {
  const source = { "@capstan/source": "./src/a.ts", types: "./dist/a.d.ts", default: "./dist/a.js" };
  expect(
    packedManifest({
      name: "@capstan/a",
      version: "0.1.0",
      license: "Apache-2.0",
      files: ["dist"],
      exports: { ".": source, "./package.json": "./package.json" },
      scripts: { prepack: "tsc" },
      dependencies: { "@capstan/b": "0.1.0", yaml: "2.9.1" },
      devDependencies: { "@capstan/testing": "0.1.0" },
    }),
  ).toEqual({
    name: "@capstan/a",
    version: "0.1.0",
    license: "Apache-2.0",
    files: ["dist"],
    exports: { ".": { types: "./dist/a.d.ts", default: "./dist/a.js" }, "./package.json": "./package.json" },
    dependencies: { "@capstan/b": "^0.1.0", yaml: "2.9.1" },
  });
});
