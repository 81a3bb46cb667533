import { cryptoRandom } from "@capstan/runtime";
import { fakeClock, type FakeClock } from "@capstan/testing";
import { createApiServer, type ApiServer, type ExtensionEnvironment } from "../../src/index.ts";
import type { ExtensionFactory } from "../../src/registry/extension.ts";
import type { ResourceStore } from "../../src/model/types.ts";

/** A server in this process and the store its extensions work with. */
export interface TestServer {
  readonly server: ApiServer;
  readonly environment: ExtensionEnvironment;
  readonly store: ResourceStore;
  readonly clock: FakeClock;
  stop(): Promise<void>;
}

/** Starts a server with these extensions, in memory, on a clock that only the test moves. */
export const serverWith = async (...extensions: readonly ExtensionFactory[]): Promise<TestServer> => {
  const clock = fakeClock();
  let environment: ExtensionEnvironment | undefined;
  const probe: ExtensionFactory = (given) => {
    environment = given;
    return { name: "probe" };
  };
  const server = createApiServer({ clock, random: cryptoRandom, extensions: [...extensions, probe] });
  await server.start();
  if (environment === undefined) throw new Error("the extensions were not made");
  return { server, environment, store: environment.store, clock, stop: () => server.stop() };
};

/** Resolves once the condition holds; it is looked at after every change of any object. */
export const becomes = (store: ResourceStore, condition: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let stop: (() => void) | undefined;
    // What exists is replayed before there is a way to stop.
    const isReplay = (): boolean => stop === undefined;
    // A little before the time of a test is over.
    const limit = AbortSignal.timeout(50_000);
    const fail = (): void => {
      stop?.();
      reject(new Error(`never became true: ${condition.toString()}`));
    };
    limit.addEventListener("abort", fail, { once: true });
    const look = (): void => {
      if (isReplay() || !condition()) return;
      limit.removeEventListener("abort", fail);
      stop?.();
      resolve();
    };
    stop = store.watchAll(look);
    look();
  });
