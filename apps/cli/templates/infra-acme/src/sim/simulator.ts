import { apiService, Refusal, simulation, type Served, type SimulationOptions } from "@capstan/simulation";
import type { Account } from "./account.ts";
import { balancerRoutes, openBalancer } from "./load-balancers.ts";
import { serverModel } from "./machines.ts";
import { serverRoutes } from "./servers.ts";
import type { World } from "./world.ts";

export interface AcmeSimulatorOptions extends SimulationOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** The one token that is accepted. Default `simulated-token`. */
  readonly token?: string;
}

/** A simulated account at Acme: its API, its servers and its load balancers, on loopback. */
export interface AcmeSimulator {
  readonly token: string;
  readonly account: Account;
  /** The API: where it is, what it was asked, and what is to go wrong. */
  readonly api: Served;
  /** Opens the servers and continues with what was under way. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Loads the state of a simulated account. */
export const createAcmeSimulator = async (options: AcmeSimulatorOptions): Promise<AcmeSimulator> => {
  const { token = "simulated-token", port = 0 } = options;
  const empty = () => ({ servers: [], balancers: [] });
  const cloud = await simulation<Account>({ name: "acme", state: { version: 1, empty } }, options);
  const world: World = { cloud, power: cloud.machines(serverModel(cloud.state)) };
  cloud.beforeStart(async () => {
    for (const balancer of cloud.state.balancers) await openBalancer(balancer, world);
  });
  const api = apiService<World>({
    cloud,
    world,
    routes: [...serverRoutes, ...balancerRoutes],
    admit: ({ headers }) => {
      if (headers["authorization"] !== `Bearer ${token}`) throw new Refusal(401, "the token is not accepted");
      return "customer";
    },
    wordRefusal: ({ message, field }) => ({ message, field }),
    secrets: ["userData"],
  });
  return {
    token,
    account: cloud.state,
    api: cloud.server({ port }).serve("api", api),
    start: () => cloud.start(),
    stop: () => cloud.stop(),
  };
};
