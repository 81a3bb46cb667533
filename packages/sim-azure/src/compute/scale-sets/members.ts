import type { OperationError, StoredResource } from "../../state.ts";
import { preempted } from "../../operations/operations.ts";
import type { World } from "../../world.ts";
import { startExtension } from "../extension-runner.ts";
import type { Vm } from "../../vm.ts";
import { type ExtensionModel, instanceType, setCapacity, setOf, skuOfSet } from "./scale-set.ts";
import { settleOperations } from "./settle.ts";

const extensionsOf = ({ id }: StoredResource<Vm>, { state }: World): readonly StoredResource[] =>
  state.resources.filter((each) => each.id.startsWith(`${id}/extensions/`));

const makeExtension = (machine: StoredResource<Vm>, model: ExtensionModel, secrets: unknown, world: World): void => {
  const { provisionAfterExtensions: _, ...properties } = model.properties;
  const extension = {
    id: `${machine.id}/extensions/${model.name}`,
    type: `${machine.type}/extensions`,
    name: model.name,
    group: machine.group,
    location: machine.location,
    guid: world.newUuid(),
    created: world.clock.now(),
    tags: undefined,
    revision: 1,
    state: "Creating",
    outer: {},
    properties,
    secrets: secrets ?? {},
  } as unknown as StoredResource;
  world.state.resources.push(extension);
  const { id, location, group } = extension;
  world.operations.begin({
    target: id,
    verb: "PUT",
    form: "compute",
    location,
    group,
    ms: undefined,
    fault: undefined,
  });
  startExtension(id, world);
};

/** Begins the extensions of the model whose turn it is; a machine without any more of them is what became of them. */
const goOn = (machine: StoredResource<Vm>, world: World): void => {
  const set = setOf(machine, world);
  const models = set?.properties.virtualMachineProfile?.extensionProfile?.extensions ?? [];
  const there = new Map(extensionsOf(machine, world).map((each) => [each.name, each]));
  const secrets = (set?.secrets?.["extensions"] ?? {}) as Readonly<Record<string, unknown>>;
  const ready = models.filter(
    ({ name, properties: { provisionAfterExtensions: after = [] } }) =>
      !there.has(name) && after.every((each) => there.get(each)?.state === "Succeeded"),
  );
  for (const model of ready) makeExtension(machine, model, secrets[model.name], world);
  if (ready.length > 0 || [...there.values()].some(({ state }) => state === "Creating" || state === "Updating")) return;
  machine.state = [...there.values()].some(({ state }) => state === "Failed") ? "Failed" : "Succeeded";
  machine.revision += 1;
};

const wasMade = (machine: StoredResource<Vm>): boolean =>
  machine.type === instanceType || "model" in machine.properties;

/** A machine has been made, or has not: those of scale sets get the extensions of the model. */
export const memberEnded = (machine: StoredResource<Vm>, error: OperationError | undefined, world: World): void => {
  const set = setOf(machine, world);
  if (set === undefined) return;
  if (error === undefined && wasMade(machine) && machine.machine?.power === "running") {
    machine.state = "Creating";
    goOn(machine, world);
  }
  if (error?.code !== preempted.code) settleOperations(world);
};

/** An extension is over: the next ones begin, or the machine has been made. */
export const memberExtensionEnded = (machine: StoredResource<Vm>, world: World): void => {
  if (setOf(machine, world) === undefined) return;
  if (machine.state === "Creating" && world.operations.running(machine.id) === undefined) goOn(machine, world);
  settleOperations(world);
};

/** A machine that no one replaces leaves its scale set, or one that was made alone joins it. */
export const memberMoves = (machine: StoredResource<Vm>, by: 1 | -1, world: World): void => {
  const set = setOf(machine, world);
  if (set !== undefined) setCapacity(set, (skuOfSet(set)?.capacity ?? 0) + by);
};

/** A machine is gone: who waited for that continues. */
export const memberGone = (_machine: StoredResource<Vm>, world: World): void => settleOperations(world);
