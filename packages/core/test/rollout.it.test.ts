import { Annotation, Label, rfc3339, Taint } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { resource, type Resource } from "@capstan/schema";
import { findCondition, isConditionTrue } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { rolloutHistory } from "../src/machine-deployment/rollout-history.ts";
import type { Node } from "../src/object/workload-kinds.ts";
import { Nodes } from "../src/object/workload-kinds.ts";
import { disturbAtRandom, mend } from "./faults.ts";
import { key, providerObject } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set } from "./world.ts";

const Events = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
  await given.startControlPlane();
});
afterEach(async () => {
  await world.stop();
});

const workers = async (): Promise<readonly Machine[]> =>
  (await given.list(Machine)).filter(({ metadata }) => metadata.labels?.[Label.deploymentName] === "md");

const change = async (spec: object): Promise<void> => {
  await set(world, MachineDeployment, await given.deployment(), { spec });
};

const version = (text: string) => ({ template: { spec: { version: text } } });

const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } },
});

const isSettled = async (machines: readonly Machine[], replicas: number, wanted: string): Promise<boolean> => {
  if (machines.length !== replicas || machines.some(({ spec }) => spec.version !== wanted)) return false;
  const { metadata, status } = await given.deployment();
  return (
    status?.observedGeneration === metadata.generation &&
    status?.availableReplicas === replicas &&
    status.upToDateReplicas === replicas
  );
};

/** Plays the providers until all is of one version, and looks at the Machines at every step. */
const untilRolledOut = async (
  replicas: number,
  wanted: string,
  look: (machines: readonly Machine[]) => void = () => undefined,
): Promise<void> =>
  world.until(async () => {
    await given.serve();
    const machines = await workers();
    look(machines);
    return isSettled(machines, replicas, wanted);
  });

const start = async (replicas: number, spec: object = {}): Promise<void> => {
  await given.createDeployment(replicas);
  await change(spec);
  await untilRolledOut(replicas, "v1.33.4");
  await world.settle();
};

const sets = async (): Promise<readonly string[]> =>
  (await given.list(MachineSet))
    .map(({ metadata, spec }) =>
      [metadata.annotations?.[Annotation.revision], spec.template.spec.version, spec.replicas].join(" "),
    )
    .toSorted(byText);

const isAvailable = (machine: Machine): boolean =>
  machine.metadata.deletionTimestamp === undefined && isConditionTrue(machine, "Available");

const clonesMatch = async (): Promise<void> => {
  const machines = (await workers()).map(({ metadata }) => metadata.name ?? "").toSorted(byText);
  for (const kind of [providerKinds.machine.resource, providerKinds.config.resource]) {
    expect((await given.names(kind)).filter((name) => name !== "cp")).toEqual(machines);
  }
};

describe("a rollout", () => {
  it.each([
    [3, 1, 0],
    [3, 0, 1],
    [4, "50%", "25%"],
  ] as const)(
    "replaces %s Machines within maxSurge %s and maxUnavailable %s, and rests",
    async (replicas, maxSurge, maxUnavailable) => {
      await start(replicas, rolling(maxSurge, maxUnavailable));
      const [most, least] = replicas === 4 ? [6, 3] : [replicas + maxSurge, replicas - maxUnavailable];
      const seen = new Set((await workers()).map(({ metadata }) => metadata.name ?? ""));
      await change(version("v1.34.0"));
      await world.until(async () => {
        const condition = findCondition(await given.deployment(), "RollingOut");
        return condition?.status === "True" && (condition.message ?? "").includes("Version v1.33.4, v1.34.0 required");
      });
      await untilRolledOut(replicas, "v1.34.0", (machines) => {
        expect(machines.length).toBeLessThanOrEqual(most);
        expect(machines.filter(isAvailable).length).toBeGreaterThanOrEqual(least);
        for (const { metadata } of machines) seen.add(metadata.name ?? "");
      });
      await world.settle();
      expect(seen.size).toBe(2 * replicas);
      expect(await sets()).toEqual([`2 v1.34.0 ${replicas}`]);
      await clonesMatch();
      const md = await given.deployment();
      expect(md.metadata.annotations?.[Annotation.revision]).toBe("2");
      expect(rolloutHistory(md).map(({ template }) => template.version)).toEqual(["v1.33.4", "v1.34.0"]);
      expect(findCondition(md, "RollingOut")).toMatchObject({ status: "False", reason: "NotRollingOut" });
      expect(findCondition(md, "Available")).toMatchObject({ status: "True" });
      expect(md.status).toMatchObject({ phase: "Running", versions: [{ version: "v1.34.0", replicas }] });
      world.requests.length = 0;
      await world.clock.advance(2 * 60_000);
      await world.settle();
      expect(world.requests).toEqual([]);
      await world.restart();
      await world.settle();
      expect(world.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    },
  );

  it("keeps what runs while new Machines do not come up, and returns", async () => {
    await start(3);
    const before = (await workers()).map(({ metadata }) => metadata.name);
    await change(version("v1.34.0"));
    await world.until(async () => (await workers()).length === 4);
    await world.clock.advance(2 * 60_000);
    await world.settle();
    const during = await workers();
    expect(during).toHaveLength(4);
    expect(during.filter(isAvailable).map(({ metadata }) => metadata.name)).toEqual(before);
    await change(version("v1.33.4"));
    await world.until(async () => (await workers()).length === 3);
    await untilRolledOut(3, "v1.33.4");
    await world.settle();
    expect((await workers()).map(({ metadata }) => metadata.name)).toEqual(before);
    expect(await sets()).toEqual(["3 v1.33.4 3"]);
    expect((await given.deployment()).metadata.annotations?.[Annotation.revision]).toBe("3");
  });

  it("takes nothing away for a template that does not exist", async () => {
    await start(2, rolling(0, 1));
    const before = (await workers()).map(({ metadata }) => metadata.name);
    await change({ template: { spec: { infrastructureRef: { ...providerKinds.machineTemplate.ref, name: "typo" } } } });
    await world.until(async () =>
      (findCondition(await given.deployment(), "ScalingUp")?.message ?? "").includes(
        "TestMachineTemplate default/typo does not exist",
      ),
    );
    await world.settle();
    expect((await workers()).map(({ metadata }) => metadata.name)).toEqual(before);
    expect(await sets()).toEqual(["1 v1.33.4 2"]);
    const template = providerObject(providerKinds.machineTemplate, "typo", { template: { spec: {} } });
    await world.api.create(providerKinds.machineTemplate.resource, template);
    await world.until(async () => {
      await given.serve();
      return (await sets()).join() === "2 v1.33.4 2";
    });
  });

  it("brings what changes in place to old Machines as well", async () => {
    await start(2);
    await change(version("v1.34.0"));
    await world.until(async () => (await workers()).length === 3);
    await change({
      template: { metadata: { labels: { tier: "front" } }, spec: { minReadySeconds: 3 } },
      deletion: { order: "Oldest" },
    });
    await world.settle();
    const machines = await workers();
    expect(machines).toHaveLength(3);
    for (const { metadata, spec } of machines) {
      expect(metadata.labels).toMatchObject({ tier: "front" });
      expect(spec.minReadySeconds).toBe(3);
    }
    for (const { spec } of await given.list(MachineSet)) expect(spec.deletion).toEqual({ order: "Oldest" });
    expect(await sets()).toEqual(["1 v1.33.4 2", "2 v1.34.0 1"]);
  });

  it("marks what is of an older revision, Machine and Node, until it is of the present one again", async () => {
    await start(1, { rollout: { strategy: { type: "OnDelete", rollingUpdate: null } } });
    const [name = ""] = (await workers()).map(({ metadata }) => metadata.name);
    const isMarked = async (): Promise<boolean> => {
      const { spec } = await world.workload.get<Node>(Nodes, { name: `node-${name}` });
      return spec?.taints?.some(({ key: taint }) => taint === Taint.outdatedRevision.key) === true;
    };
    const upToDate = async () => findCondition(await world.api.get(Machine, key(name)), "UpToDate");
    expect(await isMarked()).toBe(false);
    await change(version("v1.34.0"));
    await world.until(isMarked);
    await world.settle();
    expect(await upToDate()).toMatchObject({ reason: "NotUpToDate", message: "* Version v1.33.4, v1.34.0 required" });
    await change(version("v1.33.4"));
    await world.until(async () => !(await isMarked()));
    await world.settle();
    expect(await upToDate()).toMatchObject({ status: "True" });
  });

  it("replaces only what is deleted, with OnDelete", async () => {
    await start(2, { rollout: { strategy: { type: "OnDelete", rollingUpdate: null } } });
    await change(version("v1.34.0"));
    await world.settle();
    expect(await sets()).toEqual(["1 v1.33.4 2", "2 v1.34.0 0"]);
    for (const { metadata, spec } of await given.list(MachineSet)) {
      const isOld = spec.template.spec.version === "v1.33.4";
      expect(metadata.annotations?.[Annotation.disableMachineCreate]).toBe(String(isOld));
    }
    for (const expected of [["1 v1.33.4 1", "2 v1.34.0 1"], ["2 v1.34.0 2"]]) {
      const victim = (await workers()).find(({ spec }) => spec.version === "v1.33.4");
      await world.api.delete(Machine, key(victim?.metadata.name ?? ""));
      await world.until(async () => {
        await given.serve();
        return JSON.stringify(await sets()) === JSON.stringify(expected);
      });
    }
    await untilRolledOut(2, "v1.34.0");
  });

  it("waits while the deployment is paused, which may still grow", async () => {
    await start(2);
    await change({ paused: true, ...version("v1.34.0") });
    await world.settle();
    expect(await sets()).toEqual(["1 v1.33.4 2"]);
    await change({ replicas: 4 });
    await world.until(async () => {
      await given.serve();
      return (await given.deployment()).status?.availableReplicas === 4;
    });
    expect(await sets()).toEqual(["1 v1.33.4 4"]);
    await world.settle();
    world.requests.length = 0;
    await set(world, MachineDeployment, await given.deployment(), { metadata: { labels: { look: "again" } } });
    await world.settle();
    expect(world.requests).toEqual([]);
    await change({ paused: null });
    await untilRolledOut(4, "v1.34.0");
  });

  it("begins at the time of rollout.after", async () => {
    await start(1);
    const [before] = await workers();
    const after = rfc3339(world.clock.now() + 90_000);
    await change({ rollout: { after } });
    await world.settle();
    world.requests.length = 0;
    await world.clock.advance(60_000);
    expect(world.requests).toEqual([]);
    await world.until(async () => {
      await given.serve();
      const [machine, ...others] = await workers();
      return others.length === 0 && machine !== undefined && machine.metadata.name !== before?.metadata.name;
    });
    expect(world.clock.now()).toBeGreaterThanOrEqual(Date.parse(after));
    await world.until(async () => (await sets()).join() === "2 v1.33.4 1");
  });

  it("turns to a third template midway", async () => {
    await start(3, rolling(1, 1));
    await change(version("v1.34.0"));
    await world.until(async () => (await workers()).some(({ spec }) => spec.version === "v1.34.0"));
    await change(version("v1.35.0"));
    await untilRolledOut(3, "v1.35.0", (machines) => {
      expect(machines.length).toBeLessThanOrEqual(4);
    });
    await world.until(async () => (await sets()).length === 1);
    await clonesMatch();
  });

  it("takes back sets and Machines that lost their owners, and makes no others", async () => {
    await start(2);
    const before = [await given.names(MachineSet), await given.names(Machine)];
    const stripped = { metadata: { ownerReferences: null } };
    for (const object of await given.list(MachineSet)) await set(world, MachineSet, object, stripped);
    for (const object of await workers()) await set(world, Machine, object, stripped);
    const owners = async (): Promise<string> =>
      [...(await given.list(MachineSet)), ...(await workers())]
        .map(({ metadata }) => metadata.ownerReferences?.map(({ kind, controller }) => `${kind} ${controller}`).join())
        .join();
    await world.until(async () => (await owners()) === "MachineDeployment true,MachineSet true,MachineSet true");
    const reasons = async (): Promise<readonly string[]> =>
      (await given.list(Events))
        .filter((event) => event["reason"] === "SuccessfulAdopt")
        .map((event) => (event["involvedObject"] as { readonly kind: string }).kind);
    await world.until(async () => [...new Set(await reasons())].sort(byText).join() === "MachineDeployment,MachineSet");
    await world.settle();
    expect([await given.names(MachineSet), await given.names(Machine)]).toEqual(before);
  });

  it("brings the owners of sets and Machines to the present API version", async () => {
    await start(1);
    const objects = async () => [...(await given.list(MachineSet)), ...(await workers())];
    for (const object of await objects()) {
      const ownerReferences = object.metadata.ownerReferences?.map((owner) => ({
        ...owner,
        apiVersion: "cluster.x-k8s.io/v1beta1",
      }));
      const kind: Resource = object.kind === MachineSet.kind ? MachineSet : Machine;
      await set(world, kind, object, { metadata: { ownerReferences } });
    }
    const owners = async (): Promise<string> =>
      (await objects())
        .map(({ metadata }) => metadata.ownerReferences?.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join())
        .join();
    const present = "cluster.x-k8s.io/v1beta2";
    await world.until(async () => (await owners()) === `${present} MachineDeployment,${present} MachineSet`);
  });

  it("follows the scale subresource", async () => {
    await start(1);
    const body = { spec: { replicas: 3 } };
    await world.api.patch(MachineDeployment, key("md"), { type: "merge", body }, { subresource: "scale" });
    await untilRolledOut(3, "v1.33.4");
    expect((await given.deployment()).status?.selector).toContain(`${Label.deploymentName}=md`);
  });
});

describe("a rollout that is disturbed", () => {
  it.each([1, 2])("never has too many Machines, and ends, whatever is refused or lost (%s)", async (seed) => {
    await start(3);
    disturbAtRandom(world, seed);
    await change(version("v1.34.0"));
    await untilRolledOut(3, "v1.34.0", (machines) => {
      expect(machines.length).toBeLessThanOrEqual(4);
    });
    mend(world);
    await world.until(async () => (await sets()).join() === "2 v1.34.0 3");
    await world.settle();
    await clonesMatch();
  });
});
