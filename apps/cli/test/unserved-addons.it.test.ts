import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMapResource } from "@capstan/contract/wire";
import { afterAll, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { startTestSystem } from "./test-system.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-addons-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = `apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: HelmChartProxy
metadata: {name: net}
spec: {chartName: cilium, clusterSelector: {}}
---
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: {name: secrets}
spec: {clusterSelector: {}, resources: []}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: beside}
`;

/** What defines one of the kinds, as whoever serves it would. */
const definition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: helmchartproxies.addons.cluster.x-k8s.io}
spec:
  group: addons.cluster.x-k8s.io
  scope: Namespaced
  names: {kind: HelmChartProxy, plural: helmchartproxies, singular: helmchartproxy}
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

const file = join(folder, "cluster.yaml");
writeFileSync(file, manifest);
const names = "HelmChartProxy net; ClusterResourceSet secrets";

const capstan = async (...args: readonly string[]) => {
  let [out, error] = ["", ""];
  const program = createProgram({ write: (text) => void (out += text), writeError: (text) => void (error += text) });
  return { status: await program.run(args), out, error };
};

describe("add-ons whose kinds nothing serves", () => {
  it("are named once by up, which applies the rest", async () => {
    await using system = await startTestSystem(manifest);
    expect(await system.running.client.find(ConfigMapResource, { namespace: "default", name: "beside" })).toBeDefined();
    const said = system.said.filter((line) =>
      line.includes(`skipped, because nothing serves these kinds here: ${names}`),
    );
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("no network plugin: Nodes stay NotReady");
  });

  it("are applied by up where their kind is defined beside", async () => {
    await using system = await startTestSystem(manifest + definition);
    const said = system.said.filter((line) => line.includes("skipped"));
    expect(said.map((line) => line.includes("HelmChartProxy"))).toEqual([false]);
  });

  it("are named once by plan, which is not wrong for it", async () => {
    const { status, out } = await capstan(
      "plan",
      "--data-dir",
      join(folder, "none"),
      "--simulate",
      "linode",
      "-f",
      file,
    );
    expect(status).toBe(2);
    expect(out.match(/HelmChartProxy/g)).toHaveLength(1);
    expect(out).toContain(`Skipped, because nothing serves these kinds here: ${names}`);
    expect(out).toContain("+ ConfigMap default/beside");
  });

  it("are named once by generate beside what it prints", async () => {
    const { status, out, error } = await capstan("generate", "cluster", "orchid", "--from", file);
    expect([status, out]).toEqual([0, manifest]);
    expect(error).toContain(names);
  });

  it("leave a misspelled kind of others a mistake", async () => {
    const wrong = join(folder, "wrong.yaml");
    writeFileSync(wrong, "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machin\nmetadata: {name: a}\n");
    const { status, out } = await capstan(
      "plan",
      "--data-dir",
      join(folder, "none"),
      "--simulate",
      "linode",
      "-f",
      wrong,
    );
    expect([status, out]).toEqual([1, expect.stringContaining('no matches for kind "Machin"')]);
  });
});
