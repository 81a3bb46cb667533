import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf, controllerOf, NamespaceResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { claimed, labelMark, managedObject, observations, ownedAnywhere } from "@capstan/kit/engine";
import { keyFromText } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, Experiment, Task } from "./lab.ts";

const labels = { name: "lab.example.dev/by", namespace: "lab.example.dev/from" };
const finalizer = "lab.example.dev/experiment";
const oldFinalizer = "experiment.lab.example.dev";

const shared = "lab.example.dev/shared";
const offers = "lab.example.dev/offered-to";
const recorded = "lab.example.dev/has";

const uses = {
  bench: claimed(Bench, {
    mark: labelMark(labels, { finalizer, oldFinalizers: [oldFinalizer] }),
    sharing: {
      label: shared,
      offeredTo: ({ metadata }) => metadata.annotations?.[offers]?.split(","),
      recorded: ({ metadata }) => {
        const place = metadata.annotations?.[recorded];
        return place === undefined ? undefined : keyFromText(place);
      },
    },
  }),
  task: ownedAnywhere(Task, labels),
};

const { absent, pending } = observations();

const namespaceOf = (bench: Bench | undefined): readonly string[] =>
  bench?.metadata.namespace === undefined ? [] : [bench.metadata.namespace];

/** Experiments at benches of other namespaces; what is to be done stands beside the bench. */
const createTravellingLabProvider = (): ProviderV1 =>
  defineProvider({
    name: "infra-travelling-lab",
    kinds: [Bench, Experiment, Task],
    register: (host) =>
      host.add(
        managedObject({
          kind: Experiment,
          noun: "the experiment",
          finalizer,
          uses,
          observe: async ({ object: { metadata }, uses: { bench, task } }) => {
            const place = bench.mine();
            const tasks = task.list(namespaceOf(place));
            const conditions = [
              { type: "BenchClaimed", status: place === undefined ? "False" : "True", reason: "Bench" } as const,
            ];
            if (metadata.deletionTimestamp !== undefined) {
              return place === undefined && tasks.length === 0 ? absent() : pending({ reason: "Finishing" });
            }
            if (place !== undefined) {
              return tasks.length === 0
                ? absent({ conditions })
                : pending({ conditions, reason: "Working", pollMs: 3_600_000 });
            }
            return bench.candidates().length === 0
              ? absent({ conditions, reason: "NoBench", message: "every bench is taken", pollMs: 3_600_000 })
              : absent({ conditions, step: "claim" });
          },
          create: async ({ identity, uses: { bench, task } }) => {
            const { name = "", namespace = "" } = bench.mine()?.metadata ?? {};
            await task.create({ metadata: { name: identity.name }, spec: { command: "stir", bench: name } }, namespace);
          },
          steps: {
            claim: async ({ uses: { bench } }) => {
              for (const candidate of bench.candidates()) if ((await bench.claim(candidate)) !== undefined) return;
            },
          },
          remove: async ({ uses: { bench, task } }) => {
            for (const each of task.list(namespaceOf(bench.mine()))) await task.delete(each);
            await bench.release();
          },
        }),
      ),
  });

/** As an administrator does. */
const share = (name: string, value: string | null = "true") =>
  environment.client.patch(
    NamespaceResource,
    { name },
    { type: "merge", body: { metadata: { labels: { [shared]: value } } } },
  );

let environment: ConformanceEnvironment;
let manager: { stop(): Promise<void> };
let home: string;
let away: string;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Bench, Experiment, Task]);
  manager = await environment.runManager({ providers: [createTravellingLabProvider()] });
  home = await environment.namespace();
  away = await environment.namespace();
  await share(away);
});
afterAll(async () => {
  await manager.stop();
  await environment.stop();
});

const create = (kind: Resource, namespace: string, name: string, spec: object, finalizers: readonly string[] = []) =>
  environment.client.create(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace, finalizers },
    spec,
  });

const says = (name: string, reason: string): Promise<Experiment | undefined> =>
  environment.eventually(
    Experiment,
    { namespace: home, name },
    (object) => object !== undefined && conditionOf(object, "Ready")?.reason === reason,
  );

const remove = async (name: string): Promise<void> => {
  await environment.client.delete(Experiment, { namespace: home, name });
  await environment.eventually(Experiment, { namespace: home, name }, (object) => object === undefined);
};

const inNamespace = async <T extends KubeObject>(kind: Resource<T>, namespace: string): Promise<readonly T[]> =>
  (await environment.client.list(kind, { namespace })).items;

describe("what is in another namespace", () => {
  it("is claimed, wakes its claimant, and bears what goes with it", async () => {
    await create(Experiment, home, "e", { command: "stir" });
    const waiting = await says("e", "NoBench");
    expect(conditionOf(waiting!, "BenchClaimed")).toMatchObject({ status: "False", reason: "Bench" });
    await create(Bench, away, "a", {}, [oldFinalizer, "somebody.example.dev/else"]);
    const working = await says("e", "Working");
    expect(conditionOf(working!, "BenchClaimed")).toMatchObject({ status: "True" });
    const [bench] = await inNamespace(Bench, away);
    expect(bench?.metadata.labels).toEqual({ [labels.name]: "e", [labels.namespace]: home });
    expect(bench?.metadata.finalizers).toEqual(["somebody.example.dev/else", finalizer]);
    const [task] = await inNamespace(Task, away);
    expect(task?.metadata.labels).toMatchObject({ [labels.name]: "e", [labels.namespace]: home });
    expect(controllerOf(task!), "nobody in another namespace can be an owner").toBeUndefined();
    await environment.client.delete(Task, { namespace: away, name: "e" });
    await environment.eventually(Task, { namespace: away, name: "e" }, (object) => object !== undefined);
    await remove("e");
    expect(await inNamespace(Task, away)).toEqual([]);
    expect((await inNamespace(Bench, away)).map(({ metadata }) => metadata.finalizers)).toEqual([
      ["somebody.example.dev/else"],
    ]);
  });

  it("that bears its labels where it has no bench is not taken for its own, and does not keep it", async () => {
    const other = await environment.namespace();
    await create(Bench, home, "there", {});
    await create(Experiment, home, "kept", { command: "stir" });
    await says("kept", "Working");
    const forged = { name: "forged", namespace: other, labels: { [labels.name]: "kept", [labels.namespace]: home } };
    await environment.client.create(Task, {
      apiVersion: apiVersionOf(Task),
      kind: Task.kind,
      metadata: { ...forged, finalizers: ["example.dev/kept"] },
      spec: { command: "stay", bench: "none" },
    });
    await remove("kept");
    const [task] = await inNamespace(Task, other);
    expect(task?.metadata.deletionTimestamp).toBeUndefined();
    await environment.client.delete(Bench, { namespace: home, name: "there" });
  });

  it("is owned where owner and bench are in one namespace", async () => {
    await create(Bench, home, "near", {});
    await environment.client.delete(Bench, { namespace: away, name: "a" });
    await create(Experiment, home, "near", { command: "stir" });
    await says("near", "Working");
    const task = await environment.client.get(Task, { namespace: home, name: "near" });
    expect(controllerOf(task)).toMatchObject({ kind: "Experiment", name: "near" });
    await remove("near");
  });

  it("is never taken from somebody else", async () => {
    await create(Task, home, "f", { command: "mine", bench: "near" });
    await create(Experiment, home, "f", { command: "stir" });
    await says("f", "NameTaken");
    const [task] = await inNamespace(Task, home);
    expect(task?.spec.command).toBe("mine");
  });
});

describe("what is in a namespace that nobody shares", () => {
  it("is not claimed, whatever its own labels say, until an administrator shares the namespace", async () => {
    const other = await environment.namespace();
    await create(Bench, other, "free", {});
    const forged = { labels: { [labels.name]: "mine", [labels.namespace]: home } };
    await create(Bench, other, "forged", {});
    await environment.client.patch(
      Bench,
      { namespace: other, name: "forged" },
      { type: "merge", body: { metadata: forged } },
    );
    await create(Experiment, home, "mine", { command: "stir" });
    await says("mine", "NoBench");
    expect(await inNamespace(Task, other)).toEqual([]);
    await environment.client.patch(
      Bench,
      { namespace: other, name: "free" },
      { type: "merge", body: { metadata: { annotations: { [offers]: "some,others" } } } },
    );
    await share(other);
    await environment.pass(5000);
    await says("mine", "NoBench");
    await environment.client.patch(
      Bench,
      { namespace: other, name: "free" },
      { type: "merge", body: { metadata: { annotations: { [offers]: `some,${home}` } } } },
    );
    await says("mine", "Working");
    expect((await inNamespace(Task, other)).map(({ spec }) => spec.bench)).toEqual(["free"]);
    await remove("mine");
  });

  it("stays with the user that has recorded it, and nobody is given another by marks", async () => {
    const other = await environment.namespace();
    await create(Bench, other, "own", {});
    await share(other);
    await create(Experiment, home, "moved", { command: "stir" });
    const working = await says("moved", "Working");
    const [task] = await inNamespace(Task, other);
    expect(task?.spec.bench).toBe("own");
    // As a move leaves it: the claim names another uid, nothing is shared yet, and the user says what it has.
    await share(other, null);
    await environment.client.patch(
      Experiment,
      { namespace: home, name: "moved" },
      { type: "merge", body: { metadata: { annotations: { [recorded]: `${other}/own` } } } },
    );
    await environment.client.patch(
      Bench,
      { namespace: other, name: "own" },
      { type: "merge", body: { metadata: { annotations: { "capstan.dev/claimant-uid": "of-before" } } } },
    );
    await says("moved", "Working");
    const elsewhere = await environment.namespace();
    await share(elsewhere);
    const marks = {
      labels: { [labels.name]: "moved", [labels.namespace]: home },
      annotations: { "capstan.dev/claimant-uid": working?.metadata.uid ?? "" },
    };
    await environment.client.create(Bench, {
      apiVersion: apiVersionOf(Bench),
      kind: Bench.kind,
      metadata: { namespace: elsewhere, name: "forged", ...marks },
      spec: {},
    });
    await environment.client.delete(Task, { namespace: other, name: "moved" });
    await environment.eventually(Task, { namespace: other, name: "moved" }, (object) => object !== undefined);
    expect(await inNamespace(Task, elsewhere)).toEqual([]);
    await remove("moved");
    expect((await inNamespace(Bench, other)).map(({ metadata }) => metadata.labels ?? {})).toEqual([{}]);
  });
});
