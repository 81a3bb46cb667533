import type { Clock, Random } from "@capstan/contract";
import { silentLogger } from "@capstan/contract";
import { gatedProxy } from "@capstan/testing";
import type { CloudFault, InfraMachineCloud } from "@capstan/testing/conformance";
import { AcmeCluster, AcmeMachine, AcmeMachineTemplate } from "../src/api.ts";
import { createAcmeProvider } from "../src/index.ts";
import { createAcmeSimulator, type AcmeSimulator } from "../src/sim.ts";

const token = "t0ken";

/** Facts about the provider for the suites. */
export const subject = {
  kinds: [AcmeCluster, AcmeMachine, AcmeMachineTemplate],
  machineKind: AcmeMachine,
  clusterKind: AcmeCluster,
  machineSpec: { size: "small" },
  clusterSpec: { credentialsRef: { name: "credentials" } },
  secrets: { credentials: { token: Buffer.from(token).toString("base64") } },
};

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  method === "POST" && path === "/servers" ? "create" : `${method} ${path}`;

/** A simulated account, and the provider that works with it through a proxy where a process can be made to die. */
export const startAccount = async ({ clock, random }: { readonly clock: Clock; readonly random: Random }) => {
  const simulator = await createAcmeSimulator({ clock, random, token });
  await simulator.start();
  const proxy = await gatedProxy(simulator.api.url, { nameOf });
  const options = { clock, random, log: silentLogger, endpoint: proxy.url, settledPollMs: 30_000 };
  return {
    simulator,
    provider: () => createAcmeProvider(options),
    onCall: (hook: typeof proxy.hook) => {
      proxy.hook = hook;
    },
    stop: async () => {
      await proxy[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
};

const operations = { create: "POST /servers", delete: "DELETE /servers/*" } as const;

const disturb = ({ api }: AcmeSimulator, { on, kind, times, retryAfterMs = 1000 }: CloudFault): void => {
  const actions = {
    refused: { kind: "status", status: 503 },
    "lost-answer": { kind: "lost-answer" },
    throttled: { kind: "status", status: 429, headers: { "retry-after": String(retryAfterMs / 1000) } },
  } as const;
  const [method = "", path = ""] = operations[on].split(" ");
  api.faults.add({ method, path, times, action: actions[kind] });
};

const serversOf = ({ account }: AcmeSimulator, uid: string) => account.servers.filter(({ tag }) => tag.endsWith(uid));

/** The account as the suite of machines sees it. */
export const machineCloud = async (environment: {
  readonly clock: Clock;
  readonly random: Random;
}): Promise<InfraMachineCloud> => {
  const { simulator, ...cloud } = await startAccount(environment);
  const { api } = simulator;
  return {
    ...cloud,
    serversOf: (uid) => serversOf(simulator, uid).length,
    creations: () => api.requests.log.filter(({ family }) => family === operations.create).map(({ at }) => at),
    disturb: (fault) => disturb(simulator, fault),
    destroy: async (uid) => {
      const headers = { authorization: `Bearer ${token}` };
      for (const { id } of serversOf(simulator, uid)) {
        await fetch(`${api.url}/servers/${id}`, { method: "DELETE", headers });
      }
    },
  };
};
