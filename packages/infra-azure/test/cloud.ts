import type { Clock, Random } from "@capstan/contract";
import { Agent, request } from "undici";
import { createAzureProvider } from "../src/index.ts";
import type { AzureProviderOptions } from "../src/index.ts";
import { createAzureSimulator } from "@capstan/sim-azure";
import type { AzureSimulator, AzureSimulatorOptions } from "@capstan/sim-azure";
import { GatedDispatcher } from "./gated-dispatcher.ts";

export const location = "westeurope";

/** A simulated subscription, and providers that work with it. */
export interface AzureCloud {
  readonly simulator: AzureSimulator;
  readonly connections: GatedDispatcher;
  provider(options?: Partial<AzureProviderOptions>): ReturnType<typeof createAzureProvider>;
  onCall(hook: GatedDispatcher["hook"]): void;
  /** A call of another user's. */
  call(method: "PUT" | "PATCH" | "DELETE" | "GET", path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** What a call is called in reports of crashes; that which makes a machine is `create`. */
export const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  method === "PUT" && /\/virtualMachines\/[^/]+$/i.test(path) ? "create" : `${method} ${path}`;

export const startCloud = async (
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  options: Partial<AzureSimulatorOptions> = {},
): Promise<AzureCloud> => {
  const simulator = await createAzureSimulator({ clock, random, rateLimitScale: 1000, ...options });
  await simulator.start();
  const connections = new GatedDispatcher(simulator.ca, nameOf);
  const others = new Agent({ connect: { ca: simulator.ca } });
  const { subscriptionId, url: endpoint } = simulator;
  const token = simulator.lastingToken();
  return {
    simulator,
    connections,
    provider: (more = {}) =>
      createAzureProvider({
        endpoint,
        // An Azure Stack Hub says these itself.
        ...(options.azureStack !== true && { authority: endpoint, audience: endpoint }),
        ca: simulator.ca,
        subscriptionId,
        token,
        dispatcher: connections,
        clock,
        random,
        ...more,
      }),
    call: async (method, path, body) => {
      const answer = await request(`${endpoint}${path}?api-version=2024-05-01`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: others,
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    onCall: (hook) => {
      connections.hook = hook;
    },
    stop: async () => {
      await Promise.all([connections.destroy(), others.destroy()]);
      await simulator.stop();
    },
  };
};
