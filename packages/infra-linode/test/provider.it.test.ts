import { ownerOf, ownerTag } from "@capstan/kit/engine";
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { isIdentityTag } from "@capstan/kit";
import { describe, expect, it } from "vitest";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createSecret,
  createStoreSecret,
  getCluster,
  getMachine,
  namespace,
  readyOf,
  reportInfrastructure,
  reportNode,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";
import { only, smallInstance } from "@capstan/sim-linode/testing";

const provisionedCluster = async (world: World, name: string, spec: Partial<LinodeCluster["spec"]> = {}) => {
  await createCluster(world, name, spec);
  await world.until(async () => (await getCluster(world, name))?.status?.initialization?.provisioned === true);
  await reportInfrastructure(world, name);
};

const isProvisioned = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.initialization?.provisioned === true;

const isRefused = async (world: World, name: string, reason: string): Promise<boolean> =>
  readyOf(await getMachine(world, name))?.reason === reason;

const userDataOf = ({ simulator }: World, label: string): Buffer => {
  const instance = simulator.state.instances.find((entry) => entry.label === label);
  return Buffer.from(instance?.userData ?? "", "base64");
};

describe("a cluster with machines", () => {
  it("comes up behind a NodeBalancer and goes away without a trace", async () => {
    await using world = await startWorld();
    const { api, simulator } = world;
    await provisionedCluster(world, "prod");
    const [balancer] = simulator.state.nodeBalancers;
    const cluster = await getCluster(world, "prod");
    expect(cluster?.spec.controlPlaneEndpoint).toEqual({ host: balancer?.ipv4, port: 6443 });
    expect(cluster?.spec.network).toMatchObject({
      nodeBalancerID: balancer?.id,
      apiserverNodeBalancerConfigID: balancer?.configs[0]?.id,
    });
    expect(balancer).toMatchObject({
      label: "prod",
      tags: [`capstan-uid=${cluster?.metadata.uid}`, ownerTag(ownerOf(cluster!)), "capstan-of=default/prod"],
    });

    await createMachine(world, "prod-cp", { cluster: "prod", controlPlane: true, data: "#cloud-config\n# cp\n" });
    await createMachine(world, "prod-worker", { cluster: "prod" });
    await world.until(
      async () => (await isProvisioned(world, "prod-cp")) && (await isProvisioned(world, "prod-worker")),
    );
    const instance = simulator.state.instances.find(({ label }) => label === "prod-cp")!;
    const machine = await getMachine(world, "prod-cp");
    expect(machine?.spec.providerID).toBe(`linode://${instance.id}`);
    expect(machine?.status).toMatchObject({
      ready: true,
      instanceState: "running",
      addresses: [
        { type: "ExternalIP", address: instance.publicIp },
        { type: "ExternalIP", address: instance.slaac },
        { type: "InternalIP", address: instance.address },
      ],
    });
    expect(readyOf(machine)).toMatchObject({ status: "True" });
    expect([...instance.tags].sort()).toEqual([
      ownerTag(ownerOf(machine!)),
      `capstan-uid=${machine?.metadata.uid}`,
      "prod",
    ]);
    expect(userDataOf(world, "prod-cp").toString()).toBe("#cloud-config\n# cp\n");
    await world.until(() => (balancer?.configs[0]?.nodes ?? []).length === 1);
    expect(balancer?.configs[0]?.nodes).toMatchObject([{ label: "prod-cp", address: `${instance.address}:6443` }]);

    await api.delete(LinodeCluster, { namespace, name: "prod" });
    await world.pass(5000);
    expect(simulator.state.nodeBalancers).toHaveLength(1);
    for (const name of ["prod-cp", "prod-worker"]) await api.delete(LinodeMachine, { namespace, name });
    await world.until(async () => (await getCluster(world, "prod")) === undefined);
    expect(await getMachine(world, "prod-cp")).toBeUndefined();
    expect(simulator.state.instances).toEqual([]);
    expect(simulator.state.nodeBalancers).toEqual([]);
    expect(simulator.requests.violations).toEqual([]);
  });
});

const large = (): Buffer => Buffer.from(`#cloud-config\n#${randomBytes(40_000).toString("hex")}`);

describe("bootstrap data", () => {
  const objectStore = { credentialsRef: { name: "store" }, presignedURLDuration: "30m" };

  it("goes through the object store when it is too large, until the node runs", async () => {
    await using world = await startWorld();
    const { simulator, clock } = world;
    const data = large();
    await createStoreSecret(world, "store");
    await provisionedCluster(world, "prod", { objectStore });
    await createMachine(world, "big", { cluster: "prod", data });
    await world.until(() => isProvisioned(world, "big"));
    const machine = await getMachine(world, "big");
    const [object] = simulator.state.objects["bootstrap"] ?? [];
    expect(object?.key).toBe(machine?.metadata.uid);
    expect(Buffer.from(object?.body ?? "", "base64").equals(data)).toBe(true);
    const pointer = /^#include\n(http:\S+)\n$/.exec(userDataOf(world, "big").toString());
    const url = new URL(pointer?.[1] ?? "");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("1800");
    const fetched = await fetch(url);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(data)).toBe(true);
    expect(JSON.stringify(machine)).not.toContain("X-Amz-Signature");
    await reportNode(world, "big");
    await world.until(() => (simulator.state.objects["bootstrap"] ?? []).length === 0);
    await clock.advance(1000);
    expect(simulator.objectStorage.requests.violations).toEqual([]);
  });

  it("falls back on the second store", async () => {
    await using world = await startWorld();
    await createStoreSecret(world, "broken", { bucket: "missing-bucket" });
    await createStoreSecret(world, "store");
    const both = { credentialsRef: { name: "broken" }, secondaryCredentialsRef: { name: "store" } };
    await provisionedCluster(world, "prod", { objectStore: both });
    await createMachine(world, "big", { cluster: "prod", data: large() });
    await world.until(() => isProvisioned(world, "big"));
    expect(world.simulator.state.objects["bootstrap"]).toHaveLength(1);
  });

  it("is compressed where that is allowed and enough", async () => {
    await using world = await startWorld({ provider: { gzip: true } });
    const data = Buffer.alloc(100_000, "#cloud-config\n");
    await provisionedCluster(world, "prod");
    await createMachine(world, "packed", { cluster: "prod", data });
    await world.until(() => isProvisioned(world, "packed"));
    expect(gunzipSync(userDataOf(world, "packed")).equals(data)).toBe(true);
    expect(world.simulator.state.objects["bootstrap"] ?? []).toEqual([]);
  });

  it("without an object store creates nothing and says what to do", async () => {
    await using world = await startWorld();
    await provisionedCluster(world, "prod");
    await createMachine(world, "big", { cluster: "prod", data: large() });
    await world.until(() => isRefused(world, "big", "BootstrapDataTooLarge"));
    expect(readyOf(await getMachine(world, "big"))?.message).toContain("object store");
    expect(world.simulator.state.instances).toEqual([]);
  });
});

describe("what cannot be", () => {
  it.each([
    ["vpcRef", { vpcRef: { name: "v" } }, "LinodeVPC"],
    ["firewallRef", { firewallRef: { name: "f" } }, "LinodeFirewall"],
    ["placementGroupRef", { placementGroupRef: { name: "p" } }, "LinodePlacementGroup"],
  ])("a machine with a %s to nothing waits, and nothing is made", async (field, spec, kind) => {
    await using world = await startWorld();
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod", spec });
    await world.until(() => isRefused(world, "node", `${kind}NotYetAvailable`));
    expect(readyOf(await getMachine(world, "node"))?.message).toContain(`spec.${field}: there is no ${kind}`);
    expect(world.simulator.requests.writes).toBe(2);
  });

  it.each([
    [
      "an external load balancer without a host",
      { network: { loadBalancerType: "external" } },
      "ControlPlaneEndpointMissing",
    ],
    ["DNS without a zone", { network: { loadBalancerType: "dns" } }, "ControlPlaneEndpointMissing"],
    ["a VPC that is not there", { vpcRef: { name: "v" } }, "LinodeVPCNotYetAvailable"],
    ["a firewall that is not there", { nodeBalancerFirewallRef: { name: "f" } }, "LinodeFirewallNotYetAvailable"],
    [
      "DNS at Akamai without its credentials",
      { network: { loadBalancerType: "dns", dnsProvider: "akamai", dnsRootDomain: "example.com" } },
      "LinodeUnauthorized",
    ],
  ] as const)("a cluster with %s gets nothing made", async (_name, spec, reason) => {
    await using world = await startWorld();
    await createCluster(world, "prod", spec as Partial<LinodeCluster["spec"]>);
    await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === reason);
    expect(world.simulator.requests.writes).toBe(0);
  });

  it("a request that Linode refuses is shown in Linode's words, and repeated rarely", async () => {
    await using world = await startWorld();
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod", spec: { type: "g9-none" } });
    await world.until(() => isRefused(world, "node", "LinodeRefused"));
    expect(readyOf(await getMachine(world, "node"))?.message).toContain("[type] A valid plan type");
    await world.pass(60_000);
    expect(world.simulator.requests.count("POST linode/instances")).toBe(1);
    expect(world.simulator.state.instances).toEqual([]);
  });
});

describe("an external endpoint", () => {
  it("is used as it is", async () => {
    await using world = await startWorld();
    await provisionedCluster(world, "prod", {
      controlPlaneEndpoint: { host: "api.example.com", port: 443 },
      network: { loadBalancerType: "external" } as NonNullable<LinodeCluster["spec"]["network"]>,
    });
    expect((await getCluster(world, "prod"))?.spec.controlPlaneEndpoint).toEqual({
      host: "api.example.com",
      port: 443,
    });
    await world.api.delete(LinodeCluster, { namespace, name: "prod" });
    await world.until(async () => (await getCluster(world, "prod")) === undefined);
    expect(world.simulator.requests.writes).toBe(0);
  });
});

describe("credentials", () => {
  it("come from the machine's Secret, then the cluster's, with their own place", async () => {
    await using world = await startWorld({ provider: { endpoint: "http://127.0.0.1:1", token: "other" } });
    const { url, token } = world.simulator;
    await createSecret(world, "account", { apiToken: token, LINODE_URL: url, LINODE_API_VERSION: "v4" });
    await createSecret(world, "wrong", { apiToken: "wrong", LINODE_URL: url });
    await provisionedCluster(world, "prod", { credentialsRef: { name: "account" } });
    await createMachine(world, "good", { cluster: "prod" });
    await createMachine(world, "bad", { cluster: "prod", spec: { credentialsRef: { name: "wrong" } } });
    await createMachine(world, "lost", { cluster: "prod", spec: { credentialsRef: { name: "missing" } } });
    await world.until(() => isProvisioned(world, "good"));
    await world.until(() => isRefused(world, "bad", "LinodeUnauthorized"));
    expect(readyOf(await getMachine(world, "bad"))?.message).toContain("default/wrong");
    await world.until(() => isRefused(world, "lost", "CredentialsSecretMissing"));
    expect(world.simulator.state.instances).toHaveLength(1);
  });
});

describe("an instance", () => {
  it("that somebody deletes is reported and not made again", async () => {
    await using world = await startWorld();
    const { client, simulator } = world;
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod" });
    await world.until(() => isProvisioned(world, "node"));
    await client.instances.delete(only(simulator.state.instances).id);
    await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "InstanceMissing");
    expect((await getMachine(world, "node"))?.spec.providerID).toMatch(/^linode:/);
    await world.pass(120_000);
    expect(simulator.state.instances).toEqual([]);
    await world.api.delete(LinodeMachine, { namespace, name: "node" });
    await world.until(async () => (await getMachine(world, "node")) === undefined);
  });

  it("that appears after its machine is gone is deleted, and no other", async () => {
    await using world = await startWorld();
    const { client, simulator } = world;
    await provisionedCluster(world, "prod");
    for (const name of ["gone", "stays"]) await createMachine(world, name, { cluster: "prod" });
    await world.until(async () => (await isProvisioned(world, "gone")) && (await isProvisioned(world, "stays")));
    const [tag = ""] =
      simulator.state.instances.find(({ label }) => label === "gone")?.tags.filter(isIdentityTag) ?? [];
    await world.api.delete(LinodeMachine, { namespace, name: "gone" });
    await world.until(async () => (await getMachine(world, "gone")) === undefined);
    await client.instances.create({ ...smallInstance, label: "late", tags: [tag] });
    await client.instances.create({ ...smallInstance, label: "of-others", tags: ["capstan-uid=1"] });
    await world.until(() => simulator.state.instances.every(({ label }) => label !== "late"));
    expect(simulator.state.instances.map(({ label }) => label)).toEqual(["stays", "of-others"]);
  });

  it("that somebody switches off is reported and not switched on", async () => {
    await using world = await startWorld();
    const { client, simulator } = world;
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod" });
    await world.until(() => isProvisioned(world, "node"));
    await client.instances.shutdown(only(simulator.state.instances).id);
    await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "Offline");
    await world.pass(120_000);
    expect(simulator.state.instances[0]?.status).toBe("offline");
  });

  it("gets its data disks, kernel and helpers before its first boot", async () => {
    await using world = await startWorld();
    const { simulator } = world;
    await provisionedCluster(world, "prod");
    const spec = {
      dataDisks: { sdc: { size: "10Gi", label: "etcd_disk" }, sdd: { size: "1G", filesystem: "raw" } },
      configuration: { kernel: "linode/direct-disk" },
      networkHelper: false,
    } as const;
    await createMachine(world, "node", { cluster: "prod", spec });
    await world.until(() => isProvisioned(world, "node"));
    const { disks, configs } = only(simulator.state.instances);
    const config = only(configs);
    const size = 80 * 1024 - 10_738 - 1000 - 512;
    expect(disks.map((disk) => [disk.label, disk.size, disk.filesystem])).toEqual([
      ["linode/ubuntu22.04 Disk", size, "ext4"],
      ["512 MB Swap Image", 512, "swap"],
      ["etcd_disk", 10_738, "ext4"],
      ["sdd", 1000, "raw"],
    ]);
    expect(config).toMatchObject({ kernel: "linode/direct-disk", helpers: { network: false, distro: true } });
    expect(config.devices).toMatchObject({
      sda: { disk_id: disks[0]?.id },
      sdb: { disk_id: disks[1]?.id },
      sdc: { disk_id: disks[2]?.id },
      sdd: { disk_id: disks[3]?.id },
    });
    expect((await getMachine(world, "node"))?.spec.dataDisks).toMatchObject({
      sdc: { diskID: disks[2]?.id },
      sdd: { diskID: disks[3]?.id },
    });
    expect(simulator.requests.violations).toEqual([]);
  });

  it("follows changes of tags and firewall, and leaves tags of others alone", async () => {
    await using world = await startWorld();
    const { api, client, simulator } = world;
    const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
    const firewall = await client.firewalls.create({ label: "wall", rules });
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod", spec: { tags: ["first"] } });
    await world.until(async () => (await getMachine(world, "node"))?.status?.tags !== undefined);
    const instance = only(simulator.state.instances);
    await client.instances.update(instance.id, { tags: [...instance.tags, "theirs"] });
    const body = { spec: { tags: ["second"], firewallID: firewall.id } };
    await api.patch(LinodeMachine, { namespace, name: "node" }, { type: "merge", body });
    const guarded = () => simulator.state.firewalls[0]?.devices.map(({ entityId }) => entityId) ?? [];
    await world.until(() => instance.tags.includes("second") && guarded().includes(instance.id));
    expect(instance.tags).not.toContain("first");
    expect(instance.tags).toEqual(expect.arrayContaining(["theirs", "prod"]));
    await api.patch(LinodeMachine, { namespace, name: "node" }, { type: "merge", body: { spec: { firewallID: 0 } } });
    await world.until(() => guarded().length === 0);
  });

  it("joins an existing VPC by id", async () => {
    await using world = await startWorld();
    const vpc = await world.client.vpcs.create({
      label: "net",
      region: "us-ord",
      subnets: [
        { label: "other", ipv4: "10.1.0.0/16" },
        { label: "default", ipv4: "10.2.0.0/16" },
      ],
    });
    const network = { subnetName: "default" } as NonNullable<LinodeCluster["spec"]["network"]>;
    await provisionedCluster(world, "prod", { vpcID: vpc.id, network });
    await createMachine(world, "node", { cluster: "prod", spec: { interfaces: [{ purpose: "public" }] } });
    await world.until(() => isProvisioned(world, "node"));
    const [instance] = world.simulator.state.instances;
    expect(instance?.configs[0]?.interfaces).toMatchObject([
      { purpose: "vpc", primary: true, subnet_id: vpc.subnets[1]?.id, ipv4: { nat_1_1: instance?.publicIp } },
      { purpose: "public" },
    ]);
    const addresses = (await getMachine(world, "node"))?.status?.addresses?.map(({ address }) => address);
    expect(addresses).toEqual([instance?.publicIp, "10.2.0.2", instance?.slaac, instance?.address]);
    expect(world.simulator.requests.violations).toEqual([]);
  });
});

describe("labels that are taken", () => {
  it("make a NodeBalancer take a longer one, and never adopt a stranger's", async () => {
    await using world = await startWorld();
    const stranger = await world.client.nodeBalancers.create({ region: "us-ord", label: "prod" });
    await provisionedCluster(world, "prod");
    const uid = (await getCluster(world, "prod"))?.metadata.uid ?? "";
    const labels = world.simulator.state.nodeBalancers.map(({ label }) => label);
    expect(labels).toEqual(["prod", `prod-${uid.slice(0, 8)}`]);
    await world.api.delete(LinodeCluster, { namespace, name: "prod" });
    await world.until(async () => (await getCluster(world, "prod")) === undefined);
    expect(world.simulator.state.nodeBalancers.map(({ id }) => id)).toEqual([stranger.id]);
  });

  it("make an instance take a longer one", async () => {
    await using world = await startWorld();
    const stranger = await world.client.instances.create({
      region: "us-ord",
      type: "g6-nanode-1",
      image: "linode/debian12",
      authorized_keys: ["ssh-ed25519 AAAA"],
      label: "node",
    });
    await provisionedCluster(world, "prod");
    await createMachine(world, "node", { cluster: "prod" });
    await world.until(() => isProvisioned(world, "node"));
    const machine = await getMachine(world, "node");
    const own = world.simulator.state.instances.find(({ id }) => id !== stranger.id);
    expect(own?.label).toBe(`node-${machine?.metadata.uid?.slice(0, 8)}`);
    expect(machine?.spec.providerID).toBe(`linode://${own?.id}`);
  });
});
