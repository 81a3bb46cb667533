import { CapstanError } from "@capstan/contract";
import type { InfraMachineCloud, InfraMachineSubject } from "../src/conformance.ts";
import { createModularProvider, ModularCloud, ModularCluster, ModularMachine } from "../src/infra-modular.ts";
import type { ModularCall } from "../src/infra-modular.ts";

const throttled = (ms: number): CapstanError =>
  new CapstanError({
    code: "memory.throttled",
    reason: "Throttled",
    message: "too many calls",
    retry: { kind: "after", ms },
  });

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
      disturb: ({ kind, on, retryAfterMs, times }) =>
        cloud.calls.disturb({
          operation: `${on} server`,
          times,
          kind: kind === "lost-answer" ? "lose" : "refuse",
          ...(retryAfterMs === undefined ? {} : { error: throttled(retryAfterMs) }),
        }),
      destroy: (uid) => cloud.destroy("server", uid),
      onCall: (next) => {
        hook = next;
      },
    };
    return subject;
  },
};
