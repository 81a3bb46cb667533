import { own } from "@capstan/schema";
import { text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json } from "../state.ts";
import type { World } from "../world.ts";
import { startExtension, vmOf } from "./extension-runner.ts";
import { type Extension, extensionType, extensionView, isExtension } from "./extension-status.ts";
import { memberExtensionEnded } from "./scale-sets/members.ts";
import { extensionProperties } from "./vm-shapes.ts";
import { isWindows } from "../vm.ts";

/** Extensions of which it is known for which system they are. */
const systems: Readonly<Record<string, "Linux" | "Windows">> = {
  "capz.linux.bootstrapping": "Linux",
  "capz.windows.bootstrapping": "Windows",
  customscript: "Linux",
  customscriptextension: "Windows",
};

const check = ({ resource, before }: Change<Extension>, world: World): void => {
  const vm = vmOf(resource.id, world);
  const { publisher, type, typeHandlerVersion } = resource.properties;
  if (vm === undefined) return;
  if (typeHandlerVersion === undefined || !/^\d+\.\d+(?:\.\d+){0,2}$/.test(typeHandlerVersion)) {
    throw refusal(
      400,
      "InvalidParameter",
      `The value of parameter typeHandlerVersion is invalid.`,
      "typeHandlerVersion",
    );
  }
  if (vm.state !== "Succeeded" && vm.state !== "Failed") {
    throw refusal(
      409,
      "Conflict",
      `The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.`,
    );
  }
  if (vm.properties.osProfile?.allowExtensionOperations === false) {
    throw refusal(
      409,
      "OperationNotAllowed",
      "This operation cannot be performed when extension operations are disallowed. To allow, please ensure VM Agent is installed on the VM and the osProfile.allowExtensionOperations property is true.",
    );
  }
  if (vm.machine?.power !== "running") {
    throw refusal(409, "OperationNotAllowed", "Cannot modify extensions in the VM when the VM is not running.");
  }
  const system = own(systems, type.toLowerCase());
  const os = isWindows(vm.properties) ? "Windows" : "Linux";
  if (system !== undefined && system !== os) {
    throw refusal(
      400,
      "VMExtensionHandlerNonTransientError",
      `The handler for VM extension type '${publisher}.${type}' is for ${system}, but virtual machine '${vm.name}' runs ${os}.`,
    );
  }
  if (before !== undefined && !same(before.properties.type, type)) {
    throw refusal(409, "PropertyChangeNotAllowed", "Changing property 'type' is not allowed.", "type");
  }
  const other = world.state.resources.find(
    (each) =>
      isExtension(each) &&
      each.id !== resource.id &&
      same(vmOf(each.id, world)?.id ?? "", vm.id) &&
      same((each.properties as unknown as Extension).type, type) &&
      same((each.properties as unknown as Extension).publisher, publisher),
  );
  if (other === undefined) return;
  throw refusal(
    400,
    "BadRequest",
    `Multiple VMExtensions per handler not supported for OS type '${os}'. VMExtension '${other.name}' with handler '${publisher}.${type}' already added or specified in input.`,
  );
};

/** Moves the protected settings to the secrets of the resource. A change without protected settings keeps the stored ones. */
const hideSecrets = ({ resource, before }: Change<Extension>): void => {
  const { protectedSettings, ...properties } = resource.properties as Extension & { readonly protectedSettings?: Json };
  resource.properties = properties;
  resource.secrets = protectedSettings ?? before?.secrets ?? {};
};

/** Extensions of machines. They run the command that their settings name, inside of the machine. */
export const vmExtensions: ResourceKind<Extension> = {
  type: extensionType,
  form: "compute",
  put: { created: 201, updated: 200, state: "Creating", asyncOperation: true },
  delete: { status: 202, asyncOperation: true, location: true },
  isPatched: true,
  query: { get: { $expand: text({ enum: ["instanceView"] }) } },
  properties: extensionProperties({ instanceView: readOnly }),
  durationMs: () => undefined,
  prepare: (change, world) => {
    check(change, world);
    hideSecrets(change);
  },
  written: ({ resource }, _operation, world) => startExtension(resource.id, world),
  // What it ended with is in the instance view only.
  derived: () => ({ ended: undefined }),
  expanded: (resource, { $expand: expand }) =>
    expand === "instanceView" ? { instanceView: extensionView(resource) } : {},
  finished: ({ id }, error, world) => {
    const vm = vmOf(id, world);
    if (vm === undefined) return;
    // A machine is what became of its last extension.
    if (vm.state !== "Deleting" && vm.state !== "Creating") {
      vm.state = error === undefined ? "Succeeded" : "Failed";
    }
    memberExtensionEnded(vm, world);
  },
};
