import type { VirtualMachineSku } from "../cloud/skus.ts";

const leastProcessors = 2;
const leastMemoryGiB = 2;

/** Why machines of a size cannot be made; `undefined`: they can. */
export const sizeProblem = (
  sku: VirtualMachineSku | undefined,
  { location, size }: { readonly location: string; readonly size: string },
): string | undefined => {
  if (sku === undefined) return `spec.vmSize ${size} does not exist in ${location}; choose another one`;
  if (sku.isRestricted) {
    return `spec.vmSize ${size} may not be used in ${location} by this subscription; choose another one`;
  }
  const { MemoryGB = "0", vCPUs = "0" } = sku.capabilities;
  if (Number(vCPUs) < leastProcessors || Number(MemoryGB) < leastMemoryGiB) {
    return `spec.vmSize ${size} has ${vCPUs} processors and ${MemoryGB} GiB; Kubernetes needs ${leastProcessors} and ${leastMemoryGiB} GiB`;
  }
  return undefined;
};

/** Whether a size says of itself that it can do something. */
export const isCapable = ({ capabilities }: Pick<VirtualMachineSku, "capabilities">, name: string): boolean =>
  capabilities[name]?.toLowerCase() === "true";
