import { NamespaceResource } from "@capstan/contract/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../../src/elemental/api/elemental-registration.v1beta1.ts";
import { HostLabel } from "../../src/elemental/api/names.ts";
import { ElementalWorld, type TestHost } from "./elemental-world.ts";

let world: ElementalWorld;
beforeEach(async () => {
  world = await ElementalWorld.start();
});
afterEach(() => world.stop());

/** A host that is registered and installed. */
const installed = async (registration: ElementalRegistration, name: string): Promise<TestHost> => {
  const host = world.hostOf(registration, name);
  await host.command("register");
  await host.command("install");
  return host;
};

const fleet = (): Promise<ElementalRegistration> =>
  world.register("fleet", {
    config: {
      elemental: { agent: { hostname: { useExisting: true }, osPlugin: "", reconciliation: 1e9, workDir: "/agent" } },
    },
  });

const deleteNamespace = (): Promise<void> =>
  world.environment.client.delete(NamespaceResource, { name: world.namespace });

const namespaceGoes = (maxMs?: number): Promise<void> =>
  world.environment.until(
    async () => (await world.environment.client.find(NamespaceResource, { name: world.namespace })) === undefined,
    maxMs,
  );

const use = (name: string): Promise<unknown> =>
  world.environment.client.patch(ElementalHost, world.key(name), {
    type: "merge",
    body: {
      spec: { machineRef: { apiVersion: "v1", kind: "ElementalMachine", namespace: world.namespace, name: "m" } },
    },
  });

describe("a namespace that is deleted with hosts in it", () => {
  it("has a spare host reset by its agent, although the registration is gone", async () => {
    const host = await installed(await fleet(), "alpha");
    await deleteNamespace();
    await world.environment.eventually(ElementalRegistration, world.key("fleet"), (object) => object === undefined);
    await host.runUntil(() => host.read("/agent/needs.reset") === "");
    expect(await host.command("reset")).toBe("done");
    await namespaceGoes(120_000);
  });

  it("goes although the agent of a spare host says nothing, and not without one that is in use", async () => {
    const registration = await fleet();
    await installed(registration, "alpha");
    const used = await installed(registration, "beta");
    await use("beta");
    await world.environment.eventually<ElementalRegistration>(ElementalRegistration, world.key("fleet"), (object) =>
      (object?.metadata.finalizers ?? []).some((each) => each.includes("elementalhost")),
    );
    await deleteNamespace();
    await world.environment.eventually(ElementalHost, world.key("alpha"), (object) => object === undefined, 600_000);
    await world.environment.pass(3_600_000);
    const beta = await world.host("beta");
    expect(beta?.metadata.labels?.[HostLabel.needsReset]).toBe("true");
    await used.runUntil(() => used.read("/agent/needs.reset") === "");
    expect(await used.command("reset")).toBe("done");
    await namespaceGoes();
  });

  it("lets no host report under a registration that is gone, unless it is to be reset", async () => {
    const host = await installed(await fleet(), "alpha");
    await world.environment.client.delete(ElementalRegistration, world.key("fleet"));
    const before = await world.host("alpha");
    const until = world.environment.clock.now() + 10_000;
    await host.runUntil(() => world.environment.clock.now() > until);
    expect(await world.host("alpha")).toEqual(before);
    await world.environment.client.delete(ElementalHost, world.key("alpha"));
    await host.runUntil(() => host.read("/agent/needs.reset") === "");
    expect(await host.command("reset")).toBe("done");
    await world.environment.eventually(ElementalHost, world.key("alpha"), (object) => object === undefined, 60_000);
  });
});
