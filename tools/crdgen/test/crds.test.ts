import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { int32, kind, object, optional } from "@capstan/schema";
import { checkKind, crdOf } from "@capstan/schema/manifest";
import { validateSchema } from "@capstan/schema/structural";
import { afterEach, describe, expect, it } from "vitest";
import { differences, factFindings } from "../src/fact-check.ts";
import { generatedFiles } from "../src/generate.ts";
import { apiPackages } from "../src/packages.ts";
import { staleFiles } from "../src/stale.ts";

const root = resolve(import.meta.dirname, "../../..");
const kinds = apiPackages.flatMap((of) => of.kinds);

it("the templates of flavors are named as those of other providers of Cluster API", () => {
  const linode = apiPackages.filter(({ folder }) => folder === "packages/infra-linode").flatMap(generatedFiles);
  const paths = linode.map(({ path }) => path).filter((path) => path.includes("/templates/"));
  expect(paths).toEqual(
    expect.arrayContaining(
      ["cluster-template", "cluster-template-vpc", "cluster-template-rke2", "cluster-template-k3s"].map(
        (name) => `packages/infra-linode/templates/${name}.yaml`,
      ),
    ),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

describe("the kinds", () => {
  it("are found in every package that has definitions", () => {
    const files = apiPackages.flatMap(({ folder, kinds: own }) =>
      own.map(({ group, plural }) => `${folder}/crds/${group}_${plural}.yaml`),
    );
    expect(files.toSorted()).toEqual(globSync("packages/*/crds/*.yaml", { cwd: root }).toSorted());
  });

  it.each(kinds.map((of) => [of.kind, of] as const))("%s is sound", (_name, of) => {
    expect(checkKind(of)).toEqual([]);
    for (const { name, schema } of crdOf(of).spec.versions) {
      expect(validateSchema(schema.openAPIV3Schema, name)).toEqual([]);
    }
  });

  // Those of Tinkerbell are used by providers and speak no contract of Cluster API.
  const ofContract = kinds.filter(({ group }) => !group.endsWith("tinkerbell.org"));

  it.each(ofContract.map((of) => [of.kind, of] as const))("%s tells its contract versions", (_name, of) => {
    const served = crdOf(of).spec.versions.map(({ name }) => name);
    const labels = Object.entries(crdOf(of).metadata.labels ?? {});
    // Upstream's kinds of Azure, Elemental and k3s speak the older contract alone, and those of RKE2 the newer one.
    const single: Readonly<Record<string, string>> = {
      Azure: "v1beta1",
      Elemental: "v1beta1",
      KThrees: "v1beta1",
      RKE2Co: "v1beta2",
    };
    const only = Object.entries(single).find(([prefix]) => of.kind.startsWith(prefix))?.[1];
    for (const contract of only === undefined ? ["v1beta1", "v1beta2"] : [only]) {
      const label = labels.find(([name]) => name.endsWith(`/${contract}`));
      expect(label?.[1].split("_"), contract).toEqual(only === undefined ? [expect.toBeOneOf(served)] : served);
    }
  });

  it("of templates that machines need move with them", () => {
    const template = kinds.find((of) => of.kind === "LinodeMachineTemplate");
    expect(Object.keys(template?.labels ?? {}).filter((name) => name.endsWith("/move-hierarchy"))).toHaveLength(1);
  });

  it("have fields as upstream's, beyond the listed extensions", () => {
    expect(factFindings(apiPackages)).toEqual([]);
  });

  it("and the flavors are as committed in crds/ and templates/", () => {
    expect(staleFiles(root, apiPackages)).toEqual([]);
  });
});

describe("the comparison with upstream", () => {
  const machine = kinds.find((of) => of.kind === "MachineDrainRule")!;

  it("shows a changed limit, a missing field and a field of our own", () => {
    const changed = kind({
      ...machine,
      spec: object({ drain: object({ order: optional(int32({ description: "Order.", minimum: 0 })) }) }),
    });
    const found = differences({ ...changed, versions: [] });
    expect(found).toContain('+ v1beta2 .spec.drain.order format="int32" minimum=0 type="integer"');
    expect(found).toContain('- v1beta2 .spec.drain.order format="int32" type="integer"');
    expect(found.some((line) => line.startsWith("- v1beta2 .spec.pods"))).toBe(true);
    expect(found).toContain("- v1beta1 served true");
  });
});

describe("the comparison with the committed files", () => {
  const folders: string[] = [];
  const copy = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "crdgen-"));
    folders.push(folder);
    for (const of of apiPackages) {
      for (const part of ["crds", ...(of.flavors.length > 0 ? ["templates"] : [])]) {
        cpSync(join(root, of.folder, part), join(folder, of.folder, part), { recursive: true });
      }
    }
    return folder;
  };
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  const path = apiPackages.flatMap(generatedFiles)[0]?.path ?? "";

  it("shows the lines that differ", () => {
    const folder = copy();
    const text = readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, path), text.replace("scope: Namespaced", "scope: Cluster"));
    const [finding = "", ...others] = staleFiles(folder, apiPackages);
    expect(others).toEqual([]);
    expect(finding).toContain(`${path} is stale`);
    expect(finding.split("\n").slice(-2)).toEqual(["-   scope: Cluster", "+   scope: Namespaced"]);
  });

  it("names missing and surplus files", () => {
    const folder = copy();
    rmSync(join(folder, path));
    writeFileSync(join(folder, "packages/core/crds/old.yaml"), "");
    expect(staleFiles(folder, apiPackages)).toEqual([
      `${path} is missing`,
      "packages/core/crds/old.yaml belongs to no kind and no flavor",
    ]);
  });
});
