import { userDataRoutes } from "@capstan/kit/delivery";
import type { MachineFacts } from "@capstan/kit/machine";
import type { AzureProviderOptions } from "../options.ts";
import type { MachineCreateContext } from "./machine-plan.ts";
import { machinePlan, partTags } from "./machine-plan.ts";
import { givenSshKey, unknownSshKey } from "./ssh-key.ts";
import { azureStack } from "../cloud/azure-environments.ts";
import { skuOf } from "../cloud/skus.ts";
import { vmBody } from "./vm-body.ts";

/** Azure takes 65,535 bytes of custom data, which are 87,380 characters of base64; this is too much. */
export const customDataLimitBytes = 65_536;
const passwordLength = 123;

/** A password of all kinds of characters that Windows wants, and that no one learns. */
export const passwordOf = (bytes: Uint8Array): string =>
  `aA1-${Buffer.from(bytes).toString("base64url")}`.slice(0, passwordLength);

/** Makes the virtual machine of an object; everything that it needs is there. */
export const createMachine = async (
  context: MachineCreateContext,
  { gzip = false }: AzureProviderOptions,
): Promise<MachineFacts | void> => {
  const { api, bootstrap, call, object, operations, random, version } = context;
  const plan = machinePlan(context);
  const { name, place, spec, vm, zone } = plan;
  const { location } = place.spec;
  const sku = skuOf(await api.skus(location, call), spec.vmSize);
  const isWindows = spec.osDisk.osType.toLowerCase() === "windows";
  const key = spec.sshPublicKey ?? "";
  const sshKey = isWindows ? "" : key === "" ? await unknownSshKey() : givenSshKey(key);
  const { base64: customData } = await bootstrap.deliver(userDataRoutes({ limitBytes: customDataLimitBytes, gzip }));
  const body = vmBody(spec, {
    name,
    location,
    isStack: place.spec.azureEnvironment === azureStack,
    extendedLocation: place.spec.extendedLocation,
    tags: partTags(plan, name),
    zone,
    sku: sku ?? { capabilities: {} },
    customData,
    networkInterfaces: plan.interfaces.map(({ ref }) => ref.id),
    availabilitySet: plan.availabilitySet?.ref.id,
    image: { version, windowsServerVersion: object.metadata.annotations?.["windowsServerVersion"] },
    sshKey,
    adminPassword: passwordOf(random.bytes(100)),
  });
  await operations.start("create virtual machine", () => api.put(vm, body, call));
};
