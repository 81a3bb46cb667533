import { CapstanError } from "@capstan/contract";
import { createLogger } from "@capstan/runtime";
import { recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { LeaseResource } from "../src/install/owned-kinds.ts";
import { createManagedWorld, names, passingOn } from "./managed-world.ts";

const clock = recentClock();
const pass = passingOn(clock);

it("tries again to remove what an older release left, and warns of what went wrong", async () => {
  const said: string[] = [];
  const log = createLogger({ level: "warn", write: (line) => void said.push(line) });
  await using world = await createManagedWorld({ clock, random: seededRandom(5), pass, log });
  await world.install();
  const key = { namespace: "capstan-system", name: `capstan-${names.toSorted().join("-")}` };
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: key, spec: {} };
  await world.admin.create(LeaseResource, lease);
  let failures = 1;
  const { manager } = await world.start(
    { providers: names },
    {
      access: world.adminAccess,
      wrapConnection: (connection) => ({
        ...connection,
        open: (request) => connection.open(request),
        close: () => connection.close(),
        send: async (request) => {
          if (request.method === "DELETE" && request.path.endsWith(key.name) && failures-- > 0) {
            throw new CapstanError({ code: "kube.unavailable", reason: "Unavailable", message: "not now" });
          }
          return connection.send(request);
        },
      }),
    },
  );
  await pass(manager.ready());
  await clock.advanceUntil(() => said.some((line) => line.includes("not now")));
  expect(said.join("\n")).toContain("cannot remove leftovers of an earlier release; retrying in a minute");
  expect(await world.admin.find(LeaseResource, key)).toBeDefined();
  await clock.advanceUntil(async () => (await world.admin.find(LeaseResource, key)) === undefined);
});
