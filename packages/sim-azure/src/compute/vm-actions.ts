import { type OperationFault, integer, list, object, type Reply, type Route, text } from "@capstan/simulation";
import { refusal, resourceNotFound } from "../arm/refusals.ts";
import { resourceId } from "../resource-id.ts";
import { begun } from "../operations/answers.ts";
import { findGroup, resourceById } from "../resources/find.ts";
import { groupPath, route } from "../route.ts";
import type { StoredOperation, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { runInside } from "./agent.ts";
import { bootLogUrls } from "./boot-log.ts";
import { resultMessage } from "./extension-status.ts";
import { instanceView } from "./instance-view.ts";
import { isWindows, type Vm, vmType } from "../vm.ts";

const path = `${groupPath}/providers/Microsoft.Compute/virtualMachines/:name` as const;

/** Path parameters that name a machine in a request. */
export interface MachineParams {
  readonly group: string;
  /** The scale set of an instance. */
  readonly parent: string;
  readonly name: string;
}

type FindMachine = (params: MachineParams, world: World) => StoredResource<Vm>;

const vmOf: FindMachine = ({ group, name }, world) => {
  const found = findGroup(group, world);
  const vm = resourceById(resourceId(world.subscriptionId, found.name, vmType, [name]), world);
  if (vm === undefined) throw resourceNotFound(vmType, name, found.name);
  return vm as unknown as StoredResource<Vm>;
};

const begin = (
  vm: StoredResource<Vm>,
  fault: OperationFault | undefined,
  ms: number | undefined,
  world: World,
): StoredOperation =>
  world.operations.begin({
    target: vm.id,
    verb: "POST",
    form: "compute",
    location: vm.location,
    group: vm.group,
    ms,
    expectedMs: world.delays.networkMs,
    fault,
  });

/** The answer to what is done with a machine. */
export const announced = (operation: StoredOperation, world: World): Reply =>
  begun(202, undefined, operation, { asyncOperation: true, location: true }, world);

const runCommand = (
  vm: StoredResource<Vm>,
  { commandId, script = [] }: { readonly commandId: string; readonly script?: readonly string[] },
  fault: OperationFault | undefined,
  world: World,
): Reply => {
  const wanted = isWindows(vm.properties) ? "RunPowerShellScript" : "RunShellScript";
  if (commandId !== wanted) {
    const os = wanted === "RunShellScript" ? "Linux" : "Windows";
    throw refusal(
      400,
      "BadRequest",
      `The command '${commandId}' is not for machines with the OS type '${os}': ${wanted} is.`,
      "commandId",
    );
  }
  if (vm.machine?.power !== "running") {
    throw refusal(409, "OperationNotAllowed", "The operation requires the VM to be running (or set to run).");
  }
  const operation = begin(vm, fault, undefined, world);
  const run = async (): Promise<void> => {
    const result = await runInside(vm, script.join("\n"), world);
    if (result === undefined) return;
    operation.result = {
      value: [
        {
          code: `ProvisioningState/${result.exitCode === 0 ? "succeeded" : "failed"}`,
          level: result.exitCode === 0 ? "Info" : "Error",
          displayStatus: result.exitCode === 0 ? "Provisioning succeeded" : "Provisioning failed",
          message: resultMessage(result),
        },
      ],
    };
    world.operations.complete(operation.id);
    await world.save();
  };
  run().catch((error: unknown) => {
    if (!world.stopped.aborted) world.log.error("a command cannot be run", { vm: vm.id, error: String(error) });
  });
  return announced(operation, world);
};

/** Turning machines on and off, as their owners do and as Azure does with those that are evicted. */
export const powers = {
  start: (vm: StoredResource, { power }: World) => {
    if (vm.machine !== undefined) vm.machine.deallocated = false;
    if (vm.machine?.power === "off") power.boot(vm);
  },
  restart: (vm: StoredResource, { power }: World) => power.restart(vm),
  powerOff: (vm: StoredResource, { power }: World) => {
    if (vm.machine?.power === "running") power.shutdown(vm);
  },
  deallocate: (vm: StoredResource, { power }: World) => {
    if (vm.machine !== undefined) vm.machine.deallocated = true;
    if (vm.machine?.power === "running") power.shutdown(vm);
  },
} as const;

/** Returns the routes below a path of machines other than creation and deletion: views and actions. */
export const machineActions = (at: string, find: FindMachine, view = instanceView): readonly Route<World>[] => {
  const path = at as "/:group/:parent/:name";
  return [
    route({
      method: "GET",
      path: `${path}/instanceView`,
      handle: ({ params }, world) => view(find(params, world), world),
    }),
    route({
      method: "POST",
      path: `${path}/retrieveBootDiagnosticsData`,
      query: { sasUriExpirationTimeInMinutes: { ...integer, min: 1, max: 1440 } },
      handle: ({ params, query: { sasUriExpirationTimeInMinutes: minutes = 120 } }, world) => {
        const vm = find(params, world);
        if (vm.properties.diagnosticsProfile?.bootDiagnostics?.enabled !== true) {
          throw refusal(409, "OperationNotAllowed", `Boot diagnostics is not enabled on virtual machine '${vm.name}'.`);
        }
        return bootLogUrls(vm, minutes, world);
      },
    }),
    route({
      method: "POST",
      path: `${path}/runCommand`,
      body: object(
        {
          commandId: text({ enum: ["RunShellScript", "RunPowerShellScript"] }),
          script: list(text()),
          parameters: list(object({ name: text(), value: text() })),
        },
        ["commandId"],
      ),
      handle: ({ params, body, fault }, world) => runCommand(find(params, world), body, fault, world),
    }),
    ...(Object.keys(powers) as (keyof typeof powers)[]).map((action) =>
      route({
        method: "POST",
        path: `${path}/${action}` as typeof path,
        query: { skipShutdown: text(), hibernate: text() },
        handle: ({ params, fault }, world) => {
          const vm = find(params, world);
          powers[action](vm as unknown as StoredResource, world);
          return announced(begin(vm, fault, world.delays.networkMs, world), world);
        },
      }),
    ),
  ];
};

/** Routes of a virtual machine other than creation and deletion. */
export const vmActionRoutes: readonly Route<World>[] = machineActions(path, vmOf);
