import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MachineResource, ClusterResource } from "@capstan/contract/wire";
import { resource } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { startTestSystem } from "./test-system.ts";

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../examples/linode/${name}.yaml`), "utf8");

const token = resource({ group: "", version: "v1", kind: "Secret", plural: "secrets" });

describe.each([
  { name: "k3s", cluster: "aurora", version: "v1.35.4+k3s1", authorities: ["ca", "cca", "etcd"] },
  { name: "rke2", cluster: "borealis", version: "v1.35.4+rke2r1", authorities: ["ca", "cca", "peer-etcd", "etcd"] },
])("the example of $name", ({ authorities, cluster, name, version }) => {
  it("brings up three servers and two agents, and deletes to nothing", async () => {
    await using system = await startTestSystem(example(name));
    const { client } = system.running;
    await system.untilRunning();
    const { items: machines } = await client.list(MachineResource, { namespace: "default" });
    const facts = machines.map(({ metadata, status }) => ({
      isServer: metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined,
      ...(status as { readonly nodeInfo?: { readonly kubeletVersion?: string }; readonly phase?: string }),
    }));
    expect(facts.filter(({ isServer }) => isServer)).toHaveLength(3);
    expect(facts.map(({ nodeInfo, phase }) => `${phase} ${nodeInfo?.kubeletVersion}`)).toEqual(
      Array.from({ length: 5 }, () => `Running ${version}`),
    );
    for (const purpose of ["token", "kubeconfig", ...authorities]) {
      const secret = await client.find(token, { namespace: "default", name: `${cluster}-${purpose}` });
      expect(secret?.metadata.labels, purpose).toMatchObject({ "cluster.x-k8s.io/cluster-name": cluster });
    }
    await client.delete(ClusterResource, { namespace: "default", name: cluster });
    await system.until(
      async () =>
        system.simulator.state.instances.length === 0 &&
        (await client.find(ClusterResource, { namespace: "default", name: cluster })) === undefined,
    );
    expect((await client.list(MachineResource, { namespace: "default" })).items).toEqual([]);
    expect(await client.find(token, { namespace: "default", name: `${cluster}-token` })).toBeUndefined();
  });
});
