import { refusal } from "../arm/refusals.ts";
import { parseId, same } from "../resource-id.ts";
import { checkZones } from "../network/network-kind.ts";
import { machineOf, reservation } from "../network/network-interfaces.ts";
import { resourceById } from "../resources/find.ts";
import { locationOf } from "../resources/locations.ts";
import type { Change } from "../resources/resource-kind.ts";
import { invalidReference } from "../arm/refusals.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkImage } from "./images.ts";
import { isMachine, isWindows, type Vm } from "../vm.ts";
import { closedZones, isRestricted, vmSize } from "./vm-sizes.ts";

/** Bytes of custom data, and characters of base64 that they become. */
const customDataBytes = 65_535;
const customDataCharacters = 87_380;

const invalid = (message: string, target: string) => refusal(400, "InvalidParameter", message, target);

const checkProfile = ({ resource, before }: Change<Vm>): void => {
  const { osProfile } = resource.properties;
  if (osProfile === undefined) {
    if (before === undefined) throw invalid("Required parameter 'osProfile' is missing (null).", "osProfile");
    return;
  }
  const { computerName = "", adminUsername, adminPassword, customData, linuxConfiguration } = osProfile;
  const longest = isWindows(resource.properties) ? 15 : 64;
  if (
    computerName.length > longest ||
    !/^[A-Za-z0-9][-A-Za-z0-9.]*$/.test(computerName) ||
    /^\d+$/.test(computerName)
  ) {
    throw invalid(
      `The supplied computer name '${computerName}' is not valid: at most ${longest} letters, digits and hyphens, not only digits.`,
      "computerName",
    );
  }
  if (["admin", "administrator", "root", "guest", "test", ""].includes((adminUsername ?? "").toLowerCase())) {
    throw invalid(`The Admin Username specified is not allowed.`, "adminUsername");
  }
  if (customData !== undefined) checkCustomData(customData);
  const keys = linuxConfiguration?.ssh?.publicKeys ?? [];
  const badKey = keys.find(
    ({ path, keyData = "" }) =>
      path !== `/home/${adminUsername ?? ""}/.ssh/authorized_keys` ||
      !/^(?:ssh-(?:rsa|ed25519)) [A-Za-z0-9+/=]+/.test(keyData),
  );
  if (badKey !== undefined) {
    throw invalid(
      `The value of parameter linuxConfiguration.ssh.publicKeys.keyData or its path is invalid: ${badKey.path ?? ""}.`,
      "linuxConfiguration.ssh.publicKeys.keyData",
    );
  }
  const withPassword = isWindows(resource.properties) || linuxConfiguration?.disablePasswordAuthentication !== true;
  if (withPassword) checkPassword(adminPassword, isWindows(resource.properties) ? 123 : 72);
  else if (keys.length === 0) {
    throw invalid(
      "Authentication using either SSH or by user name and password must be enabled in Linux profile.",
      "linuxConfiguration",
    );
  }
};

const checkCustomData = (text: string): void => {
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  if (!isBase64) throw invalid("Custom data in OSProfile must be in Base64 encoding.", "customData");
  if (text.length > customDataCharacters || Buffer.from(text, "base64").length > customDataBytes) {
    throw invalid(
      `Custom data in OSProfile must be in Base64 encoding and with a maximum length of ${customDataCharacters} characters.`,
      "customData",
    );
  }
};

const checkPassword = (password: string | undefined, longest: number): void => {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password ?? "")).length;
  if (password !== undefined && password.length >= 8 && password.length <= longest && kinds >= 3) return;
  throw invalid(
    `The supplied password must be between 8-${longest} characters long and must satisfy at least 3 of password complexity requirements.`,
    "adminPassword",
  );
};

const notAvailable = (size: string, where: string) =>
  refusal(
    409,
    "SkuNotAvailable",
    `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${size}' is currently not available in location '${where}'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
  );

const checkSize = ({ resource }: Change<Vm>): void => {
  const { vmSize: name } = resource.properties.hardwareProfile;
  const size = vmSize(name);
  if (size === undefined) {
    throw invalid(
      `The value ${name} provided for the VM size is not valid. The valid sizes in the current region are those that the list of SKUs has.`,
      "vmSize",
    );
  }
  const { zones: known } = locationOf(resource.location);
  const zones = (resource.outer["zones"] ?? []) as readonly string[];
  checkZones(zones, resource.location);
  if (isRestricted(size)) throw notAvailable(name, resource.location);
  const closed = zones.find((zone) => closedZones(size, known).includes(zone));
  if (closed !== undefined) throw notAvailable(name, `${resource.location} zone ${closed}`);
};

/** Cores of a region that are in use, of a family or of all. */
export const coresUsed = (location: string, family: string | undefined, { state }: Pick<World, "state">): number =>
  state.resources
    .filter((resource) => isMachine(resource) && resource.location === location)
    .map((resource) => vmSize((resource.properties as unknown as Vm).hardwareProfile.vmSize))
    .filter((size) => family === undefined || size?.family === family)
    .reduce((sum, size) => sum + (size?.vcpus ?? 0), 0);

/** Refuses machines of a size for which there are not enough cores. */
export const checkQuota = (
  name: string,
  count: number,
  { location }: Pick<StoredResource, "location">,
  world: World,
): void => {
  const { family = "", vcpus = 0 } = vmSize(name) ?? {};
  checkCores(family, vcpus * count, location, world);
};

const checkCores = (family: string, wanted: number, location: string, world: World): void => {
  if (wanted === 0) return;
  for (const [name, used] of [
    ["cores", coresUsed(location, undefined, world)],
    [family, coresUsed(location, family, world)],
  ] as const) {
    const limit = world.quotas[name] ?? world.quotas["cores"] ?? Number.POSITIVE_INFINITY;
    if (used + wanted <= limit) continue;
    const message = `Operation could not be completed as it results in exceeding approved ${name === "cores" ? "Total Regional Cores" : `${name} Cores`} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${used}, Additional Required: ${wanted}, (Minimum) New Limit Required: ${used + wanted}.`;
    throw refusal(409, "OperationNotAllowed", message);
  }
};

const checkCards = ({ resource }: Change<Vm>, world: World): void => {
  const { networkInterfaces = [] } = resource.properties.networkProfile;
  if (networkInterfaces.length === 0) {
    throw invalid("Virtual Machine must have at least one network interface.", "networkProfile.networkInterfaces");
  }
  const primaries = networkInterfaces.filter(({ properties }) => properties?.primary === true).length;
  if (networkInterfaces.length > 1 && primaries !== 1) {
    throw refusal(
      400,
      "VirtualMachineMustHaveOnePrimaryNetworkInterface",
      `Virtual machine ${resource.id} must have one network interface set as the primary, not ${primaries}.`,
    );
  }
  for (const { id } of networkInterfaces) {
    const card = resourceById(id, world);
    if (card === undefined) throw invalidReference(id, resource.id);
    const user = machineOf(card, world);
    if (user !== undefined && !same(user.id, resource.id)) {
      throw refusal(400, "NicInUse", `Network Interface ${id} is used by existing resource ${user.id}.`);
    }
    const reserved = reservation(card, resource.id, world);
    if (reserved !== undefined) throw reserved;
  }
};

const checkDisks = ({ resource }: Change<Vm>): void => {
  const { osDisk, dataDisks = [] } = resource.properties.storageProfile;
  if (osDisk.diffDiskSettings !== undefined && osDisk.caching !== "ReadOnly") {
    throw invalid("OS disk caching must be ReadOnly when diff disk settings are specified.", "osDisk.caching");
  }
  const twice = dataDisks.find(({ lun }, index) => dataDisks.findIndex((disk) => disk.lun === lun) < index);
  if (twice !== undefined) throw invalid(`A disk at LUN ${twice.lun ?? ""} already exists.`, "dataDisks.lun");
  const ultra = dataDisks.some(({ managedDisk }) => managedDisk?.storageAccountType === "UltraSSD_LRS");
  if (ultra && resource.properties.additionalCapabilities?.ultraSSDEnabled !== true) {
    throw invalid(
      "StorageAccountType UltraSSD_LRS can be used only when additionalCapabilities.ultraSSDEnabled is set.",
      "managedDisk.storageAccountType",
    );
  }
};

const checkPlacement = ({ resource }: Change<Vm>): void => {
  const { availabilitySet, priority = "Regular", evictionPolicy } = resource.properties;
  const zones = (resource.outer["zones"] ?? []) as readonly string[];
  if (availabilitySet !== undefined && zones.length > 0) {
    throw invalid(
      "A Virtual Machine cannot be created in an availability zone and an availability set.",
      "availabilitySet",
    );
  }
  if (availabilitySet !== undefined && priority !== "Regular") {
    throw invalid("Spot virtual machines cannot be in an availability set.", "availabilitySet");
  }
  if (evictionPolicy !== undefined && priority === "Regular") {
    throw invalid("Eviction policy can be set only on Azure Spot Virtual Machines.", "evictionPolicy");
  }
};

const checkIdentities = ({ resource }: Change<Vm>, world: World): void => {
  const { type = "None", userAssignedIdentities = {} } = (resource.outer["identity"] ?? {}) as {
    readonly type?: string;
    readonly userAssignedIdentities?: Readonly<Record<string, unknown>>;
  };
  const ids = Object.keys(userAssignedIdentities);
  if (type.includes("UserAssigned") !== ids.length > 0) {
    throw refusal(
      400,
      "InvalidIdentityValues",
      "Invalid value for the identities: userAssignedIdentities go with the type UserAssigned, and only with it.",
      "identity",
    );
  }
  const missing = ids.find((id) => parseId(id) === undefined || resourceById(id, world) === undefined);
  if (missing !== undefined) {
    throw refusal(
      400,
      "FailedIdentityOperation",
      `Identity operation for resource '${resource.id}' failed with error 'Failed to perform resource identity operation. Status: BadRequest. Response: the resource ${missing} was not found'.`,
    );
  }
};

/** Refuses changes of properties that are immutable on an existing machine. */
const checkFixed = ({ resource, before }: Change<Vm>): void => {
  if (before === undefined) return;
  const fixed = (vm: Vm) => [
    ["imageReference", JSON.stringify(vm.storageProfile.imageReference)],
    ["osDisk.name", vm.storageProfile.osDisk.name],
    ["osProfile.computerName", vm.osProfile?.computerName],
    ["osProfile.adminUsername", vm.osProfile?.adminUsername],
    ["availabilitySet", vm.availabilitySet?.id.toLowerCase()],
  ];
  const now = fixed(before.properties);
  for (const [index, [name, value]] of fixed(resource.properties).entries()) {
    if (value === undefined || value === now[index]?.[1]) continue;
    throw refusal(409, "PropertyChangeNotAllowed", `Changing property '${name ?? ""}' is not allowed.`, name);
  }
  if (resource.properties.osProfile?.customData !== undefined) {
    throw refusal(
      409,
      "PropertyChangeNotAllowed",
      "Changing property 'osProfile.customData' is not allowed.",
      "osProfile.customData",
    );
  }
};

/** Checks the model of new machines, created singly or by a scale set. An existing scale set passes its stored `secrets`. */
export const checkModel = (change: Change<Vm>, secrets: Json | undefined, world: World): void => {
  const { resource } = change;
  checkSize(change);
  checkImage(resource.properties.storageProfile.imageReference, resource.outer["plan"], world);
  checkProfile(secrets === undefined ? change : withSecrets(change, secrets));
  checkDisks(change);
  checkPlacement(change);
  checkIdentities(change, world);
};

const withSecrets = ({ resource, ...change }: Change<Vm>, { adminPassword }: Json): Change<Vm> => {
  const { osProfile } = resource.properties;
  if (osProfile === undefined || typeof adminPassword !== "string") return { resource, ...change };
  return {
    ...change,
    resource: { ...resource, properties: { ...resource.properties, osProfile: { adminPassword, ...osProfile } } },
  };
};

/** Everything that a machine is refused for before anything is begun. */
export const checkVm = (change: Change<Vm>, world: World): void => {
  const { resource, before } = change;
  checkFixed(change);
  checkSize(change);
  if (((resource.outer["zones"] ?? []) as readonly string[]).length > 1) {
    throw invalid("A virtual machine can be in one zone only.", "zones");
  }
  if (before === undefined) {
    checkQuota(resource.properties.hardwareProfile.vmSize, 1, resource, world);
    checkImage(resource.properties.storageProfile.imageReference, resource.outer["plan"], world);
  }
  checkProfile(before?.secrets === undefined ? change : withSecrets(change, before.secrets));
  checkCards(change, world);
  checkDisks(change);
  checkPlacement(change);
  checkIdentities(change, world);
};
