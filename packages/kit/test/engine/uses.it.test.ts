import { Label } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { conditionOf, controllerOf, ownerReference, SecretResource } from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import { claimedByAnnotation } from "@capstan/kit/engine";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { CallGate, ConformanceEnvironment, SceneManagers, crashEverywhere } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Account, Bench, createLabProvider, Experiment, Task } from "./lab.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Account, Bench, Experiment, Task]);
});
afterAll(() => environment.stop());

/** A laboratory in a namespace of its own. */
class Lab {
  readonly namespace: string;
  readonly log = { opened: [] as string[], asked: [] as string[] };
  readonly managers: SceneManagers;

  constructor(namespace: string) {
    this.namespace = namespace;
    this.managers = new SceneManagers(environment, { provider: () => createLabProvider(this.log) }, namespace);
  }

  key(name: string) {
    return { namespace: this.namespace, name };
  }

  create<T extends KubeObject>(kind: Resource<T>, name: string, rest: object = {}, labels = {}): Promise<T> {
    const metadata = { ...this.key(name), labels };
    return environment.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest });
  }

  benches(...names: readonly string[]): Promise<unknown> {
    return Promise.all(names.map((name) => this.create(Bench, name, { spec: {} })));
  }

  experiments(...names: readonly string[]): Promise<unknown> {
    return Promise.all(names.map((name) => this.create(Experiment, name, { spec: { command: "stir" } })));
  }

  patch<T extends KubeObject>(kind: Resource<T>, name: string, body: MergePatch): Promise<T> {
    return environment.client.patch(kind, this.key(name), { type: "merge", body });
  }

  async done(name: string): Promise<void> {
    await environment.client.patch(
      Task,
      this.key(name),
      { type: "merge", body: { status: { done: true } } },
      { subresource: "status" },
    );
  }

  get<T extends KubeObject>(kind: Resource<T>, name: string): Promise<T> {
    return environment.client.get(kind, this.key(name));
  }

  async list<T extends KubeObject>(kind: Resource<T>): Promise<readonly T[]> {
    return (await environment.client.list(kind, { namespace: this.namespace })).items;
  }

  /** Waits for the condition `Ready` of a reason. */
  async says(name: string, reason: string): Promise<void> {
    await environment.eventually(
      Experiment,
      this.key(name),
      (object) => object !== undefined && conditionOf(object, "Ready")?.reason === reason,
    );
  }

  async gone(name: string): Promise<void> {
    await environment.client.delete(Experiment, this.key(name));
    await environment.eventually(Experiment, this.key(name), (object) => object === undefined);
  }
}

let lab: Lab;
beforeEach(async () => {
  lab = new Lab(await environment.namespace());
});
afterEach(() => lab.managers.stopAll());

describe("what is owned", () => {
  it("bears owner and cluster, wakes its owner, and is written only when it is different", async () => {
    await lab.benches("a");
    await lab.create(Experiment, "e", { spec: { command: "stir" } }, { [Label.clusterName]: "orchid" });
    await lab.managers.start();
    await lab.says("e", "Working");
    const task = await lab.get(Task, "e");
    expect(controllerOf(task)).toMatchObject({ kind: "Experiment", name: "e", controller: true });
    expect(task.metadata.labels).toEqual({ [Label.clusterName]: "orchid" });
    await lab.done("e");
    await lab.says("e", "Ready");
    await lab.patch(Experiment, "e", { metadata: { labels: { touched: "yes" } } });
    await environment.pass(5000);
    expect((await lab.get(Task, "e")).metadata.generation).toBe(task.metadata.generation);
    await lab.patch(Experiment, "e", { spec: { command: "shake" } });
    await environment.eventually(Task, lab.key("e"), (object) => object?.spec.command === "shake");
    await environment.client.delete(Task, lab.key("e"));
    await lab.says("e", "Working");
    expect(lab.log.asked).toEqual(["e", "e", "e"]);
  });

  it("is never taken from somebody else", async () => {
    await lab.benches("a");
    const other = ownerReference(Experiment, await lab.create(Experiment, "other", { spec: { command: "x" } }), {
      controller: true,
    });
    await lab.create(Task, "e", { spec: { command: "mine", bench: "a" } });
    await lab.patch(Task, "e", { metadata: { ownerReferences: [other] } });
    await lab.benches("b");
    await lab.experiments("e");
    await lab.managers.start();
    await lab.says("e", "NameTaken");
    expect((await lab.get(Task, "e")).spec.command).toBe("mine");
  });

  it("may be Secrets, whose contents are read and written as they are", async () => {
    await lab.benches("a");
    await lab.experiments("e");
    await lab.managers.start();
    await lab.says("e", "Working");
    await lab.done("e");
    await lab.says("e", "Ready");
    const secret = await lab.get(SecretResource, "e-result");
    expect(secret["data"]).toEqual({ by: "", command: Buffer.from("stir").toString("base64") });
    await lab.patch(Experiment, "e", { metadata: { labels: { touched: "yes" } } });
    await environment.pass(5000);
    expect((await lab.get(SecretResource, "e-result")).metadata.resourceVersion).toBe(secret.metadata.resourceVersion);
    await lab.patch(SecretResource, "e-result", {
      data: { by: Buffer.from("spoiled").toString("base64"), more: "AA==" },
    });
    await environment.eventually(
      SecretResource,
      lab.key("e-result"),
      (object) => JSON.stringify(object?.["data"]) === JSON.stringify(secret["data"]),
    );
  });
});

describe("what is referred to", () => {
  const account = async (credit: boolean): Promise<void> => {
    await lab.create(Account, "rich", { spec: { credit, secret: "first" } });
    for (const name of ["first", "second"]) {
      await lab.create(SecretResource, name, { data: { token: Buffer.from(name).toString("base64") } });
    }
    await lab.benches("a");
    await lab.create(Experiment, "e", { spec: { command: "stir", account: "rich" } });
    await lab.managers.start();
  };

  it("wakes those that refer to it, and the connection follows it and its Secret", async () => {
    await account(true);
    await lab.says("e", "Working");
    expect(new Set(lab.log.opened)).toEqual(new Set(["first"]));
    await lab.patch(Account, "rich", { spec: { secret: "second" } });
    await environment.until(() => lab.log.opened.at(-1) === "second");
    await lab.patch(SecretResource, "second", { data: { token: Buffer.from("third").toString("base64") } });
    await environment.until(() => lab.log.opened.at(-1) === "third");
    await lab.experiments("unrelated");
    await lab.says("unrelated", "NoBench");
    const opened = lab.log.opened.length;
    await lab.patch(Account, "rich", { metadata: { labels: { touched: "yes" } } });
    await environment.pass(5000);
    expect(lab.log.opened.slice(opened), "the one that refers to it").toEqual(["third"]);
  });

  it("is part of what a refusal depends on", async () => {
    await account(false);
    await lab.says("e", "NoCredit");
    await environment.pass(60_000);
    expect(lab.log.asked).toEqual([]);
    await lab.patch(Account, "rich", { spec: { credit: true } });
    await lab.says("e", "Working");
  });
});

describe("what is claimed", () => {
  const claimants = async (): Promise<readonly (string | undefined)[]> =>
    (await lab.list(Bench)).map(({ metadata }) => metadata.annotations?.[claimedByAnnotation]?.split("/")[2]);

  it("is claimed by one each, with what the claimant changes about it", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    await lab.benches(...names);
    await lab.experiments(...names);
    await lab.managers.start();
    for (const name of names) await lab.says(name, "Working");
    expect(new Set(await claimants())).toEqual(new Set(names));
    const places = (await lab.list(Experiment)).map(({ status }) => status?.bench);
    expect(new Set(places).size).toBe(12);
    expect((await lab.get(Bench, "n0")).metadata.labels).toMatchObject({ busy: "yes" });
  });

  it("is let go in the end, and wakes those who wait", async () => {
    await lab.benches("a");
    await lab.experiments("first");
    await lab.managers.start();
    await lab.says("first", "Working");
    await lab.experiments("second", "third");
    await lab.says("second", "NoBench");
    await lab.says("third", "NoBench");
    const startedAt = environment.clock.now();
    await lab.gone("first");
    await environment.until(async () => (await claimants()).some((name) => name === "second" || name === "third"));
    await lab.benches("b");
    await lab.says("second", "Working");
    await lab.says("third", "Working");
    expect(environment.clock.now() - startedAt, "long before the next look").toBeLessThan(600_000);
    expect(lab.log.asked).toEqual(expect.arrayContaining(["first", "second", "third"]));
  });

  it("is only what may be claimed, and wakes those who wait when that changes", async () => {
    await lab.create(Bench, "a", { spec: { broken: true } });
    await lab.experiments("e");
    await lab.managers.start();
    await lab.says("e", "NoBench");
    await lab.patch(Bench, "a", { spec: { broken: false } });
    await lab.says("e", "Working");
  });

  it("stays one's own when the claimant was moved and has another uid", async () => {
    await lab.benches("a", "b");
    await lab.patch(Bench, "b", {
      metadata: { annotations: { [claimedByAnnotation]: `Experiment/${lab.namespace}/e/another-uid` } },
    });
    await lab.experiments("e");
    await lab.managers.start();
    await lab.says("e", "Working");
    expect((await lab.get(Experiment, "e")).status).toMatchObject({ bench: "b" });
    expect(await claimants()).toEqual([undefined, "e"]);
  });

  it("is not what a claimant of another kind has", async () => {
    await lab.benches("a");
    await lab.patch(Bench, "a", {
      metadata: { annotations: { [claimedByAnnotation]: `Course/${lab.namespace}/e/u` } },
    });
    await lab.experiments("e");
    await lab.managers.start();
    await lab.says("e", "NoBench");
  });
});

it("claims one bench and makes one task although it crashes between any two calls", async () => {
  await crashEverywhere(async (gate) => {
    lab = new Lab(await environment.namespace());
    await lab.benches("a", "b");
    await lab.experiments("e");
    await lab.managers.start(gate);
    const until = (test: (object: Experiment | undefined) => boolean): Promise<unknown> =>
      environment.eventually(Experiment, lab.key("e"), (object) => gate.crashedAt !== undefined || test(object));
    await until((object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Working");
    if (gate.crashedAt === undefined) {
      await environment.client.delete(Experiment, lab.key("e"));
      await until((object) => object === undefined);
    }
    const crashed = gate.crashedAt !== undefined;
    await lab.managers.stopAll();
    if (crashed) {
      await lab.managers.start(new CallGate());
      const left = await environment.client.find(Experiment, lab.key("e"));
      if (left !== undefined && left.metadata.deletionTimestamp === undefined) {
        await lab.says("e", "Working");
        const taken = (await lab.list(Bench)).filter(
          ({ metadata }) => metadata.annotations?.[claimedByAnnotation] !== undefined,
        );
        expect(taken).toHaveLength(1);
      }
      if (left !== undefined) await lab.gone("e");
      await lab.managers.stopAll();
    }
    expect((await lab.list(Bench)).map(({ metadata }) => metadata.annotations ?? {})).toEqual([{}, {}]);
    expect(await lab.list(Task)).toEqual([]);
  });
});

it("asks for permission to what is declared, and no more", () => {
  const added: ControllerV1[] = [];
  createLabProvider(lab.log).register({ add: (controller) => void added.push(controller) });
  const own = added[0]?.permissions?.own ?? [];
  const on = (resource: string) => own.filter((entry) => entry.resource === resource).flatMap(({ verbs }) => verbs);
  expect(on("accounts")).toEqual(["watch"]);
  expect(on("benches")).toEqual(["watch", "patch"]);
  expect(on("tasks")).toEqual(["watch", "create", "patch", "delete"]);
  expect(on("experiments")).toEqual(["watch", "patch"]);
});
