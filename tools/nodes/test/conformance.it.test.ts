import {
  infraClusterConformance,
  infraMachineConformance,
  type InfraClusterSubject,
  type InfraMachineSubject,
  callFault,
} from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { MachineHost } from "../src/host/machine-host.ts";
import { HostCluster, HostMachine, HostMachineTemplate } from "../src/provider/kinds.ts";
import { createHostProvider } from "../src/provider/provider.ts";
import { stillLauncher } from "./still-launcher.ts";

const tools = { afterAll, beforeAll, describe, it, crashEvery: 12 };

/** What the verbs decide; the rest is the kit's, which has the suites run on example clouds. */
const clusterCases = [
  "creates the infrastructure and fills in the contract",
  "removes the infrastructure after the last machine",
  "creates nothing twice although it crashes between any two calls",
  "leaves nothing although it crashes between any two calls",
  "ends, and leaves nothing, when everything is deleted at once in any order",
];
const machineCases = [
  "creates one server and fills in the contract",
  "waits for owner, cluster infrastructure and bootstrap data",
  "makes one server although answers are lost",
  "tries again after refusals",
  "reports a vanished server and does not replace it",
  "says that nothing is known while the cloud is out of reach, once",
  "rebuilds its status after a move",
  "removes the server before the object goes",
  "removes what a creation made while the object was deleted",
  "makes one server although it crashes between any two calls",
  "leaves no server although it crashes between any two calls",
  "ends, and leaves nothing, when everything is deleted at once in any order",
];
const kinds = [HostCluster, HostMachine, HostMachineTemplate];
const image = "v1.36.2";

const startHost = () => {
  const host = new MachineHost({ launcher: stillLauncher, network: "10.77.100", images: [image] });
  let hook: (call: string, phase: "before" | "after") => void = () => undefined;
  return {
    host,
    call: (...call: Parameters<typeof hook>) => hook(...call),
    provider: () => createHostProvider(host),
    onCall: (next: typeof hook) => {
      hook = next;
    },
  };
};

const machineSubject: InfraMachineSubject = {
  kinds,
  machineKind: HostMachine,
  clusterKind: HostCluster,
  machineSpec: { image },
  clusterSpec: {},
  outages: true,
  start: async ({ clock }) => {
    const { host, call, ...world } = startHost();
    const created: number[] = [];
    host.calls.onCall = (operation, phase) => {
      if (operation === "create" && phase === "before") created.push(clock.now());
      if (operation !== "list") call(operation, phase);
    };
    const machinesOf = (uid: string) => [...host.machines.values()].filter(({ tag }) => tag.endsWith(uid));
    return {
      ...world,
      serversOf: (uid) => machinesOf(uid).length,
      creations: () => created,
      disturb: (fault) => host.calls.disturb(callFault(fault.on, fault)),
      outage: (on) => {
        host.calls.down = on;
      },
      destroy: (uid) => machinesOf(uid).forEach(({ id }) => host.delete(id)),
    };
  },
};

const clusterSubject: InfraClusterSubject = {
  kinds,
  clusterKind: HostCluster,
  machineKind: HostMachine,
  clusterSpec: {},
  machineSpec: { image },
  start: async () => {
    const { host, call, ...world } = startHost();
    host.calls.onCall = (operation, phase) => {
      if (operation !== "list") call(operation, phase);
    };
    return { ...world, resourcesOf: (uid) => [...host.endpoints.keys()].filter((tag) => tag.endsWith(uid)).length };
  },
};

infraClusterConformance({ ...tools, only: clusterCases }, clusterSubject);
infraMachineConformance({ ...tools, only: machineCases }, machineSubject);
