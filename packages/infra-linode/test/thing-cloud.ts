import type { Clock } from "@capstan/contract";
import { objectStores } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { createLinodeClient } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import { s3ObjectStores } from "@capstan/object-store-s3";
import type { Kind, KubeObject } from "@capstan/schema";
import { gatedProxy, seededRandom } from "@capstan/testing";
import type { ResourceCloud } from "@capstan/testing/conformance";
import * as api from "../src/api.ts";
import { createLinodeProvider } from "../src/index.ts";
import { createLinodeSimulator } from "@capstan/sim-linode";
import type { Fault, LinodeSimulator } from "@capstan/sim-linode";

const token = "simulated-token";

/** Credentials that reach the whole account, as an object of its own may name them. */
export const ownCredentials = {
  kind: SecretResource,
  object: { apiVersion: "v1", kind: "Secret", metadata: { name: "own" }, stringData: { apiToken: token } },
};

/** The suites call their object `r`; rules about names want more characters. */
const withoutNameRules = (kind: Kind): Kind => {
  const { "x-kubernetes-validations": _rules, ...schema } = kind.schema;
  return { ...kind, schema };
};

/** All kinds of the provider, for objects of any name. */
export const kinds: readonly Kind[] = Object.values(api)
  .filter((value) => "schema" in value)
  .map((kind) => withoutNameRules(kind as Kind));

/** What a suite needs of one kind of thing in the simulated account. */
export interface Thing {
  /** Path of the collection, for faults. */
  readonly path: string;
  /** How many there are for the object of a uid. */
  count(state: LinodeSimulator["state"], uid: string): number;
  /** Changes them behind the provider's back. */
  drift(client: LinodeClient, state: LinodeSimulator["state"], uid: string): Promise<void>;
  isAsDesired(state: LinodeSimulator["state"], object: KubeObject): boolean;
  destroy(client: LinodeClient, state: LinodeSimulator["state"], uid: string): Promise<void>;
  /** Done first. */
  prepare?(client: LinodeClient): Promise<void>;
}

/** A simulated account and the provider on it. */
export const thingCloud =
  (thing: Thing) =>
  async ({ clock }: { readonly clock: Clock }): Promise<ResourceCloud> => {
    const simulator = await createLinodeSimulator({ clock, random: seededRandom(17), token, rateLimits: [] });
    await simulator.start();
    const proxy = await gatedProxy(simulator.url);
    const client = createLinodeClient({ url: simulator.url, token, apiVersion: "v4beta", retry: { maxRetries: 0 } });
    await thing.prepare?.(client);
    const { state } = simulator;
    const operations = {
      create: { method: "POST", path: thing.path },
      delete: { method: "DELETE", path: `${thing.path}/**` },
    };
    return {
      provider: () => createLinodeProvider({ endpoint: proxy.url, token, driftPollMs: 30_000 }),
      prepare: (manager) => manager.provide(objectStores, [s3ObjectStores({ clock })]),
      onCall: (hook) => {
        proxy.hook = hook;
      },
      count: (uid) => thing.count(state, uid),
      drift: (uid) => thing.drift(client, state, uid),
      isAsDesired: (object) => thing.isAsDesired(state, object),
      destroy: (uid) => thing.destroy(client, state, uid),
      disturb: ({ kind, on, times }) => {
        const actions: Record<typeof kind, Fault["action"]> = {
          refused: { kind: "status", status: 503, reason: "planned" },
          "lost-answer": { kind: "lost-answer" },
          throttled: { kind: "status", status: 429, reason: "Too many requests", headers: { "retry-after": "1" } },
        };
        simulator.faults.add({ ...operations[on], times, action: actions[kind] });
      },
      stop: async () => {
        await client.close();
        await proxy[Symbol.asyncDispose]();
        await simulator.stop();
      },
    };
  };

/** The first characters of a uid, which stand in labels. */
export const uidPart = (uid: string): string => uid.slice(0, 8);
