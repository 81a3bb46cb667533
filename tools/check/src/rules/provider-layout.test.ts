import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { providerLayoutRule } from "./provider-layout.ts";

const folder = "packages/bootstrap-acme";

const complete: Readonly<Record<string, string>> = {
  ...packageFiles(folder),
  [`${folder}/vitest.config.ts`]: "",
  [`${folder}/src/index.ts`]: `export { createBootstrapAcmeProvider, createProvider, type BootstrapAcmeProviderOptions } from "./provider.ts";`,
  [`${folder}/src/provider.ts`]: "",
  [`${folder}/src/options.ts`]: "",
  [`${folder}/src/api.ts`]: "",
  [`${folder}/src/api/acme-config.v1.ts`]: "",
  [`${folder}/src/render/document.ts`]: "",
  [`${folder}/crds/acme.yaml`]: "",
};

const without = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(complete).filter(([name]) => !name.startsWith(`${folder}/${path}`)));

describe("provider layout", () => {
  it("accepts a complete provider", () => {
    expect(findingsOf(providerLayoutRule, complete)).toEqual([]);
  });

  it.each(["README.md", "vitest.config.ts", "src/options.ts", "src/render", "crds"])("wants %s", (path) => {
    expect(findingsOf(providerLayoutRule, without(path))).toEqual([`${folder}: ${path} is missing`]);
  });

  it("refuses kinds of another role", () => {
    const path = `${folder}/crds/controlplane.cluster.x-k8s.io_acmecontrolplanes.yaml`;
    const own = `${folder}/crds/bootstrap.cluster.x-k8s.io_acmeconfigs.yaml`;
    expect(findingsOf(providerLayoutRule, { ...complete, [own]: "", [path]: "" })).toEqual([
      `${path}: kinds of controlplane.cluster.x-k8s.io belong to a package controlplane-*`,
    ]);
  });

  it("wants the factory and its options exported by their names", () => {
    const files = { ...complete, [`${folder}/src/index.ts`]: `export { createAcmeProvider } from "./provider.ts";` };
    expect(findingsOf(providerLayoutRule, files)).toEqual([
      `${folder}/src/index.ts: createBootstrapAcmeProvider is not exported`,
      `${folder}/src/index.ts: BootstrapAcmeProviderOptions is not exported`,
      `${folder}/src/index.ts: createProvider is not exported`,
    ]);
  });

  it("leaves the role out of an infrastructure provider's names", () => {
    const files = packageFiles("packages/infra-acme");
    const names = findingsOf(providerLayoutRule, files).filter((text) => text.endsWith("not exported"));
    expect(names).toEqual([
      "packages/infra-acme/src/index.ts: createAcmeProvider is not exported",
      "packages/infra-acme/src/index.ts: AcmeProviderOptions is not exported",
      "packages/infra-acme/src/index.ts: createProvider is not exported",
    ]);
  });

  it("wants of object stores what the command loads", () => {
    const files = { ...packageFiles("packages/object-store-acme"), "packages/object-store-acme/vitest.config.ts": "" };
    expect(findingsOf(providerLayoutRule, files)).toEqual([
      "packages/object-store-acme/src/index.ts: createObjectStore is not exported",
    ]);
  });

  it("says nothing of packages without a role", () => {
    expect(findingsOf(providerLayoutRule, packageFiles("packages/kube"), packageFiles("apps/infra-app"))).toEqual([]);
  });
});
