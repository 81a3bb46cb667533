import type { Clock, Random } from "@capstan/contract";
import { gatedProxy } from "@capstan/testing";
import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import type { CloudFault, InfraMachineCloud, SuiteTools } from "@capstan/testing/conformance";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import { createLinodeProvider } from "../src/index.ts";
import { createLinodeSimulator } from "@capstan/sim-linode";
import type { Fault } from "@capstan/sim-linode";
import { kinds } from "./thing-cloud.ts";

const token = "simulated-token";

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  method === "POST" && path.endsWith("/linode/instances") ? "create" : `${method} ${path}`;

const startCloud = async ({ clock, random }: { readonly clock: Clock; readonly random: Random }) => {
  const simulator = await createLinodeSimulator({ clock, random, token, rateLimits: [] });
  await simulator.start();
  const proxy = await gatedProxy(simulator.url, { nameOf });
  return {
    simulator,
    proxy,
    provider: () => createLinodeProvider({ endpoint: proxy.url, settledPollMs: 30_000, clock }),
    onCall: (hook: typeof proxy.hook) => {
      proxy.hook = hook;
    },
    stop: async () => {
      await proxy[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
};

const operations = {
  create: { method: "POST", path: "linode/instances" },
  delete: { method: "DELETE", path: "linode/instances/*" },
} as const;

const faultOf = ({ on, kind, times, retryAfterMs = 1000 }: CloudFault): Fault => {
  const seconds = String(retryAfterMs / 1000);
  const actions = {
    refused: { kind: "status", status: 503, reason: "planned" },
    "lost-answer": { kind: "lost-answer" },
    throttled: { kind: "status", status: 429, reason: "Too many requests", headers: { "retry-after": seconds } },
  } as const;
  return { ...operations[on], times, action: actions[kind] };
};

const machineCloud = async (environment: {
  readonly clock: Clock;
  readonly random: Random;
}): Promise<InfraMachineCloud> => {
  const { simulator, ...cloud } = await startCloud(environment);
  const serversOf = (uid: string) =>
    simulator.state.instances.filter(({ tags }) => tags.includes(`capstan-uid=${uid}`));
  return {
    ...cloud,
    serversOf: (uid) => serversOf(uid).length,
    creations: () =>
      simulator.requests.log.filter(({ family }) => family === "POST linode/instances").map(({ at }) => at),
    disturb: (fault) => {
      simulator.faults.add(faultOf(fault));
    },
    outage: (on) => {
      if (on) simulator.faults.add({ times: Number.POSITIVE_INFINITY, action: { kind: "reset" } });
      else simulator.faults.clear();
    },
    destroy: async (uid) => {
      for (const { id } of serversOf(uid)) {
        await fetch(`${simulator.url}/v4/linode/instances/${id}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${token}` },
        });
      }
    },
  };
};

const subject = {
  kinds,
  machineKind: LinodeMachine,
  clusterKind: LinodeCluster,
  outages: true,
  machineSpec: { region: "us-ord", type: "g6-standard-2", authorizedKeys: ["ssh-ed25519 AAAA"] },
  clusterSpec: { region: "us-ord", credentialsRef: { name: "linode-credentials" } },
  secrets: { "linode-credentials": { apiToken: Buffer.from(token).toString("base64") } },
};

export const testLinode = (tools: SuiteTools): void => {
  infraMachineConformance(tools, { ...subject, start: machineCloud });

  infraClusterConformance(tools, {
    ...subject,
    start: async (environment) => {
      const { simulator, ...cloud } = await startCloud(environment);
      return {
        ...cloud,
        resourcesOf: (uid) =>
          simulator.state.nodeBalancers.filter(({ tags }) => tags.includes(`capstan-uid=${uid}`)).length,
      };
    },
  });
};
