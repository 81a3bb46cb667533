import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { controller, healthServer, watch } from "../src/index.ts";
import { createWorld, Parent, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const idle = controller({ name: "parent", sources: [watch(Parent)], reconcile: async () => {} });

describe("the health server", () => {
  it("reports whether the process lives, whether its caches are filled, and its metrics", async () => {
    const { server, clock, newManager } = world;
    server.missing.add("parents");
    const { manager, start } = newManager();
    let broken = true;
    let remark: string | undefined;
    const health = healthServer(manager, {
      host: "127.0.0.1",
      port: 0,
      ready: {
        store: () => {
          if (broken) throw new Error("no store");
          return remark;
        },
      },
    });
    manager.addRunnable(health);
    manager.add(idle);
    const started = start();
    await clock.advanceUntil(() => health.port !== 0);
    const get = async (path: string): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${health.port}${path}`);
      return `${response.status} ${await response.text()}`;
    };
    expect(await get("/healthz")).toBe("200 ok");
    expect(await get("/readyz")).toBe("503 caches: not filled yet\nstore: no store");
    server.missing.clear();
    await clock.advanceUntil(() => manager.synced);
    await started;
    broken = false;
    expect(await get("/readyz")).toBe("200 ok");
    remark = "nearly full";
    expect(await get("/readyz")).toBe("200 ok\nstore: nearly full");
    expect(await get("/metrics")).toContain('controller_runtime_max_concurrent_reconciles{controller="parent"} 50');
    expect(await get("/metrics")).toContain('capstan_informer_connected{group="test.capstan.dev",kind="Parent"} 1');
    expect(await get("/other")).toBe("404 not found");
  });
});
