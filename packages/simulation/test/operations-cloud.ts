import {
  apiService,
  json,
  notFound,
  object,
  Refusal,
  reply,
  type Route,
  routing,
  type Served,
  type SimulatedState,
  type Simulation,
  simulation,
  type SimulationOptions,
  text,
} from "../src/index.ts";

interface Disk {
  readonly id: string;
  readonly etag: string;
  properties: unknown;
  state: "Updating" | "Succeeded" | "Failed";
}

interface Operation {
  readonly id: string;
  readonly disk: string;
  /** What it ends with. */
  readonly end: "Succeeded" | "Failed";
  readonly code?: string;
}

interface Account extends SimulatedState {
  disks: Disk[];
  operations: Operation[];
}

type World = Simulation<Account>;

const route = routing<World>();
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const find = ({ state }: World, id: string): Disk => {
  const found = state.disks.find((disk) => same(disk.id, id));
  if (found === undefined) throw notFound(`no disk ${id}`);
  return found;
};

const apiRoutes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path: "/groups/:group/disks/:name",
    headers: ["If-Match"],
    body: object({ properties: json }, ["properties"]),
    handle: ({ params: { group, name }, body, headers, serverUrl, fault }, cloud) => {
      const id = `/groups/${group}/disks/${name}`;
      const present = cloud.state.disks.find((disk) => same(disk.id, id));
      const wanted = headers["if-match"];
      if (wanted !== undefined && wanted !== present?.etag) {
        throw new Refusal(412, "changed meanwhile", { code: "Etag" });
      }
      const disk: Disk = { id, etag: `"${cloud.newId()}"`, properties: body.properties, state: "Updating" };
      cloud.state.disks = [...cloud.state.disks.filter((other) => other !== present), disk];
      const failure =
        fault?.kind === "operation-failed" ? { end: "Failed" as const, code: fault.code ?? "Broken" } : {};
      const operation: Operation = { id: cloud.newUuid(), disk: id, end: "Succeeded", ...failure };
      if (fault?.kind !== "operation-vanishes") cloud.state.operations.push(operation);
      cloud.timers.set(operation.id, "operation-done", 5000);
      return reply(present === undefined ? 201 : 200, disk, { operation: `${serverUrl}/operations/${operation.id}` });
    },
  }),
  route({
    method: "GET",
    path: "/groups/:group/disks/:name",
    handle: ({ params }, cloud) => find(cloud, `/groups/${params.group}/disks/${params.name}`),
  }),
  route({
    method: "GET",
    path: "/operations/:id",
    handle: ({ params }, { state, timers }) => {
      const found = state.operations.find(({ id }) => id === params.id);
      if (found === undefined) throw notFound("no such operation");
      return timers.has(found.id) ? { status: "InProgress" } : { status: found.end, code: found.code };
    },
  }),
];

const loginRoutes: readonly Route<World>[] = [
  route({
    method: "POST",
    path: "/:tenant/token",
    bodyType: "form",
    body: object({ client_secret: text() }, ["client_secret"]),
    handle: ({ body }) => {
      if (body.client_secret !== "secret") throw new Refusal(401, "invalid_client");
      return { access_token: "token" };
    },
  }),
];

export interface OperationsCloud {
  readonly cloud: Simulation<Account>;
  readonly api: Served;
  readonly login: Served;
}

/** A cloud in the style of a resource manager: HTTPS, a login beside the API, operations that continue after the answer. */
export const createOperationsCloud = async (options: SimulationOptions): Promise<OperationsCloud> => {
  const state = { version: 1, empty: () => ({ disks: [], operations: [] }) };
  const cloud = await simulation<Account>({ name: "operations", state }, options);
  cloud.timers.define("operation-done", (id) => {
    const operation = cloud.state.operations.find((candidate) => candidate.id === id);
    if (operation !== undefined) find(cloud, operation.disk).state = operation.end;
  });
  const server = cloud.server({ tls: true, hostname: "localhost" });
  const common = {
    cloud,
    world: cloud,
    wordRefusal: ({ message, code }: Refusal) => ({ error: { code: code ?? "Error", message } }),
  };
  const login = apiService({
    ...common,
    routes: loginRoutes,
    owns: ({ path }) => path.endsWith("/token"),
    secrets: ["client_secret"],
  });
  const api = apiService({
    ...common,
    routes: apiRoutes,
    operations: true,
    anyCase: true,
    query: { "api-version": text({ pattern: /^\d{4}-\d\d-\d\d$/ }) },
    headers: ["If-Match"],
    admit: ({ headers, query }) => {
      if (headers["authorization"] !== "Bearer token") throw new Refusal(401, "no token", { code: "Unauthenticated" });
      if (!query.includes("api-version=")) throw new Refusal(400, "no version", { code: "MissingApiVersion" });
      return "client";
    },
  });
  return { cloud, login: server.serve("login", login), api: server.serve("api", api) };
};
