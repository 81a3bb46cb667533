import {
  apiService,
  type MachineModel,
  type MachinePower,
  notFound,
  object,
  type Power,
  Refusal,
  reply,
  routing,
  type Served,
  type SimulatedState,
  type Simulation,
  simulation,
  type SimulationOptions,
  text,
} from "@capstan/simulation";

/** Acme has one kind of resource. What is known of a server is plain JSON. */
interface Server {
  readonly id: number;
  readonly name: string;
  readonly userData: string;
  readonly address: string;
  power: Power;
}

interface Account extends SimulatedState {
  readonly version: 1;
  servers: Server[];
}

/** What the handlers work on. */
interface World {
  readonly cloud: Simulation<Account>;
  readonly power: MachinePower<Server>;
}

const find = (id: string, { cloud }: World): Server => {
  const found = cloud.state.servers.find((server) => String(server.id) === id);
  if (found === undefined) throw notFound(`there is no server ${id}`);
  return found;
};

const view = ({ id, name, address, power }: Server) => ({ id, name, address, state: power });

const route = routing<World>();

const routes = [
  route({
    method: "GET",
    path: "/servers",
    query: { name: text() },
    handle: ({ query }, { cloud }) =>
      cloud.state.servers.filter(({ name }) => name === (query.name ?? name)).map((server) => view(server)),
  }),
  route({
    method: "POST",
    path: "/servers",
    body: object({ name: text({ min: 1, max: 63 }), userData: text({ max: 16_384 }) }, ["name"]),
    handle: ({ body: { name, userData = "" } }, { cloud, power }) => {
      if (cloud.state.servers.some((server) => server.name === name)) throw new Refusal(409, "the name is taken");
      const address = cloud.newAddress();
      const server: Server = { id: cloud.newId(), name, userData, address, power: "provisioning" };
      cloud.state.servers.push(server);
      power.provision(server);
      return reply(201, view(server));
    },
  }),
  route({ method: "GET", path: "/servers/:id", handle: ({ params }, world) => view(find(params.id, world)) }),
  route({
    method: "DELETE",
    path: "/servers/:id",
    handle: ({ params }, world) => {
      world.power.remove(find(params.id, world));
      return reply(202);
    },
  }),
];

/** How the power of machines, and the guests inside, find their way in this account. */
const servers = (account: Account): MachineModel<Server> => ({
  all: () => account.servers,
  powerOf: ({ power }) => power,
  become: (server, power) => {
    server.power = power;
  },
  bootsByItself: () => true,
  remove: (gone) => {
    account.servers = account.servers.filter((server) => server !== gone);
  },
  guestOf: (server) => ({ ...server, id: String(server.id), providerID: `acme://${server.id}` }),
});

/** A simulated Acme account. Its API takes the token `acme-token`. */
export interface AcmeSimulator extends World {
  readonly api: Served;
}

export const createAcmeSimulator = async (
  options: SimulationOptions & { readonly port?: number },
): Promise<AcmeSimulator> => {
  const state = { version: 1, empty: () => ({ servers: [] }) } as const;
  const cloud = await simulation<Account>({ name: "acme", state }, options);
  const world = { cloud, power: cloud.machines(servers(cloud.state)) };
  const api = apiService<World>({
    cloud,
    world,
    routes,
    admit: ({ headers }) => {
      if (headers["authorization"] !== "Bearer acme-token") throw new Refusal(401, "who are you?");
      return "acme-token";
    },
    wordRefusal: ({ message, field }) => ({ message, field }),
    secrets: ["userData"],
  });
  return { ...world, api: cloud.server({ port: options.port ?? 0 }).serve("api", api) };
};
