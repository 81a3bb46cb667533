import { rfc3339 } from "@capstan/contract";
import { MachineResource, conditionOf } from "@capstan/contract/wire";
import { type KubeObject, resource } from "@capstan/schema";
import { bootstrapConformance } from "@capstan/testing/conformance";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NoteConfig, createNoteProvider } from "./note-config.ts";

const EventResource = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [NoteConfig],
    configKind: NoteConfig,
    configSpec: { command: "echo" },
    formats: ["cloud-config"],
    pool: { configSpec: { command: "echo" }, change: { command: "date" } },
    provider: () => createNoteProvider(),
  },
);

describe("the life of a config", () => {
  it("waits, makes data once, refreshes until the node joins, and tells the author so until it is old news", async () => {
    const environment = await ConformanceEnvironment.start([NoteConfig]);
    const core = new CorePart(environment.client, await environment.namespace());
    const verbs: string[] = [];
    let allowed = false;
    const onVerb = (verb: string): void => void verbs.push(verb);
    const provider = () => createNoteProvider({ onVerb, mayGenerate: () => allowed });
    const managers = new SceneManagers(environment, { provider }, core.namespace);
    const count = (verb: string): number => verbs.filter((said) => said === verb).length;
    const config = (test: (object?: KubeObject) => boolean) =>
      environment.eventually<KubeObject>(NoteConfig, core.key("b"), test);

    await core.createCluster();
    await core.infrastructureProvisioned();
    const machine = await core.createMachine("m", {
      bootstrap: { configRef: { apiGroup: NoteConfig.group, kind: NoteConfig.kind, name: "b" } },
    });
    await core.createOwned(
      NoteConfig,
      "b",
      { command: "echo" },
      { kind: MachineResource, object: machine, controller: true },
    );
    await managers.start();
    const waiting = await config(
      (object) => object !== undefined && conditionOf(object, "DataSecretAvailable") !== undefined,
    );
    expect(waiting === undefined ? undefined : conditionOf(waiting, "DataSecretAvailable")).toMatchObject({
      status: "False",
      reason: "NotYet",
    });
    allowed = true;
    const ready = await config((object) => object !== undefined && conditionOf(object, "Ready")?.status === "True");
    expect(ready === undefined ? undefined : conditionOf(ready, "TokenAvailable")?.status).toBe("True");
    const generated = count("generate");
    await environment.pass(900_000);
    expect(count("generate")).toBe(generated);
    expect(count("refresh")).toBeGreaterThanOrEqual(3);
    const { items } = await environment.client.list(EventResource, { namespace: core.namespace });
    expect(items, "the condition says it").toEqual([]);
    await core.setStatus(MachineResource, "m", "status.lastUpdated", rfc3339(environment.clock.now()));
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await environment.pass(60_000);
    expect(count("joined")).toBe(1);
    const refreshed = count("refresh");
    await managers.stopAll();
    await managers.start();
    await environment.pass(900_000);
    expect(count("joined")).toBe(2);
    await managers.stopAll();
    const longAgo = rfc3339(environment.clock.now() - 3_601_000);
    await core.setStatus(MachineResource, "m", "status.lastUpdated", longAgo);
    await managers.start();
    await environment.pass(60_000);
    expect(count("joined")).toBe(2);
    expect(count("refresh")).toBe(refreshed);
    await managers.stopAll();
    await environment.stop();
  });
});
