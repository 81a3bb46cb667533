import { callFault } from "../conformance/call-fault.ts";
import type { InfraMachineCloud, InfraMachineSubject } from "../conformance/infra-machine-subject.ts";
import { type ModularCall, ModularCloud } from "../infra-modular/modular-cloud.ts";
import { ModularCluster, ModularMachine } from "../infra-modular/modular-kinds.ts";
import { createModularProvider } from "../infra-modular/modular-provider.ts";

const isRead = (call: ModularCall): boolean => call === "list" || call === "operation";

const ignore = (): void => undefined;

/** The modular cloud as a subject of the suites. */
export const modularSubject: InfraMachineSubject = {
  kinds: [ModularCluster, ModularMachine],
  machineKind: ModularMachine,
  clusterKind: ModularCluster,
  machineSpec: {},
  clusterSpec: {},
  operations: true,
  outages: true,
  start: async ({ clock }) => {
    const cloud = new ModularCloud({ clock });
    const created: number[] = [];
    let hook: (call: string, phase: "before" | "after") => void = ignore;
    cloud.calls.onCall = (call, phase) => {
      if (call === "create server" && phase === "before") created.push(clock.now());
      if (!isRead(call)) hook(call === "create server" ? "create" : call, phase);
    };
    const partsOf = (uid: string) => cloud.resources.filter(({ name }) => name === uid);
    const subject: InfraMachineCloud = {
      provider: () => createModularProvider(cloud),
      serversOf: (uid) => partsOf(uid).filter(({ kind }) => kind === "server").length,
      partsOf: (uid) => partsOf(uid).length,
      loseOperations: () => cloud.loseOperations(),
      failOperation: () => {
        cloud.failNext("server");
        return "the cloud could not create the server";
      },
      creations: () => created,
      disturb: (fault) => cloud.calls.disturb(callFault(`${fault.on} server`, fault)),
      outage: (on) => {
        cloud.calls.down = on;
      },
      destroy: (uid) => cloud.destroy("server", uid),
      onCall: (next) => {
        hook = next;
      },
    };
    return subject;
  },
};
