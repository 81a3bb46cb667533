import { list, notFound, object, reply, text, type Power } from "@capstan/simulation";
import type { StoredServer } from "./account.ts";
import { route, type World } from "./world.ts";

const states = {
  provisioning: "provisioning",
  off: "off",
  booting: "booting",
  running: "running",
  stopping: "off",
  removing: "deleting",
} as const satisfies Record<Power, string>;

const view = ({ id, name, tag, labels, address, power }: StoredServer) => ({
  id,
  name,
  tag,
  labels,
  address,
  state: states[power],
});

/** Acme takes user-data of 16 KiB, which base64 makes a third larger. */
const userDataCharacters = Math.ceil(16_384 / 3) * 4;

const labels = list(text({ min: 1, max: 64 }), 20);

const newServer = object(
  {
    name: text({ min: 1, max: 63, pattern: /^[a-z0-9-]+$/ }),
    tag: text({ min: 1, max: 64 }),
    labels,
    size: text({ enum: ["small", "large"] }),
    userData: text({ max: userDataCharacters }),
  },
  ["name", "tag", "size"],
);

export const serverRoutes = [
  route({ method: "GET", path: "/servers", handle: (_request, { cloud }) => cloud.state.servers.map(view) }),
  route({
    method: "POST",
    path: "/servers",
    body: newServer,
    handle: ({ body: { labels: given = [], userData = "", ...wanted } }, { cloud, power }) => {
      const address = cloud.newAddress();
      const server: StoredServer = {
        ...wanted,
        id: String(cloud.newId()),
        labels: given,
        userData,
        address,
        power: "provisioning",
      };
      cloud.state.servers.push(server);
      power.provision(server);
      return reply(201, view(server));
    },
  }),
  route({
    method: "PUT",
    path: "/servers/:id/labels",
    body: object({ labels }, ["labels"]),
    handle: ({ params, body }, world) => {
      const server = findServer(params.id, world);
      server.labels = body.labels;
      return view(server);
    },
  }),
  route({
    method: "DELETE",
    path: "/servers/:id",
    handle: ({ params }, world) => {
      world.power.remove(findServer(params.id, world));
      return reply(202);
    },
  }),
];

/** Throws a `Refusal`. */
export const findServer = (id: string, { cloud }: World): StoredServer => {
  const found = cloud.state.servers.find((server) => server.id === id);
  if (found === undefined) throw notFound(`there is no server ${id}`);
  return found;
};
