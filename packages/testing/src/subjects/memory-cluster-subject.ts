import { ownerOf, ownerTag } from "@capstan/kit/engine";
import type { InfraClusterCloud, InfraClusterSubject } from "../conformance/infra-cluster.ts";
import { MemoryCloud } from "../infra-memory/memory-cloud.ts";
import { MemoryCluster, MemoryMachine } from "../infra-memory/memory-kinds.ts";
import { createMemoryProvider } from "../infra-memory/memory-provider.ts";

const ignore = (): void => undefined;

/** The clusters of the provider in memory as a subject of the suites. */
export const memoryClusterSubject: InfraClusterSubject = {
  kinds: [MemoryCluster, MemoryMachine],
  clusterKind: MemoryCluster,
  machineKind: MemoryMachine,
  clusterSpec: { credentialsRef: { name: "credentials" } },
  machineSpec: {},
  secrets: { credentials: { token: Buffer.from("t0ken").toString("base64") } },
  start: async ({ clock }) => {
    const cloud = new MemoryCloud({ clock, tokens: ["t0ken"] });
    let hook: (call: string, phase: "before" | "after") => void = ignore;
    cloud.calls.onCall = (operation, phase) => {
      if (operation !== "list") hook(operation, phase);
    };
    const subject: InfraClusterCloud = {
      provider: () => createMemoryProvider(cloud),
      resourcesOf: (_uid, object) => (cloud.loadBalancers.has(ownerTag(ownerOf(object))) ? 1 : 0),
      onCall: (next) => {
        hook = next;
      },
    };
    return subject;
  },
};
