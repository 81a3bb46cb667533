import { Group, Label } from "@capstan/contract";
import { NodeResource, SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import {
  createMemoryProvider,
  MemoryCloud,
  MemoryCluster,
  MemoryMachine,
  MemoryMachineTemplate,
} from "@capstan/testing/infra-memory";
import { findCondition } from "@capstan/kit/machines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cluster, Machine, MachineDeployment } from "../src/api.ts";
import { clusterNamed, giveKubeconfig, key, namespace } from "./hand-provider.ts";
import type { World } from "./world.ts";
import { set, startWorld } from "./world.ts";

const core = { apiVersion: `${Group.core}/v1beta2`, metadata: { namespace } };
const infrastructure = { apiVersion: `${Group.infrastructure}/v1beta1`, metadata: { namespace } };
const ref = (kind: string, name: string) => ({ apiGroup: Group.infrastructure, kind, name });
const object = (
  base: { apiVersion: string; metadata: object },
  kind: string,
  name: string,
  spec: object,
): KubeObject => ({
  ...base,
  kind,
  metadata: { ...base.metadata, name },
  spec,
});

let world: World;
let cloud: MemoryCloud;
beforeAll(async () => {
  world = await startWorld({
    providers: (clock) => {
      cloud = new MemoryCloud({ clock, bootMs: 30_000, onBoot: ({ id }) => void join(id) });
      return [createMemoryProvider(cloud)];
    },
  });
});
afterAll(async () => {
  await world.stop();
});

const join = async (id: string): Promise<void> => {
  await world.workload.create(NodeResource, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `server-${id}` },
    spec: { providerID: `memory://${id}` },
  });
  const conditions = [
    { type: "Ready", status: "True" },
    ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: "False" })),
  ];
  await world.workload.patch(
    NodeResource,
    { name: `server-${id}` },
    { type: "merge", body: { status: { conditions } } },
    { subresource: "status" },
  );
};

const machine = (name: string): KubeObject =>
  object(core, Machine.kind, name, {
    clusterName: "prod",
    bootstrap: { dataSecretName: "data" },
    infrastructureRef: ref("MemoryMachine", name),
  });

describe("core with a provider made of the kit's shells", () => {
  it("runs a control plane and workers, scales them, and takes all of it down", async () => {
    await giveKubeconfig(world);
    await world.api.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "data", namespace },
      data: { value: Buffer.from("#cloud-config\n{}").toString("base64") },
    });
    await world.api.create(MemoryCluster, object(infrastructure, "MemoryCluster", "prod", {}));
    await world.api.create(
      Cluster,
      object(core, Cluster.kind, "prod", { infrastructureRef: ref("MemoryCluster", "prod") }),
    );
    const controlPlane = machine("cp");
    const labels = { [Label.controlPlane]: "" };
    await world.api.create(Machine, { ...controlPlane, metadata: { ...controlPlane.metadata, labels } });
    await world.api.create(MemoryMachine, object(infrastructure, "MemoryMachine", "cp", {}));
    // What takes long is told on the Machine too, with its begin.
    await world.until(async () => {
      const { status } = await world.api.get(Machine, key("cp"));
      const [infrastructureReady, ready] = ["InfrastructureReady", "Ready"].map(
        (type) => status?.conditions?.find((condition) => condition.type === type)?.message ?? "",
      );
      const stage = /booting since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(step 2 of 2\)/.exec(
        infrastructureReady ?? "",
      )?.[0];
      return stage !== undefined && ready?.includes(`* InfrastructureReady: ${stage}`) === true;
    });
    await world.api.create(
      MemoryMachineTemplate,
      object(infrastructure, "MemoryMachineTemplate", "workers", { template: { spec: { size: "large" } } }),
    );
    await world.api.create(
      MachineDeployment,
      object(core, MachineDeployment.kind, "md", {
        clusterName: "prod",
        replicas: 3,
        selector: {},
        template: {
          spec: {
            clusterName: "prod",
            bootstrap: { dataSecretName: "data" },
            infrastructureRef: ref("MemoryMachineTemplate", "workers"),
          },
        },
      }),
    );
    const workers = (count: number): Promise<void> =>
      world.until(async () => {
        const { status } = await world.api.get(MachineDeployment, key("md"));
        return status?.availableReplicas === count && status.replicas === count && cloud.servers.size === count + 1;
      });
    await workers(3);
    expect([...cloud.servers.values()].filter(({ size }) => size === "large")).toHaveLength(3);
    await set(world, MachineDeployment, await world.api.get(MachineDeployment, key("md")), { spec: { replicas: 1 } });
    await workers(1);
    await world.until(async () => {
      const cluster = await clusterNamed(world);
      return cluster !== undefined && findCondition(cluster, "Available")?.status === "True";
    });
    await world.api.delete(Cluster, key("prod"));
    await world.until(async () => (await clusterNamed(world)) === undefined);
    expect(cloud.servers.size).toBe(0);
    expect(cloud.loadBalancers.size).toBe(0);
  });
});
