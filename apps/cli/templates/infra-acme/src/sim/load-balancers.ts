import { list, notFound, object, reply, text } from "@capstan/simulation";
import type { StoredBalancer } from "./account.ts";
import { findServer } from "./servers.ts";
import { route, type World } from "./world.ts";

const view = ({ id, tag, host, port, servers }: StoredBalancer) => ({ id, tag, host, port, servers });

/** Begins to forward what comes in at a load balancer to its servers that run. */
export const openBalancer = ({ id, host, port }: StoredBalancer, { cloud }: World): Promise<void> =>
  cloud.balancers.open({
    id,
    host,
    port,
    backends: () => {
      const members = cloud.state.balancers.find((balancer) => balancer.id === id)?.servers ?? [];
      return cloud.state.servers
        .filter((server) => members.includes(server.id) && server.power === "running")
        .map((server) => ({ id: server.id, host: server.address, port }));
    },
  });

const findBalancer = (id: string, { cloud }: World): StoredBalancer => {
  const found = cloud.state.balancers.find((balancer) => balancer.id === id);
  if (found === undefined) throw notFound(`there is no load balancer ${id}`);
  return found;
};

export const balancerRoutes = [
  route({ method: "GET", path: "/load-balancers", handle: (_request, { cloud }) => cloud.state.balancers.map(view) }),
  route({
    method: "POST",
    path: "/load-balancers",
    body: object({ tag: text({ min: 1, max: 64 }) }, ["tag"]),
    handle: async ({ body: { tag } }, world) => {
      const { cloud } = world;
      const host = cloud.newAddress();
      const balancer: StoredBalancer = { id: String(cloud.newId()), tag, host, port: 6443, servers: [] };
      await openBalancer(balancer, world);
      cloud.state.balancers.push(balancer);
      return reply(201, view(balancer));
    },
  }),
  route({
    method: "PUT",
    path: "/load-balancers/:id/servers",
    body: object({ servers: list(text(), 100) }, ["servers"]),
    handle: ({ params, body }, world) => {
      const balancer = findBalancer(params.id, world);
      for (const id of body.servers) findServer(id, world);
      balancer.servers = body.servers;
      return view(balancer);
    },
  }),
  route({
    method: "DELETE",
    path: "/load-balancers/:id",
    handle: async ({ params }, world) => {
      const gone = findBalancer(params.id, world);
      const { cloud } = world;
      cloud.state.balancers = cloud.state.balancers.filter((balancer) => balancer !== gone);
      await cloud.balancers.close(gone.id);
      return reply(204);
    },
  }),
];
