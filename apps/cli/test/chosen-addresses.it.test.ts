import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { clusterSecretType, Label, Secret, silentLogger, type AddressGuard } from "@capstan/contract";
import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { LinodeVPC } from "@capstan/infra-linode/api";
import { createApiServer } from "@capstan/apiserver";
import { connect } from "@capstan/kube";
import { httpService } from "@capstan/kit";
import { azureBlobObjectStores } from "@capstan/object-store-azure-blob";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { renderKubeconfig } from "@capstan/pki";
import { addressGuard, cryptoRandom, systemClock } from "@capstan/runtime";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { BmcMachine } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import { outsideOf } from "../src/modules/outside.ts";
import { createProviders } from "../src/modules/providers.ts";
import { providerExtensions } from "../src/webhooks/local-webhooks.ts";
import { createManagedWorld } from "./managed-world.ts";

const clock = systemClock;
const bytes = Buffer.from("abc");

/** A server of this computer; what is asked of it, and how often someone connects. */
const startHere = async (listener: RequestListener) => {
  let connections = 0;
  const server = createServer(listener);
  server.on("connection", () => (connections += 1));
  // What speaks TLS to it is no request.
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Everything whose address a Secret or an object of a user says. */
const ways: Readonly<Record<string, (host: string, guard: AddressGuard) => Promise<unknown>>> = {
  "an S3 store": (host, guard) =>
    s3ObjectStores({ clock, guard, maxAttempts: 1, forcePathStyle: true })
      .open({ bucket: "data", endpoint: `http://${host}`, access: "a", secret: "s" })
      .put("k", bytes),
  "a store of Azure": (host, guard) =>
    azureBlobObjectStores({ clock, guard, maxAttempts: 1 })
      .open({ container: "data", account: "acme1", endpoint: `http://${host}`, accountKey: "YQ==" })
      .put("k", bytes),
  "a login service of Azure": (host, guard) =>
    azureBlobObjectStores({ clock, guard, maxAttempts: 1 })
      .open({
        container: "data",
        account: "acme1",
        authorityHost: `https://${host}`,
        tenantId: "00000000-0000-4000-8000-000000000000",
        clientId: "c",
        clientSecret: "s",
      })
      .put("k", bytes),
  "a workload cluster": (host, guard) =>
    connect({ clock, guard, url: `http://${host}`, token: new Secret("t") }).send({ method: "GET", path: "/" }),
  "a proxy on the way to a workload cluster": (host, guard) =>
    connect({ clock, guard, url: "https://10.0.0.1:6443", proxyUrl: `http://${host}`, token: new Secret("t") }).send({
      method: "GET",
      path: "/",
      timeoutMs: 2_000,
    }),
  "an API of a cloud": (host, guard) =>
    httpService({ name: "acme", endpoint: `http://${host}`, guard, attempts: 1 }).get("/"),
};

describe("addresses that users choose", () => {
  let here: Awaited<ReturnType<typeof startHere>>;
  beforeAll(async () => {
    here = await startHere((_request, response) => response.writeHead(500).end());
  });
  afterAll(() => here.stop());

  const cases = Object.entries(ways).flatMap(([what, ask]) =>
    ["127.0.0.1", "localhost", "2130706433"].map((host) => ({ what, ask, host })),
  );

  it.each(cases)("$what at $host is not contacted", async ({ ask, host }) => {
    const before = here.connections();
    const error: unknown = await (async () => ask(`${host}:${here.port}`, addressGuard()))().catch(
      (each: unknown) => each,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String((error as Error).message)).toContain("--allow-address");
    expect(here.connections()).toBe(before);
  });

  it.each(cases)("$what at $host is contacted where the administrator allows it", async ({ ask, host }) => {
    const before = here.connections();
    const guard = addressGuard({ allowed: ["127.0.0.1"] });
    await (async () => ask(`${host}:${here.port}`, guard))().catch(() => undefined);
    expect(here.connections()).toBeGreaterThan(before);
  });

  it("are not followed to where they redirect", async () => {
    const there = await startHere((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${here.port}/`, "x-ms-request-id": "1" }).end(),
    );
    const before = here.connections();
    const guard = addressGuard({ allowed: ["127.0.0.1"] });
    for (const [what, ask] of Object.entries(ways)) {
      if (what.includes("proxy") || what.includes("login")) continue;
      await (async () => ask(`127.0.0.1:${there.port}`, guard))().catch(() => undefined);
    }
    const store = azureBlobObjectStores({ clock, guard, maxAttempts: 1 }).open({
      container: "data",
      account: "acme1",
      endpoint: `http://127.0.0.1:${there.port}`,
      accountKey: "YQ==",
    });
    await expect(store.head("k")).rejects.toThrow();
    expect(there.connections()).toBeGreaterThan(4);
    expect(here.connections()).toBe(before);
    await there.stop();
  });
});

const kubeconfigOf = (server: string): string =>
  renderKubeconfig({ server, clusterName: "orchid", userName: "tenant", token: "t" });

it("sends nothing to this computer for what a tenant wrote, and says so on the objects", async () => {
  const here = await startHere((_request, response) => response.writeHead(500).end());
  const names = ["core", "infra-linode", "tinkerbell"];
  const random = cryptoRandom;
  const outside = outsideOf({ clock, random, log: silentLogger, variables: () => undefined, guard: addressGuard() });
  const providers = await createProviders(names, outside);
  // Admission asks clouds too.
  const server = createApiServer({ clock, random, extensions: providerExtensions(providers) });
  await server.start();
  await using world = await createManagedWorld({ clock, random, pass: (work) => work, server });
  await world.install({ providers });
  const { admin } = world;
  const metadata = { namespace: "default", name: "orchid" };
  const secret = (name: string, stringData: Readonly<Record<string, string>>, more: object = {}) =>
    admin.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "default", name, labels: { [Label.clusterName]: "orchid" } },
      stringData,
      ...more,
    });
  await secret(
    "orchid-kubeconfig",
    { value: kubeconfigOf(`https://localhost:${here.port}`) },
    { type: clusterSecretType },
  );
  await secret("cloud", { apiToken: "t", LINODE_URL: `http://127.0.0.1:${here.port}` });
  await secret("board", { username: "u", password: "p" });
  const made: readonly { readonly kind: Resource; readonly says?: string; readonly spec: object }[] = [
    {
      kind: ClusterResource,
      // Its Machines say why.
      says: "Remote connection not established yet",
      spec: {
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "orchid" },
      },
    },
    { kind: LinodeVPC, spec: { region: "us-sea", credentialsRef: { name: "cloud" } } },
    {
      kind: BmcMachine,
      spec: {
        connection: {
          host: "127.0.0.1",
          port: here.port,
          insecureTLS: true,
          authSecretRef: { namespace: "default", name: "board" },
        },
      },
    },
  ];
  for (const { kind, spec } of made) {
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
    await admin.create(kind, object);
  }
  // Before that no one asks the workload cluster anything.
  const initialization = { infrastructureProvisioned: true, controlPlaneInitialized: true };
  await admin.patch(
    ClusterResource,
    metadata,
    { type: "merge", body: { status: { initialization } } },
    { subresource: "status" },
  );
  const started = await world.start({ providers: names, allowedAddresses: [] }, { access: world.adminAccess });
  await started.manager.ready();
  for (const { kind, says = "--allow-address" } of made) {
    const said = async () => JSON.stringify(await admin.get(kind, metadata));
    await expect.poll(said, { timeout: 10_000 }).toContain(says);
  }
  expect(here.connections()).toBe(0);
  await here.stop();
});

it("takes networks that are allowed, and nothing else", async () => {
  const given: ManagerOptions[] = [];
  const errors: string[] = [];
  const program = createProgram({
    manager: async (options) => given.push(options) && 0,
    writeError: (text) => void errors.push(text),
  });
  expect(await program.run(["manager", "--allow-address", "127.0.0.1", "--allow-address", "fe80::/10"])).toBe(0);
  expect(await program.run(["manager"])).toBe(0);
  expect(given.map(({ allowedAddresses }) => allowedAddresses)).toEqual([["127.0.0.1", "fe80::/10"], []]);
  expect(await program.run(["manager", "--allow-address", "localhost"])).not.toBe(0);
  expect(errors.join("")).toContain("must be an address or a network");
});
