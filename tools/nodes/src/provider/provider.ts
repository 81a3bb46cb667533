import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import { userDataRoutes } from "@capstan/kit/delivery";
import { absent, failed, infraMachine, internalIP, pending, present, removing } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { HostedMachine, MachineHost } from "../host/machine-host.ts";
import { HostCluster, HostMachine, HostMachineTemplate } from "./kinds.ts";

const limitBytes = 256 * 1024;

const providerIDOf = (id: string): string => `host://${id}`;

const machines = (host: MachineHost) =>
  infraMachine<HostMachine, MachineHost, HostedMachine, HostCluster>({
    kind: HostMachine,
    clusterKind: HostCluster,
    finalizer: `${Group.infrastructure}/hostmachine`,
    connect: () => host,
    inventory: {
      list: ({ api, call }) => api.calls.make("list", () => [...api.machines.values()], call),
      tagsOf: ({ tag }) => [tag],
      providerIDOf: ({ id }) => providerIDOf(id),
      pollMs: 1000,
      settledPollMs: 5000,
    },
    observe: async ({ item }) => {
      if (item === undefined) return absent();
      const { id, address, state, message = "" } = item;
      const facts = { handle: id, providerID: providerIDOf(id), status: { instanceState: state } };
      if (state === "off") return pending({ ...facts, reason: "Stopped", step: "start" });
      if (state === "starting") return pending({ ...facts, reason: "Starting", pollMs: 1000 });
      if (state === "removing") return removing({ ...facts, pollMs: 1000 });
      if (state === "stopped") return failed({ ...facts, reason: "Stopped", message });
      return present({ ...facts, addresses: [internalIP(address)] });
    },
    create: async ({ api, bootstrap, call, identity, object }) => {
      const { bytes: userData } = await bootstrap.deliver(userDataRoutes({ limitBytes }));
      const machine = { tag: identity.tag, name: identity.name, image: object.spec.image, userData };
      await api.calls.make("create", () => api.create(machine), call);
    },
    steps: { start: ({ api, call, handle }) => api.calls.make("start", () => api.start(handle), call) },
    remove: ({ api, call, handle }) => api.calls.make("delete", () => api.delete(handle), call),
  });

const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? "");

const clusters = (host: MachineHost) => {
  return cluster.infraCluster<HostCluster, MachineHost>({
    kind: HostCluster,
    machineKind: HostMachine,
    finalizer: `${Group.infrastructure}/hostcluster`,
    connect: () => host,
    observe: async ({ additional, api, call, controlPlaneMachines, identity }) => {
      if (additional) return cluster.present();
      const found = await api.calls.make("list", () => api.endpoints.get(identity.tag), call);
      if (found === undefined) return cluster.absent();
      const facts = { endpoint: { host: found.host, port: found.port } };
      const isBalanced = namesOf(controlPlaneMachines).join() === found.members.join();
      return cluster.present(isBalanced ? facts : { ...facts, step: "balance" });
    },
    create: ({ api, call, identity }) => api.calls.make("balance", () => api.balance(identity.tag, []), call),
    steps: {
      balance: ({ api, call, controlPlaneMachines, identity }) =>
        api.calls.make("balance", () => api.balance(identity.tag, namesOf(controlPlaneMachines)), call),
    },
    remove: ({ api, call, identity }) => api.calls.make("unbalance", () => api.unbalance(identity.tag), call),
  });
};

/** Machines of this host as Cluster API machines. */
export const createHostProvider = (host: MachineHost): ProviderV1 =>
  defineProvider({
    name: "infra-host",
    kinds: [HostCluster, HostMachine, HostMachineTemplate],
    register: (registry) => {
      registry.add(clusters(host));
      registry.add(machines(host));
    },
  });
