import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createCertificateAuthority } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { createMemoryProvider } from "@capstan/testing/infra-memory";
import { describe, expect, it } from "vitest";
import {
  InteropEnvironment,
  type InteropOptions,
  type Server,
  startCapstanServer,
  startReferenceServer,
} from "../../src/interop/environment.ts";
import { createGuestCloud, type GuestCloud } from "../../src/interop/guest-cloud.ts";
import {
  Cluster,
  etcdSecretNames,
  etcdSecrets,
  KubeadmControlPlane,
  Machine,
  namespace,
  SecretResource,
} from "./objects.ts";

const kubeAssets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const capiAssets = process.env["CAPI_ASSETS"] ?? "";

export type StartServer = () => Promise<Server>;

const capstanServer = ["Capstan's API server", startCapstanServer] as const;
const referenceServer = ["kube-apiserver, for reference", () => startReferenceServer(kubeAssets)] as const;

const servers: readonly (readonly [string, StartServer])[] = existsSync(join(kubeAssets, "kube-apiserver"))
  ? [capstanServer, referenceServer]
  : [capstanServer];

const missing =
  kubeAssets === "" || capiAssets === ""
    ? "KUBEBUILDER_ASSETS and CAPI_ASSETS name no folders with kubectl and with the managers"
    : process.getuid?.() === 0
      ? undefined
      : "managers are started in mount namespaces, which takes root";

const skipped = (title: string, why: string): void => {
  describe(title, () => {
    it("is tried", ({ skip }) => skip(why));
  });
};

/** Cases on Capstan's API server and, where it is built, on the real one. */
export const describeOnServers = (title: string, cases: (start: StartServer) => void): void => {
  if (missing !== undefined) return skipped(title, missing);
  describe.each(servers)(`${title} on %s`, (_, start) => cases(start));
};

/** Cases with two servers: first Capstan's, then, as the title says, each kind there is. */
export const describeBetweenServers = (title: string, cases: (from: StartServer, to: StartServer) => void): void => {
  if (missing !== undefined) return skipped(title, missing);
  describe.each(servers)(`${title} on %s`, (_, to) => cases(startCapstanServer, to));
};

export const eventually = async (check: () => Promise<void>, withinMs = 90_000): Promise<void> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(200);
    }
  }
};

// oxlint-disable-next-line typescript/no-explicit-any -- objects of many shapes
export type AnyObject = any;

/** An API server with managers on it, and the cloud that their machines are in. */
export interface World {
  readonly environment: InteropEnvironment;
  readonly cloud: GuestCloud;
  /** Folder with kubectl. */
  readonly kubeAssets: string;
  list(kind: Resource): Promise<readonly AnyObject[]>;
  get(kind: Resource, name: string): Promise<AnyObject>;
  /** Resolves when so many Machines of the cluster run, and no others are there. */
  untilRunning(count: number, withinMs?: number): Promise<void>;
  /** Applies a cluster as soon as everybody who checks it is there, with the certificates of an external etcd. */
  make(name: string, manifests: readonly KubeObject[]): Promise<void>;
  /** Deletes a cluster; resolves when nothing of it is left, here and at the cloud. */
  destroy(name: string): Promise<void>;
  stop(): Promise<void>;
}

const hasExternalEtcd = ({ kind, spec }: AnyObject): boolean =>
  kind === KubeadmControlPlane.kind && spec.kubeadmConfigSpec.clusterConfiguration?.etcd.external !== undefined;

export const startWorld = async (
  start: StartServer,
  options: Pick<InteropOptions, "upstream" | "upstreamArgs" | "capstan">,
  given?: GuestCloud,
): Promise<World> => {
  const cloud = given ?? (await createGuestCloud());
  const provider = createMemoryProvider(cloud.cloud);
  const environment = await InteropEnvironment.start({ ...options, kubeAssets, capiAssets, start, provider });
  const list = async (kind: Resource): Promise<readonly AnyObject[]> =>
    (await environment.client.list<KubeObject>(kind, { namespace })).items;
  const consoles = (): string =>
    [...cloud.cloud.servers.keys()].map((id) => cloud.guests.console(id).slice(-500)).join("\n");
  return {
    environment,
    cloud,
    kubeAssets,
    list,
    get: (kind, name) => environment.client.get<KubeObject>(kind, { namespace, name }),
    untilRunning: (count, withinMs) =>
      eventually(async () => {
        const phases = (await list(Machine)).map(({ metadata, status }) => ({
          phase: metadata.deletionTimestamp === undefined ? status?.phase : "Deleting",
          node: typeof status?.nodeRef?.name,
        }));
        expect(phases, consoles()).toEqual(Array.from({ length: count }, () => ({ phase: "Running", node: "string" })));
      }, withinMs),
    make: async (name, manifests) => {
      if (manifests.some(hasExternalEtcd)) {
        const { certificate, key } = await createCertificateAuthority({ now: systemClock.now() });
        await environment.apply(etcdSecrets(name, certificate, key));
      }
      // Until a manager serves its webhooks, what it defaults and checks is refused.
      await eventually(() => environment.apply(manifests, { dryRun: true }));
      await environment.apply(manifests);
    },
    destroy: async (name) => {
      await environment.kubectl(["delete", "cluster", name, "--wait=false"]);
      await eventually(async () => {
        expect(await environment.client.find(Cluster, { namespace, name })).toBeUndefined();
        expect(await list(Machine)).toEqual([]);
        // Those of the etcd were adopted by the control plane.
        const secrets = (await list(SecretResource)).map(({ metadata }) => metadata.name);
        expect(secrets.filter((secret) => !etcdSecretNames(name).includes(secret))).toEqual([]);
      });
      expect([...cloud.cloud.servers.keys()]).toEqual([]);
      expect([...cloud.cloud.loadBalancers.keys()]).toEqual([]);
    },
    stop: async () => {
      await environment.stop();
      await cloud.stop();
    },
  };
};

/**
 * What managers log on any API server: while a workload cluster is not reachable, and when all of this is too much for the processors
 * and a Lease is renewed at the second try.
 */
const passing = /connection to the workload cluster is down|"Connect failed"|"Failed to watch"|"Failed to update lease/;

/** What a reconcile fails with when another user was first, and its next try does not. */
const lostRace =
  /"Reconciler error".*(the object has been modified|not found|already exists|UID in precondition|because it is being terminated)/;

/** Resolves when the cluster is available, with nothing under way. */
export const untilSettled = (world: World, name: string): Promise<void> =>
  eventually(async () => {
    const { status } = await world.get(Cluster, name);
    const conditions = (status?.conditions ?? []).map((each: AnyObject) => `${each.type}=${each.status}`);
    expect(conditions).toEqual(expect.arrayContaining(["Available=True", "RollingOut=False", "ScalingUp=False"]));
    for (const part of [status.controlPlane, status.workers]) {
      const { desiredReplicas, readyReplicas, availableReplicas } = part ?? {};
      expect([readyReplicas, availableReplicas]).toEqual([desiredReplicas, desiredReplicas]);
    }
  });

/** Managers are still there, and none has logged an error. */
export const expectNoErrors = ({ environment: { managers } }: World): void => {
  const isNormal = (line: string): boolean => [passing, lostRace].some((normal) => normal.test(line));
  for (const manager of managers) {
    expect(manager.ended, manager.log().slice(-2000)).toBeUndefined();
    const errors = manager.errors().filter((line) => !isNormal(line));
    expect(errors, manager.name).toEqual([]);
  }
};
