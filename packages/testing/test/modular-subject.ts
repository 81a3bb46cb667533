import type { InfraMachineCloud, InfraMachineSubject } from "../src/conformance.ts";
import { callFault } from "../src/conformance/call-fault.ts";
import { createModularProvider, ModularCloud, ModularCluster, ModularMachine } from "../src/infra-modular.ts";
import type { ModularCall } from "../src/infra-modular.ts";

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
      creations: () => created,
      disturb: (fault) => cloud.calls.disturb(callFault(`${fault.on} server`, fault)),
      destroy: (uid) => cloud.destroy("server", uid),
      onCall: (next) => {
        hook = next;
      },
    };
    return subject;
  },
};
