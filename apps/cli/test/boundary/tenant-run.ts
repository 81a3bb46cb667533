import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { createSimulation as simulateAzure } from "@capstan/sim-azure";
import { createSimulation as simulateLinode } from "@capstan/sim-linode";
import { createSimulation as simulateMetal } from "@capstan/sim-metal";
import type { Client, Connection, HttpRequest } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import { createProviders, providerNames } from "../../src/modules/providers.ts";
import { nothingOutside } from "../managed-world.ts";
import { startTestSystemOn, type Simulated } from "../test-system.ts";
import type { NamedThing } from "./named-things.ts";
import { canary, teams } from "./teams.ts";
import { isTemporary, openedFiles } from "./opened-files.ts";
import { tryMarks } from "./tenant-marks.ts";
import { tenantOf, tryEverything, type Attempt } from "./tenant.ts";
import type { Clouds } from "./their-values.ts";
import {
  changedObjects,
  changedThings,
  everyKind,
  leaked,
  newUsers,
  outsideThings,
  theirObjects,
} from "./what-is-theirs.ts";

/** Returns whether controllers ask about what no one but team-b may read, or write in its namespace. */
const crosses = ({ method, path }: HttpRequest): boolean =>
  /\/namespaces\/team-b\/(secrets|configmaps)\/theirs(\?|$)/.test(path) ||
  (method !== "GET" && path.includes("/namespaces/team-b/"));

const seen = (request: HttpRequest, report: (text: string) => void): HttpRequest => {
  if (crosses(request)) report(`${request.method} ${request.path}`);
  return request;
};

/** Reports what controllers ask that crosses the boundary. `onRequest`: called for everything else than reads and leases. */
export const watching =
  (report: (text: string) => void, onRequest: (path: string) => void = () => undefined) =>
  (connection: Connection): Connection => ({
    url: connection.url,
    clock: connection.clock,
    send: (request) => {
      if (request.method !== "GET" && !request.path.includes("/leases/")) onRequest(request.path);
      return connection.send(seen(request, report));
    },
    open: (request) => connection.open(seen(request, report)),
    upgrade: (request) => connection.upgrade(request),
    close: () => connection.close(),
  });

/** A server of the tenant's, and what it is sent. */
export const listen = async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let text = `${request.method} ${request.url} ${JSON.stringify(request.headers)}`;
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => response.end(String(received.push(text))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, [Symbol.dispose]: () => void server.close() };
};

/** A file of the manager. */
export const folderOf = (content: string) => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-tenant-"));
  const file = join(folder, "credentials");
  writeFileSync(file, content);
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};

export interface Findings {
  readonly attempts: readonly Attempt[];
  /** Each says what of team-b's was read, written, contacted or deleted. */
  readonly crossings: readonly string[];
}

/** Deletes what the tenant made, as the tenant. */
export const deleteAll = async (tenant: Client, kinds: ReturnType<typeof everyKind>): Promise<void> => {
  for (const kind of kinds.filter(({ group }) => group !== "")) {
    for (const object of (await tenant.list(kind, { namespace: "team-a" })).items) {
      if (!/^(t-|theirs|metal-1)/.test(object.metadata.name ?? "")) continue;
      await tenant.delete(kind, keyOf(object)).catch(() => undefined);
    }
  }
};

/** Two teams, and a tenant of one who puts what belongs to the other into every field that names something. */
export const runTenant = async (options: {
  readonly withMachines: boolean;
  readonly isTried: (index: number, thing: NamedThing) => boolean;
  /** Of kinds, with what is team-b's in every annotation and label. */
  readonly isMarked: (index: number) => boolean;
}): Promise<Findings> => {
  using credentials = folderOf(canary);
  using own = await listen();
  const asked = new Set<string>();
  const made: { -readonly [C in keyof Clouds]?: Clouds[C] } = {};
  const shown =
    <C extends keyof Clouds>(name: C, create: (outside: SimulationOutsideV1) => Promise<Required<Clouds>[C]>) =>
    async (outside: SimulationOutsideV1): Promise<Required<Clouds>[C]> =>
      (made[name] = await create(outside));
  const simulated = {
    linode: shown("linode", simulateLinode),
    azure: shown("azure", simulateAzure),
    metal: shown("metal", simulateMetal),
  };
  await using system = await startTestSystemOn<Simulated>(simulated, teams(options), {
    wrapConnection: watching((text) => asked.add(text)),
  });
  const { client: admin, kubeconfig } = system.running;
  if (options.withMachines) await system.untilRunning();
  await system.quiet();
  await system.pass(300_000);
  const providers = await createProviders(providerNames, nothingOutside);
  const kinds = everyKind(providers);
  const clouds = made as Required<Clouds>;
  const objects = await theirObjects(admin, kinds);
  const things = outsideThings(clouds);
  asked.clear();
  using opened = openedFiles((path) => isTemporary(path) && path !== credentials.file);
  await using tenant = await tenantOf(admin, kubeconfig, providers);
  const wanted = { clouds, file: credentials.file, url: own.url };
  const attempts = [
    ...(await tryEverything(tenant.client, providers, wanted, options.isTried)),
    ...(await tryMarks({ admin, tenant: tenant.client }, providers, wanted, options.isMarked)),
  ];
  await system.pass(120_000);
  const meanwhile = [...(await leaked(admin, kinds)), ...newUsers(things, outsideThings(clouds))];
  await deleteAll(tenant.client, kinds);
  await system.pass(120_000);
  const crossings = [
    ...asked,
    ...meanwhile,
    ...changedObjects(objects, await theirObjects(admin, kinds)),
    ...changedThings(things, outsideThings(clouds)),
    ...[...opened.unexpected].map((path) => `opened ${path}`),
    ...[...system.said, ...own.received].filter((text) => text.includes(canary)),
  ];
  return { attempts, crossings };
};
