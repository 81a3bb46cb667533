import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Build, buildAssets } from "../src/assets.ts";
import { pinsOf } from "../src/go.ts";
import { goModules, targets } from "../src/targets.ts";

/** Leaves half a file of the second program. */
const half: Build = async (program, output) => {
  writeFileSync(output, "half");
  if (program.name === "kube-apiserver") throw new Error("no memory");
};

describe("assets", () => {
  let folder: string;
  let built: string[];

  const build: Build = async ({ name }, output) => {
    built.push(name);
    writeFileSync(output, name);
  };
  const options = { target: targets.kube, say: () => undefined, build };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "capstan-kube-assets-"));
    built = [];
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it("are built once", async () => {
    await buildAssets({ ...options, folder, only: ["etcd", "kubectl"] });
    await buildAssets({ ...options, folder, only: ["etcd", "kubectl"] });
    expect(built).toEqual(["etcd", "kubectl"]);
    await buildAssets({ ...options, folder });
    expect(readdirSync(folder).toSorted()).toEqual(targets.kube.programs.map(({ name }) => name).toSorted());
    expect(built).toHaveLength(targets.kube.programs.length);
  });

  it("appear when they are complete, and nothing else does", async () => {
    await expect(buildAssets({ ...options, folder, build: half })).rejects.toThrow("no memory");
    expect(readdirSync(folder)).toEqual(["etcd"]);
  });
});

describe("pins", () => {
  it.each(goModules)("of $name are of the version that is built", (module) => {
    const text = readFileSync(join(pinsOf(module), "go.mod"), "utf8");
    expect(text).toContain(`\t${module.path} ${module.version}`);
    const programs = Object.values(targets).flatMap((target) => [...target.programs]);
    for (const program of programs.filter((candidate) => candidate.module === module)) {
      expect(text.split("\n").map((line) => line.replace(/^\s*(?:tool )?/, ""))).toContain(program.package);
    }
  });
});
