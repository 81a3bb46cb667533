import type { Connection } from "@capstan/kube";
import { connect } from "@capstan/kube";
import { type KubeObject, resource } from "@capstan/schema";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { createManager, type Manager, type ManagerSettings } from "../src/index.ts";
import { TinyServer } from "./tiny-server.ts";

const group = "test.capstan.dev";

export const Parent = resource({ group, version: "v1", kind: "Parent", plural: "parents" });
export const Child = resource({ group, version: "v1", kind: "Child", plural: "children" });

export const parent = (name: string, fields: Readonly<Record<string, unknown>> = {}): KubeObject => ({
  apiVersion: `${group}/v1`,
  kind: "Parent",
  metadata: { name, namespace: "default" },
  ...fields,
});

export const child = (name: string, fields: Readonly<Record<string, unknown>> = {}): KubeObject => ({
  ...parent(name, fields),
  kind: "Child",
});

export interface RunningManager {
  readonly manager: Manager;
  /** Runs the manager; resolves when it is ready. */
  readonly start: () => Promise<void>;
  /** How `run` ended. */
  readonly ended: () => Promise<unknown>;
  readonly stop: () => Promise<unknown>;
}

export interface World {
  readonly server: TinyServer;
  readonly clock: FakeClock;
  readonly connection: Connection;
  /** A connection on a clock of its own. */
  readonly connectionAt: (clock: FakeClock) => Connection;
  readonly newManager: (settings?: ManagerSettings, connection?: Connection) => RunningManager;
  readonly close: () => Promise<void>;
}

/** A server and the managers that work against it, on one virtual clock. */
export const createWorld = async (): Promise<World> => {
  const server = await new TinyServer().start();
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  const managers: RunningManager[] = [];
  const connections = [connection];
  const connectionAt = (own: FakeClock): Connection => {
    const another = connect({ url: server.url, clock: own });
    connections.push(another);
    return another;
  };
  const newManager = (settings: ManagerSettings = {}, over: Connection = connection): RunningManager => {
    const manager = createManager({ connection: over, random: seededRandom(managers.length), ...settings });
    const abort = new AbortController();
    let run: Promise<unknown> = Promise.resolve();
    const running: RunningManager = {
      manager,
      start: async () => {
        run = manager.run({ signal: abort.signal }).catch((error: unknown) => error);
        await manager.ready();
      },
      ended: () => run,
      stop: () => {
        abort.abort();
        return run;
      },
    };
    managers.push(running);
    return running;
  };
  return {
    server,
    clock,
    connection,
    connectionAt,
    newManager,
    close: async () => {
      await Promise.all(managers.map(({ stop }) => stop()));
      await Promise.all(connections.map((each) => each.close()));
      await server.stop();
    },
  };
};
