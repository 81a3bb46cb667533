import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulation } from "@capstan/sim-linode";
import { MachineDeployment } from "@capstan/core/api";
import { MachineResource, valueAt } from "@capstan/contract/wire";
import type { Connection, HttpRequest } from "@capstan/kube";
import { expect, it } from "vitest";
import { startTestSystemOn } from "./test-system.ts";

/** A request that writes, and its body as text. */
interface Written {
  readonly verb: string;
  readonly body: string;
}

/** One server, and agents of whom there are none yet. */
const manifest = readFileSync(join(import.meta.dirname, "../../../examples/linode/k3s.yaml"), "utf8")
  .replace("replicas: 3", "replicas: 1")
  .replace("replicas: 2", "replicas: 0");

const verbs = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" } as const;

const pathOf = /\/namespaces\/default\/(?<plural>[a-z]+)(?:\/(?<name>[^/?]+))?(?:\/(?<subresource>[a-z]+))?/;

const written = ({ method, path, body }: HttpRequest): Written | undefined => {
  const { plural, subresource } = pathOf.exec(path)?.groups ?? {};
  if (method === "GET" || plural === undefined) return undefined;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  return { verb: `${verbs[method]} ${resource}`, body: `${path} ${JSON.stringify(body)}` };
};

const recording =
  (requests: Written[]) =>
  (connection: Connection): Connection => ({
    url: connection.url,
    clock: connection.clock,
    send: (request) => {
      const each = written(request);
      if (each !== undefined) requests.push(each);
      return connection.send(request);
    },
    open: (request) => connection.open(request),
    upgrade: (request) => connection.upgrade(request),
    close: () => connection.close(),
  });

const countsOf = (requests: readonly Written[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { verb } of requests) counts[verb] = (counts[verb] ?? 0) + 1;
  return counts;
};

/** Returns whether a request is about the Machine or what it refers to, and not about what counts it. */
const isAbout = (name: string, body: string): boolean => {
  const [path = ""] = body.split(" ", 1);
  return path.includes(name) || body.includes(String.raw`"name\":\"${name}\"`);
};

it("a Machine that takes a minute to run costs these writes, and no status every few seconds", async () => {
  const requests: Written[] = [];
  const delays = { provisionMs: 25_000, bootMs: 25_000 };
  await using system = await startTestSystemOn(
    { linode: (outside) => createSimulation(outside, { delays }) },
    manifest,
    { wrapConnection: recording(requests) },
  );
  const { client } = system.running;
  const machines = async () => (await client.list(MachineResource)).items;
  await system.untilRunning();
  await system.quiet();
  const before = new Set((await machines()).map(({ metadata }) => metadata.name));
  requests.length = 0;

  const deployment = { namespace: "default", name: "aurora-agents" };
  await client.patch(MachineDeployment, deployment, { type: "merge", body: { spec: { replicas: 1 } } });
  await system.until(async () => (await machines()).length > before.size);
  const name = (await machines()).find(({ metadata }) => !before.has(metadata.name))?.metadata.name ?? "";
  await system.until(async () => (await machines()).every((machine) => valueAt(machine, "status.phase") === "Running"));
  await system.quiet();

  const own = requests.filter(({ body }) => isAbout(name, body));
  const { "patch machines/status": statuses, "patch linodemachines/status": reports, ...others } = countsOf(own);
  expect(others).toEqual({
    // Its creation, the name of its data, and its provider id.
    "patch machines": 3,
    "create kthreesconfigs": 1,
    "patch kthreesconfigs/status": 1,
    "create secrets": 1,
    "create linodemachines": 1,
    // That it may be made; where it will report to; that it was made; that the report was read.
    "patch linodemachines": 4,
    "create events": 1,
  });
  const untilRunning = own.slice(
    0,
    own.findIndex(({ body }) => body.includes(String.raw`\"phase\":\"Running\"`)),
  );
  expect(countsOf(untilRunning)["patch machines/status"]).toBeLessThanOrEqual(2);
  // With its Node, that the Node is ready, and that bootstrapping has succeeded.
  expect(statuses).toBeLessThanOrEqual(5);
  expect(reports).toBeLessThanOrEqual(5);
});
