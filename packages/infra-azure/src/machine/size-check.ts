import type { VirtualMachineSku } from "../cloud/skus.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";
import { hasUltraDisk } from "./machine-defaults.ts";
import { stackProblem } from "./stack-problem.ts";

const leastProcessors = 2;
const leastMemoryGiB = 2;

/** Facts about a machine that its size is checked against. */
interface Wanted {
  /** `spec.azureEnvironment` of the cluster. */
  readonly environment: string;
  readonly location: string;
  readonly zone: string | undefined;
  readonly spec: DefaultedMachine;
}

/** Returns whether a size says of itself that it can do something. */
export const isCapable = ({ capabilities }: Pick<VirtualMachineSku, "capabilities">, name: string): boolean =>
  capabilities[name]?.toLowerCase() === "true";

/** A field that the size cannot serve. */
const unfit = (sku: VirtualMachineSku, { location, spec, zone }: Wanted): string | undefined => {
  const { additionalCapabilities, networkInterfaces, osDisk, securityProfile: security } = spec;
  const accelerated = networkInterfaces.findIndex(({ acceleratedNetworking }) => acceleratedNetworking === true);
  if (osDisk.diffDiskSettings !== undefined && !isCapable(sku, "EphemeralOSDiskSupported")) {
    return "spec.osDisk.diffDiskSettings: no ephemeral disks";
  }
  if (security?.encryptionAtHost === true && !isCapable(sku, "EncryptionAtHostSupported")) {
    return "spec.securityProfile.encryptionAtHost: no encryption at host";
  }
  if (security?.securityType === "ConfidentialVM" && (sku.capabilities["ConfidentialComputingType"] ?? "") === "") {
    return "spec.securityProfile.securityType: no confidential machines";
  }
  if (security?.securityType === "TrustedLaunch" && isCapable(sku, "TrustedLaunchDisabled")) {
    return "spec.securityProfile.securityType: no trusted launch";
  }
  if (accelerated >= 0 && !isCapable(sku, "AcceleratedNetworkingEnabled")) {
    return `spec.networkInterfaces[${accelerated}].acceleratedNetworking: no accelerated networking`;
  }
  const isUltra = (additionalCapabilities?.ultraSSDEnabled ?? hasUltraDisk(spec)) && sku.zones.length > 0;
  if (isUltra && zone !== undefined && !sku.ultraZones.includes(zone)) {
    return `spec.dataDisks: no ultra disks in zone ${zone} of ${location}`;
  }
  return undefined;
};

/** Why machines of a size cannot be made; `undefined`: they can. */
export const sizeProblem = (sku: VirtualMachineSku | undefined, wanted: Wanted): string | undefined => {
  const { environment, location, spec } = wanted;
  const { vmSize: size } = spec;
  if (sku === undefined) return `spec.vmSize ${size} does not exist in ${location}; choose another one`;
  if (sku.isRestricted) {
    return `spec.vmSize ${size} is not available to this subscription in ${location}; choose another one`;
  }
  const { MemoryGB = "0", vCPUs = "0" } = sku.capabilities;
  if (Number(vCPUs) < leastProcessors || Number(MemoryGB) < leastMemoryGiB) {
    return `spec.vmSize ${size} has ${vCPUs} processors and ${MemoryGB} GiB; Kubernetes needs ${leastProcessors} and ${leastMemoryGiB} GiB`;
  }
  const ofStack = stackProblem(environment, spec);
  if (ofStack !== undefined) return ofStack;
  const problem = unfit(sku, wanted);
  return problem === undefined
    ? undefined
    : `spec.vmSize ${size} does not support ${problem}; choose another size, or remove the field`;
};
