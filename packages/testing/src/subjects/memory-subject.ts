import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { infraCluster } from "@capstan/kit/cluster";
import { infraMachine } from "@capstan/kit/machine";
import { callFault } from "../conformance/call-fault.ts";
import type { InfraMachineCloud, InfraMachineSubject } from "../conformance/infra-machine-subject.ts";
import { MemoryCloud } from "../infra-memory/memory-cloud.ts";
import { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "../infra-memory/memory-kinds.ts";
import { createMemoryProvider, memoryClusterAuthor, memoryMachineAuthor } from "../infra-memory/memory-provider.ts";

const ignore = (): void => undefined;

/** The same provider, but every server is looked up by itself. */
const createWithoutInventory = (cloud: MemoryCloud): ProviderV1 => {
  const { inventory: _left, observe, ...author } = memoryMachineAuthor(cloud);
  return defineProvider({
    name: "infra-memory",
    kinds: [MemoryCluster, MemoryMachine],
    register: (host) => {
      host.add(infraCluster(memoryClusterAuthor(cloud)));
      host.add(
        infraMachine({
          ...author,
          observe: async (context) => {
            const servers = await context.api.list(context.call);
            return observe({ ...context, item: servers.find(({ tag }) => tag === context.identity.tag) });
          },
        }),
      );
    },
  });
};

/** The provider in memory as a subject of the suites. */
export const memorySubject = (options: { readonly withoutInventory?: boolean } = {}): InfraMachineSubject => ({
  kinds: [MemoryCluster, MemoryMachine, MemoryMachineTemplate],
  machineKind: MemoryMachine,
  clusterKind: MemoryCluster,
  machineSpec: { size: "small" },
  clusterSpec: { credentialsRef: { name: "credentials" } },
  outages: true,
  secrets: { credentials: { token: Buffer.from("t0ken").toString("base64") } },
  start: async ({ clock }) => {
    const cloud = new MemoryCloud({ clock, bootMs: 3000, tokens: ["t0ken"] });
    const created: number[] = [];
    let hook: (call: string, phase: "before" | "after") => void = ignore;
    cloud.calls.onCall = (operation, phase) => {
      if (operation === "create" && phase === "before") created.push(clock.now());
      if (operation !== "list") hook(operation, phase);
    };
    const serversOf = (uid: string) => [...cloud.servers.values()].filter(({ tag }) => tag.endsWith(uid));
    const subject: InfraMachineCloud = {
      provider: () => (options.withoutInventory === true ? createWithoutInventory(cloud) : createMemoryProvider(cloud)),
      serversOf: (uid) => serversOf(uid).length,
      creations: () => created,
      disturb: (fault) => cloud.calls.disturb(callFault(fault.on, fault)),
      outage: (on) => {
        cloud.calls.down = on;
      },
      destroy: (uid) => serversOf(uid).forEach(({ id }) => cloud.delete(id)),
      onCall: (next) => {
        hook = next;
      },
    };
    return subject;
  },
});
