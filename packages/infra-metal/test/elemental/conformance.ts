import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { defineProvider } from "@capstan/kit";
import { apiVersionOf, type Kind } from "@capstan/schema";
import { ElementalCluster } from "../../src/elemental/api/elemental-cluster.v1beta1.ts";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { ElementalMachine } from "../../src/elemental/api/elemental-machine.v1beta1.ts";
import { elementalFinalizer, HostLabel } from "../../src/elemental/api/names.ts";
import { elementalKinds } from "../../src/elemental/elemental.ts";
import { createElementalProvider } from "./elemental-world.ts";
import { hostPart } from "./host-part.ts";

const kinds = elementalKinds as readonly Kind[];
const clusterSpec = { controlPlaneEndpoint: { host: "203.0.113.10", port: 6443 } };
const provider = () => createElementalProvider({});

/** The suites, on hosts of Elemental. */
export const testElemental = (tools: SuiteTools): void => {
  infraMachineConformance(tools, {
    kinds,
    machineKind: ElementalMachine,
    clusterKind: ElementalCluster,
    machineSpec: {},
    clusterSpec,
    claims: {
      kind: ElementalHost,
      body: (key) => ({
        apiVersion: apiVersionOf(ElementalHost),
        kind: ElementalHost.kind,
        metadata: { ...key, labels: { [HostLabel.installed]: "true" }, finalizers: [elementalFinalizer] },
        spec: {},
      }),
      taken: { spec: { machineRef: { kind: "Guest", name: "somebody", uid: "uid" } } },
    },
    skip: {
      "waits as long as a throttling cloud says":
        "the controller of hosts writes to them too, so that the write that is throttled need not be the claim",
    },
    start: async ({ client, runManager }) => {
      const agents = await runManager({
        providers: [defineProvider({ name: "hosts", kinds: [], register: (host) => host.add(hostPart()) })],
      });
      const hosts = async (uid: string) =>
        (await client.list<ElementalHost>(ElementalHost, {})).items.filter(({ spec }) => spec?.machineRef?.uid === uid);
      return {
        provider,
        serversOf: async (uid) => (await hosts(uid)).length,
        destroy: async (uid) => {
          for (const { metadata } of await hosts(uid)) {
            const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
            await client.patch(ElementalHost, key, { type: "merge", body: { metadata: { finalizers: [] } } });
            await client.delete(ElementalHost, key);
          }
        },
        stop: () => agents.stop(),
      };
    },
  });

  infraClusterConformance(tools, {
    kinds,
    machineKind: ElementalMachine,
    clusterKind: ElementalCluster,
    machineSpec: {},
    clusterSpec,
    skip: {
      "stands beside another infrastructure of its Cluster":
        "the endpoint is the user's, in the spec; one that is additional has none",
    },
    start: async () => ({ provider, resourcesOf: () => 0, wholeCount: 0 }),
  });
};
