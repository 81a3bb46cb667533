import type { AdmissionContextV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { apiVersionOf } from "@capstan/schema";
import type { Cause, KubeObject, Resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as api from "../src/api.ts";
import { createLinodeProvider } from "../src/index.ts";
import { simulate } from "@capstan/sim-linode/testing";
import type { Simulation } from "@capstan/sim-linode/testing";

let simulation: Simulation;
beforeAll(async () => {
  simulation = await simulate();
});
afterAll(() => simulation[Symbol.asyncDispose]());

const webhookOf = (kind: Resource, options: { readonly endpoint?: string } = {}): KindWebhooksV1 => {
  const { token, url } = simulation.simulator;
  const provider = createLinodeProvider({ endpoint: url, token, ...options });
  const webhook = provider.webhooks?.find((each) => each.kind.kind === kind.kind);
  if (webhook === undefined) throw new Error(`${kind.kind} has no webhook`);
  return webhook;
};

const objectOf = (kind: Resource, spec: unknown, name = "thing"): KubeObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { name, namespace: "default" },
  spec,
});

const context = (more: Partial<AdmissionContextV1> = {}): AdmissionContextV1 => ({
  find: async () => undefined,
  ...more,
});

const causesOf = async (
  kind: Resource,
  spec: unknown,
  more: { readonly name?: string; readonly context?: Partial<AdmissionContextV1>; readonly endpoint?: string } = {},
): Promise<readonly Cause[]> =>
  (await webhookOf(kind, more).validate?.(objectOf(kind, spec, more.name), context(more.context))) ?? [];

const machine = { region: "us-ord", type: "g6-standard-2", interfaceGeneration: "legacy_config" };
const cluster = { region: "us-ord" };
const subnet = { label: "default", ipv4: "10.0.0.0/24" };
const key = { bucketAccess: [{ bucketName: "data", permissions: "read_write", region: "us-ord" }], keyGeneration: 0 };

describe.each<[kind: Resource, accepted: readonly unknown[], refused: readonly [spec: unknown, field: string][]]>([
  [
    api.LinodeMachine,
    [
      machine,
      { ...machine, osDisk: { size: "20Gi" }, dataDisks: { sdc: { size: "10Gi" } } },
      { ...machine, linodeInterfaces: [{ public: {} }], interfaceGeneration: "linode" },
      { ...machine, firewallID: 5, vpcRef: { name: "net" }, privateIP: true },
      { ...machine, osDisk: { size: "20Gi", label: "root", filesystem: "ext4" } },
      { ...machine, backupID: 7 },
      { ...machine, image: "linode/debian12", backupID: 7, providerID: "linode://5" },
    ],
    [
      [{ ...machine, region: "moon" }, "spec.region"],
      [{ ...machine, region: "us-west", linodeInterfaces: [{ public: {} }] }, "spec.region"],
      [{ ...machine, type: "g9-none" }, "spec.type"],
      [{ ...machine, dataDisks: { sdc: { size: "0" } } }, "spec.dataDisks.sdc.size"],
      [{ ...machine, osDisk: { size: "70Gi" }, dataDisks: { sdc: { size: "20Gi" } } }, "spec.dataDisks"],
      [{ ...machine, osDisk: { size: "20Gi", filesystem: "raw" } }, "spec.osDisk.filesystem"],
      [
        { ...machine, dataDisks: { sdb: { size: "1Gi", label: "etcd" }, sdc: { size: "1Gi", label: "etcd" } } },
        "spec.dataDisks.sdc.label",
      ],
      [
        { ...machine, osDisk: { size: "20Gi", label: "sdc" }, dataDisks: { sdc: { size: "1Gi" } } },
        "spec.dataDisks.sdc.label",
      ],
      [{ ...machine, vpcID: 1, vpcRef: { name: "net" } }, "spec.vpcRef"],
      [{ ...machine, firewallID: 1, firewallRef: { name: "wall" } }, "spec.firewallRef"],
      [
        { ...machine, interfaces: [{ purpose: "public" }], linodeInterfaces: [{ public: {} }] },
        "spec.linodeInterfaces",
      ],
      [{ ...machine, linodeInterfaces: [{ public: {} }], privateIP: true }, "spec.privateIP"],
      [{ ...machine, image: "linode/debian12", backupID: 7 }, "spec.backupID"],
      [{ ...machine, region: "us-west", interfaceGeneration: "linode" }, "spec.region"],
      [{ ...machine, interfaces: Array.from({ length: 4 }, () => ({ purpose: "public" })) }, "spec.interfaces"],
    ],
  ],
  [
    api.LinodeMachineTemplate,
    [{ template: { spec: { ...machine, type: "g9-none" } } }],
    [[{ template: { spec: { ...machine, vpcID: 1, vpcRef: { name: "n" } } } }, "spec.template.spec.vpcRef"]],
  ],
  [
    api.LinodeCluster,
    [cluster, { ...cluster, network: { loadBalancerType: "dns", dnsRootDomain: "example.com" } }],
    [
      [{ region: "moon" }, "spec.region"],
      [{ ...cluster, vpcID: 1, vpcRef: { name: "net" } }, "spec.vpcRef"],
      [{ ...cluster, vpcRef: { name: "net" }, network: { useVlan: true } }, "spec.vpcRef"],
      [
        { ...cluster, nodeBalancerFirewallRef: { name: "edge" }, network: { nodeBalancerFirewallID: 1 } },
        "spec.nodeBalancerFirewallRef",
      ],
      [{ ...cluster, network: { loadBalancerType: "dns" } }, "spec.network.dnsRootDomain"],
    ],
  ],
  [
    api.LinodeClusterTemplate,
    [{ template: { spec: cluster } }],
    [
      [
        { template: { spec: { ...cluster, network: { loadBalancerType: "dns" } } } },
        "spec.template.spec.network.dnsRootDomain",
      ],
    ],
  ],
  [
    api.LinodeVPC,
    [
      { region: "us-ord", subnets: [subnet, { label: "other", ipv4: "10.0.1.0/24" }] },
      { region: "us-ord", ipv6Range: [{ range: "auto" }], subnets: [{ ...subnet, ipv6Range: [{ range: "/56" }] }] },
      { region: "us-ord", ipv4Range: ["10.0.0.0/8"], subnets: [{ label: "default", ipv4: "10.0.0.0/8" }] },
    ],
    [
      [{ region: "us-west", subnets: [subnet] }, "spec.region"],
      [{ region: "us-ord", subnets: [subnet, { ...subnet, ipv4: "10.0.1.0/24" }] }, "spec.subnets[1].label"],
      [{ region: "us-ord", subnets: [subnet, { label: "b", ipv4: "10.0.0.128/25" }] }, "spec.subnets[1].ipv4"],
      [{ region: "us-ord", subnets: [{ ...subnet, ipv4: "10.0.0.1/24" }] }, "spec.subnets[0].ipv4"],
      [{ region: "us-ord", subnets: [{ ...subnet, ipv4: "10.0.0.0/30" }] }, "spec.subnets[0].ipv4"],
      [{ region: "us-ord", subnets: [{ ...subnet, ipv4: "192.168.0.0/16" }] }, "spec.subnets[0].ipv4"],
      [{ region: "us-ord", subnets: [{ ...subnet, ipv4: "fd00::/64" }] }, "spec.subnets[0].ipv4"],
      [{ region: "us-ord", ipv4Range: ["10.0.0.0"] }, "spec.ipv4Range[0]"],
      [{ region: "us-ord", ipv6Range: [{ range: "/129" }] }, "spec.ipv6Range[0].range"],
      [
        { region: "us-ord", subnets: [{ ...subnet, ipv6Range: [{ range: "x" }] }] },
        "spec.subnets[0].ipv6Range[0].range",
      ],
    ],
  ],
  [
    api.LinodeFirewall,
    [{ enabled: true, inboundRules: [{ addresses: { ipv4: ["10.0.0.0/8", "192.0.2.1"], ipv6: ["::/0"] } }] }],
    [
      [{ inboundRules: [{ addresses: { ipv4: ["10.0.0.0/33"] } }] }, "spec.inboundRules[0].addresses.ipv4[0]"],
      [{ outboundRules: [{}, { addresses: { ipv6: ["::", "a"] } }] }, "spec.outboundRules[1].addresses.ipv6[1]"],
    ],
  ],
  [api.LinodePlacementGroup, [{ region: "us-ord" }], [[{ region: "us-west" }, "spec.region"]]],
  [api.LinodeObjectStorageBucket, [{ region: "us-ord" }], [[{ region: "moon" }, "spec.region"]]],
  [
    api.LinodeObjectStorageKey,
    [
      { ...key, generatedSecret: { type: "Opaque" } },
      { ...key, generatedSecret: { type: "Opaque", format: { endpoint: "{{ .S3Endpoint }}" } } },
    ],
    [
      [{ ...key, generatedSecret: { type: "addons.cluster.x-k8s.io/resource-set" } }, "spec.generatedSecret.format"],
      [{ ...key, generatedSecret: { type: "Opaque", format: { a: "{{ .Nothing }}" } } }, "spec.generatedSecret.format"],
    ],
  ],
])("%o", (kind, accepted, refused) => {
  it.each(accepted)("accepts %j", async (spec) => {
    expect(await causesOf(kind, spec)).toEqual([]);
  });

  it.each(refused)("refuses %j for %s", async (spec, field) => {
    expect((await causesOf(kind, spec)).map((cause) => cause.field)).toEqual([field]);
  });
});

it.each(["ab", "Upper", "-x-", "x".repeat(64)])("refuses a bucket called %s", async (name) => {
  const causes = await causesOf(api.LinodeObjectStorageBucket, { region: "us-ord" }, { name });
  expect(causes.map(({ field }) => field)).toEqual(["metadata.name"]);
});

describe("what Linode has to be asked", () => {
  const missing = { ...machine, type: "g9-none" };

  it("is asked with the credentials of the object", async () => {
    const token = Buffer.from("no such token").toString("base64");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "own" }, data: { apiToken: token } };
    const spec = { ...missing, credentialsRef: { name: "own" } };
    const asked: unknown[] = [];
    const find = async (_kind: unknown, ref: unknown) => {
      asked.push(ref);
      return secret as never;
    };
    await causesOf(api.LinodeMachine, spec, { context: { find } });
    expect(asked).toEqual([{ name: "own", namespace: "default" }]);
    const last = simulation.simulator.requests.log.at(-1);
    expect(last, "by the Secret's token, which does not work").toMatchObject({ path: "regions", status: 401 });
  });

  it.each([
    ["the Secret is not there yet", { ...missing, credentialsRef: { name: "later" } }, {}],
    ["Linode does not answer", missing, { endpoint: "http://127.0.0.1:1" }],
    ["the object is changed", missing, { context: { old: objectOf(api.LinodeMachine, machine) } }],
  ])("is not held against an object when %s", async (_name, spec, more) => {
    expect(await causesOf(api.LinodeMachine, spec, more)).toEqual([]);
  });
});

describe("the Secret of a key", () => {
  const defaulted = async (spec: unknown, old?: unknown) => {
    const object = objectOf(api.LinodeObjectStorageKey, spec, "store");
    const before = old === undefined ? {} : { old: objectOf(api.LinodeObjectStorageKey, old, "store") };
    const answer = await webhookOf(api.LinodeObjectStorageKey).default?.(object, context(before));
    return (answer as unknown as { object: { spec: { generatedSecret: unknown } } }).object.spec.generatedSecret;
  };

  it("is called after the key, in its namespace", async () => {
    expect(await defaulted({ ...key, generatedSecret: {} })).toEqual({ name: "store-obj-key", namespace: "default" });
    const own = { name: "mine", namespace: "other" };
    expect(await defaulted({ ...key, generatedSecret: own })).toEqual(own);
  });

  it("stays without a name where it was stored without", async () => {
    const stored = { ...key, generatedSecret: {} };
    expect(await defaulted(stored, stored)).toEqual({});
    const named = { ...key, generatedSecret: { name: "store-obj-key", namespace: "default" } };
    expect(await defaulted(stored, named)).toEqual({ name: "store-obj-key", namespace: "default" });
  });
});

describe("a changed LinodeMachine", () => {
  const made = { ...machine, providerID: "linode://1", osDisk: { size: "20Gi" }, dataDisks: { sdc: { size: "10Gi" } } };
  const refused = async (before: unknown, after: unknown): Promise<readonly (string | undefined)[]> => {
    const old = objectOf(api.LinodeMachine, before);
    return (await causesOf(api.LinodeMachine, after, { context: { old } })).map(({ field }) => field);
  };

  it("may not ask for what its instance will not follow", async () => {
    const { osDisk: _, ...withoutDisk } = made;
    expect(await refused(made, withoutDisk)).toEqual(["spec.osDisk"]);
    expect(await refused(made, { ...made, osDisk: { size: "30Gi" } })).toEqual(["spec.osDisk"]);
    expect(await refused(made, { ...made, interfaceGeneration: "linode" })).toEqual(["spec.interfaceGeneration"]);
    expect(await refused(made, { ...made, dataDisks: { sdc: { size: "20Gi" }, sdd: { size: "1Gi" } } })).toEqual([
      "spec.dataDisks.sdc",
      "spec.dataDisks.sdd",
    ]);
  });

  it("may change what the instance follows, ids that are recorded, and anything before it is made", async () => {
    const recorded = { sdc: { size: "10Gi", diskID: 7 } };
    const followed = { tags: ["a"], firewallID: 3, configuration: { kernel: "linode/grub2" } };
    const labelled = { osDisk: { size: "20Gi", label: "root", diskID: 3 } };
    expect(await refused(made, { ...made, ...followed, ...labelled, dataDisks: recorded })).toEqual([]);
    const { providerID: _, ...waiting } = made;
    expect(await refused(waiting, { ...waiting, osDisk: { size: "30Gi" } })).toEqual([]);
  });
});
