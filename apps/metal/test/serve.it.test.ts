import { createApiServer, customResources, type ApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { type Access, type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { crdOf, type KubeObject, resource } from "@capstan/schema";
import { fakeClock, freePort, recentClock, seededRandom } from "@capstan/testing";
import { BmcJob, BmcMachine, BmcTask, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type ServeOptions } from "../src/serve/serve.ts";
import { fetched } from "./fetched.ts";

interface HeldLease extends KubeObject {
  readonly spec?: { readonly holderIdentity?: string };
}

const Lease = resource<HeldLease>({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });
const Namespace = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });

const clock = recentClock();
let server: ApiServer;
let access: Access;
let client: Client;
let stop: () => Promise<void>;

beforeAll(async () => {
  server = createApiServer({ clock, random: seededRandom(7), extensions: [customResources()] });
  await server.start();
  access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  const connection = connect({ access, clock });
  client = createClient(connection);
  for (const kind of [Hardware, Template, Workflow, BmcMachine, BmcJob, BmcTask]) {
    await client.create(CustomResourceDefinitionResource, crdOf(kind));
  }
  await clock.advance(1000);
  await client.create(Hardware, {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Hardware",
    metadata: { namespace: "default", name: "a" },
    spec: { userData: "hello", interfaces: [{ disableDhcp: false, dhcp: { ip: { address: "127.0.0.1" } } }] },
  });
  stop = async () => {
    await connection.close();
    await server.stop();
  };
});
afterAll(() => stop());

const options = (given: Partial<ServeOptions>): ServeOptions => ({
  parts: ["http", "grpc"],
  namespaces: [],
  leaderElect: true,
  systemNamespace: "default",
  ...given,
});

/** Runs until everything works, calls `use`, and stops. */
const whileServing = async (given: Partial<ServeOptions>, use: () => Promise<void>): Promise<void> => {
  const end = new AbortController();
  let isReady = false;
  let ended = false;
  const environment = { access, clock, log: silentLogger, signal: end.signal, ready: () => void (isReady = true) };
  const run = serve(options(given), environment).finally(() => (ended = true));
  run.catch(() => undefined);
  await clock.advanceUntil(() => isReady || ended, { stepMs: 25 });
  if (isReady) await use();
  end.abort();
  await clock.advanceUntil(() => ended, { stepMs: 25 });
  await run;
};

describe("capstan-metal serve", () => {
  it("serves machines beside a management API, and stops", async () => {
    const [httpPort, grpcPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${httpPort}/2009-04-04/user-data`;
    await whileServing({ address: "127.0.0.1", httpPort, grpcPort }, async () => {
      expect(await fetched(url)).toBe("200 hello");
    });
    await expect(fetched(url)).rejects.toThrow("ECONNREFUSED");
  });

  it("runs a controller without an address for machines", async () => {
    let ran = false;
    await whileServing({ parts: ["workflow"] }, async () => void (ran = true));
    expect(ran).toBe(true);
  });

  it.each<{ parts: ServeOptions["parts"]; more?: Partial<ServeOptions>; leases: readonly string[] }>([
    { parts: ["workflow"], leases: ["capstan-metal-workflow"] },
    { parts: ["workflow", "bmc"], leases: ["capstan-metal-bmc-workflow"] },
    { parts: ["bmc"], more: { leaderElect: false }, leases: [] },
  ])("holds the Leases $leases while it runs $parts", async ({ leases, more = {}, parts }) => {
    const systemNamespace = `of-${parts.join("-")}`;
    await client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: systemNamespace } });
    const held = async () => {
      const { items } = await client.list(Lease, { namespace: systemNamespace });
      return items.map(({ metadata, spec }) => [metadata.name, (spec?.holderIdentity ?? "") !== ""]);
    };
    await whileServing({ parts, systemNamespace, ...more }, async () => {
      expect(await held()).toEqual(leases.map((name) => [name, true]));
    });
    expect(await held()).toEqual(leases.map((name) => [name, false]));
  });

  it.each([
    [{}, "--address: say at which IP address machines reach http"],
    [{ address: "rack.example" }, "--address rack.example: it has to be an IP address"],
    [{ address: "10.0.0.5", parts: ["dhcp"] as const }, "--dhcp: say reservation, proxy or auto-proxy"],
    [{ address: "10.0.0.5", parts: ["tftp"] as const }, "--ipxe-folder: say where the binaries of iPXE are"],
    [{ address: "10.0.0.5", listen: "all" }, "--listen all: it has to be an IP address"],
  ])("names the flag that is wrong in %j", async (given, message) => {
    const environment = { access, clock: fakeClock(), log: silentLogger, signal: new AbortController().signal };
    await expect(serve(options(given), environment)).rejects.toMatchObject({ code: "metal.flags_invalid", message });
  });
});
