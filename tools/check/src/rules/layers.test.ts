import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { layerRule } from "./layers.ts";

const from = (folder: string, text: string, manifest: Readonly<Record<string, unknown>> = {}) => ({
  ...packageFiles(folder, manifest),
  [`${folder}/src/index.ts`]: text,
});
const on = (...names: readonly string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, "0.1.0"])),
});

describe("layers", () => {
  it("lets a package import from below, and itself", () => {
    const runtime = from(
      "packages/runtime",
      `import { connect } from "@capstan/kube"; import { a } from "./a.ts"; import { b } from "@capstan/runtime";`,
      on("@capstan/kube"),
    );
    expect(findingsOf(layerRule, runtime, packageFiles("packages/kube"))).toEqual([]);
  });

  it("refuses an import from above", () => {
    const kube = from("packages/kube", `\nimport { x } from "@capstan/runtime";`, on("@capstan/runtime"));
    expect(findingsOf(layerRule, kube, packageFiles("packages/runtime"))).toEqual([
      "packages/kube/src/index.ts:2: kube may not import runtime",
    ]);
  });

  it.each([
    [`import { x } from "@capstan/infra-two";`],
    [`export { x } from "@capstan/infra-two";`],
    [`export * from "@capstan/infra-two";`],
    [`const x = await import("@capstan/infra-two");`],
    [`import type { X } from "@capstan/infra-two";`],
  ])("refuses a provider in a provider: %s", (text) => {
    const one = from("packages/infra-one", text, on("@capstan/infra-two"));
    expect(findingsOf(layerRule, one, packageFiles("packages/infra-two"))).toEqual([
      "packages/infra-one/src/index.ts:1: infra-one may not import infra-two",
    ]);
  });

  it("lets a test import what the program may not", () => {
    const files = {
      ...packageFiles("packages/infra-one", { devDependencies: { "@capstan/apiserver": "0.1.0" } }),
      "packages/infra-one/test/one.it.test.ts": `import { createApiServer } from "@capstan/apiserver";`,
    };
    expect(findingsOf(layerRule, files, packageFiles("packages/apiserver"))).toEqual([]);
  });

  it("lets the API server name types of kube, and nothing else of it", () => {
    const types = from("packages/apiserver", `import type { Client } from "@capstan/kube";`, on("@capstan/kube"));
    const values = from("packages/apiserver", `import { connect } from "@capstan/kube";`, on("@capstan/kube"));
    expect(findingsOf(layerRule, types, packageFiles("packages/kube"))).toEqual([]);
    expect(findingsOf(layerRule, values, packageFiles("packages/kube"))).toEqual([
      "packages/apiserver/src/index.ts:1: apiserver may not import kube",
    ]);
  });

  it("lets the package that reads the state of objects import core, and no provider", () => {
    const core = from("packages/inspect", `import { x } from "@capstan/core";`, on("@capstan/core"));
    const other = from("packages/inspect", `import { x } from "@capstan/infra-one";`, on("@capstan/infra-one"));
    expect(findingsOf(layerRule, core, packageFiles("packages/core"))).toEqual([]);
    expect(findingsOf(layerRule, other, packageFiles("packages/infra-one"))).toEqual([
      "packages/inspect/src/index.ts:1: inspect may not import infra-one",
    ]);
  });

  it("lets a simulator stand on simulation and its own provider, and no provider on either", () => {
    const uses = (folder: string, name: string) => from(folder, `import { x } from "${name}";`, on(name));
    const found = (folder: string, name: string) =>
      findingsOf(layerRule, uses(folder, name), packageFiles(name.replace("@capstan", "packages")));
    expect(found("packages/sim-one", "@capstan/simulation")).toEqual([]);
    expect(found("packages/sim-one", "@capstan/infra-one")).toEqual([]);
    expect(found("packages/sim-one", "@capstan/infra-two")).toEqual([
      "packages/sim-one/src/index.ts:1: sim-one may not import infra-two",
    ]);
    expect(found("packages/infra-one", "@capstan/sim-one")).toEqual([
      "packages/infra-one/src/index.ts:1: infra-one may not import sim-one",
    ]);
    expect(found("packages/infra-one", "@capstan/simulation")).toEqual([
      "packages/infra-one/src/index.ts:1: infra-one may not import simulation",
    ]);
  });

  it("lets the template of a provider have its simulator with it", () => {
    const folder = "apps/cli/templates/infra-one";
    const text = `import { simulation } from "@capstan/simulation";`;
    const files = ["src/sim.ts", "src/sim/simulator.ts", "src/simple.ts"].map((path) => [`${folder}/${path}`, text]);
    const one = { ...packageFiles(folder, on("@capstan/simulation")), ...Object.fromEntries(files) };
    expect(findingsOf(layerRule, one, packageFiles("packages/simulation"))).toEqual([
      `${folder}/src/simple.ts:1: infra-one may not import simulation`,
    ]);
  });

  it("keeps simulation free of Kubernetes", () => {
    const below = from(
      "packages/simulation",
      `import "@capstan/pki"; import "@capstan/kube";`,
      on("@capstan/pki", "@capstan/kube"),
    );
    expect(findingsOf(layerRule, below, packageFiles("packages/pki"), packageFiles("packages/kube"))).toEqual([
      "packages/simulation/src/index.ts:1: simulation may not import kube",
    ]);
  });

  it("wants every import declared, also of other authors' packages", () => {
    const kube = from("packages/kube", `import "undici"; import "@capstan/schema"; import "node:fs";`);
    expect(findingsOf(layerRule, kube, packageFiles("packages/schema"))).toEqual([
      "packages/kube/src/index.ts:1: undici is not a dependency of @capstan/kube",
      "packages/kube/src/index.ts:1: @capstan/schema is not a dependency of @capstan/kube",
    ]);
  });

  it("refuses to reach into another package", () => {
    const kube = from(
      "packages/kube",
      `import { a } from "@capstan/schema/src/a.ts"; import { b } from "../../schema/src/b.ts";`,
      on("@capstan/schema"),
    );
    expect(findingsOf(layerRule, kube, packageFiles("packages/schema"))).toEqual([
      "packages/kube/src/index.ts:1: @capstan/schema/src/a.ts is not an entry of @capstan/schema",
      "packages/kube/src/index.ts:1: ../../schema/src/b.ts leaves the package",
    ]);
  });

  it("wants a layer for every package", () => {
    expect(findingsOf(layerRule, packageFiles("packages/novelty"))).toEqual([
      "packages/novelty: has no layer; add it to the table of the layer rule",
    ]);
  });

  it("lets apps import everything", () => {
    const cli = from("apps/cli", `import { x } from "@capstan/infra-one";`, on("@capstan/infra-one"));
    expect(findingsOf(layerRule, cli, packageFiles("packages/infra-one"))).toEqual([]);
  });
});
