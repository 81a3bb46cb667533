import { ClusterResource } from "@capstan/contract/wire";
import { condensed, readTree } from "@capstan/inspect";
import { createDiscovery } from "@capstan/kube";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderTree } from "../src/describe/render.ts";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { makePlan } from "../src/plan/make-plan.ts";
import { applyManifests } from "../src/up/apply.ts";
import { aloneExample } from "./alone.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";

describe("edits that change nothing", () => {
  const original = aloneExample();
  let system: TestSystem;
  beforeAll(async () => {
    system = await startTestSystem(original);
    await system.untilRunning();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const manifests = (text: string) => {
    const variables = (name: string) => (/^(?:LINODE_TOKEN|OBJECT_STORE_\w+)$/.test(name) ? "any" : undefined);
    const kinds = ["Cluster", "LinodeCluster", "Machine"];
    return parseManifest(text, "manifest", variables).filter(({ object }) => kinds.includes(object.kind));
  };

  const planned = async (text: string): Promise<readonly string[]> => {
    const { signal } = new AbortController();
    const { client } = system.running;
    const plan = await makePlan(manifests(text), { client, providers: [], namespace: "default", signal });
    return plan.warnings.map(({ message }) => message);
  };

  /** What `capstan up` warns of. */
  const applied = async (text: string): Promise<readonly string[]> => {
    const warnings: string[] = [];
    await applyManifests(manifests(text), {
      client: system.running.client,
      clock: system.clock,
      signal: new AbortController().signal,
      namespace: "default",
      onWarning: ({ object }, message) => void warnings.push(`${object.kind} ${object.metadata.name}: ${message}`),
    });
    return warnings;
  };

  const described = async (): Promise<string> => {
    const { client } = system.running;
    const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
    const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
    const tree = await readTree(source, createDiscovery(client), what);
    const options = { now: system.clock.now(), colour: false, showConditions: [] };
    return renderTree(condensed(tree, { grouping: true, echo: false }), options);
  };

  it.each<[string, string, string, string, string]>([
    ["a range of Pods", "10.244.0.0/16]", "10.99.0.0/16]", "Cluster", "spec.clusterNetwork.pods"],
    [
      "a region",
      "region: ${LINODE_REGION:=us-ord}\n  credentialsRef",
      "region: us-sea\n  credentialsRef",
      "LinodeCluster",
      "spec.region",
    ],
    [
      "the version of a Machine that stands alone",
      "version: ${KUBERNETES_VERSION:=v1.35.4}\n  bootstrap",
      "version: v1.36.2\n  bootstrap",
      "Machine",
      "spec.version",
    ],
  ])(
    "are named by plan and up, and seen in describe until they are taken back: %s",
    async (_, from, to, kind, path) => {
      expect(original).toContain(from);
      const text = original.replace(from, () => to);
      expect(await planned(text)).toEqual([expect.stringMatching(`^${kind} default/\\S+: ${path} has no effect: `)]);
      expect(await described()).not.toContain("edited without effect");
      expect(await applied(text)).toEqual([expect.stringMatching(`^${kind} \\S+: ${path} has no effect: `)]);
      expect(await described()).toContain(`${path} was edited without effect: `);
      expect(await planned(text)).toEqual([]);
      expect(await applied(original)).toEqual([]);
      expect(await described()).not.toContain("which changes nothing");
    },
  );
});
