import type { Client, HttpAnswer } from "@capstan/kube";
import type { WorkloadCluster, WorkloadClusters } from "@capstan/kit/workload";
import type { MemoryCloud } from "@capstan/testing/infra-memory";
import type { Verdict, World } from "./world.ts";
import { isAnswer, unavailable, underWay } from "./world.ts";

type Disturbed = Pick<World, "clock" | "disturb" | "running">;

/** Asks the world what becomes of a call that is not one to the management API. Throws when it is not to be done. */
const verdictOn = (world: Disturbed, call: string): Exclude<Verdict, HttpAnswer> => {
  const verdict = world.disturb(call);
  if (isAnswer(verdict)) throw unavailable(`${call} was not answered`);
  return verdict;
};

const through = async <T>(world: Disturbed, name: string, call: () => Promise<T>): Promise<T> =>
  underWay(world, verdictOn(world, name), call);

const disturbedClient = (world: Disturbed, client: Client): Client => ({
  get: (kind, ...rest) => through(world, `GET workload/${kind.kind}`, () => client.get(kind, ...rest)),
  find: (kind, ...rest) => through(world, `GET workload/${kind.kind}`, () => client.find(kind, ...rest)),
  list: (kind, ...rest) => through(world, `GET workload/${kind.kind}`, () => client.list(kind, ...rest)),
  create: (kind, ...rest) => through(world, `POST workload/${kind.kind}`, () => client.create(kind, ...rest)),
  update: (kind, ...rest) => through(world, `PUT workload/${kind.kind}`, () => client.update(kind, ...rest)),
  patch: (kind, ...rest) => through(world, `PATCH workload/${kind.kind}`, () => client.patch(kind, ...rest)),
  delete: (kind, ...rest) => through(world, `DELETE workload/${kind.kind}`, () => client.delete(kind, ...rest)),
  forward: (pod, ...rest) =>
    through(world, `POST workload/${pod.name}/portforward`, () => client.forward(pod, ...rest)),
  request: (request) => through(world, `${request.method} workload${request.path}`, () => client.request(request)),
});

/** Access to workload clusters whose calls are disturbed as the world says. */
export const disturbedWorkload = (world: Disturbed, clusters: WorkloadClusters): WorkloadClusters => {
  const disturbed = ({ client, nodes }: WorkloadCluster): WorkloadCluster => ({
    client: disturbedClient(world, client),
    nodes,
  });
  return {
    connection: (cluster) => {
      const connection = clusters.connection(cluster);
      return connection === undefined ? undefined : disturbed(connection);
    },
    get: (cluster) => disturbed(clusters.get(cluster)),
    as: (account) => disturbedWorkload(world, clusters.as(account)),
    state: (cluster) => clusters.state(cluster),
    lastProbeSuccess: (cluster) => clusters.lastProbeSuccess(cluster),
    subscribe: (listener) => clusters.subscribe(listener),
  };
};

/** The calls to the cloud are disturbed as the world says too: `GET cloud/list`, and `POST cloud/<operation>` for all that write. */
export const disturbCloud = (world: Disturbed, cloud: MemoryCloud): void => {
  let lost = false;
  cloud.calls.onCall = (operation, phase) => {
    const call = `${operation === "list" ? "GET" : "POST"} cloud/${operation}`;
    if (phase === "before") lost = verdictOn(world, call) === "lose";
    else if (lost) throw unavailable(`the answer to ${call} was lost`);
  };
};
