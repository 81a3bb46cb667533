import { azureStack } from "../cloud/azure-environments.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";

/**
 * Returns the first feature that a spec requests and an Azure Stack Hub lacks, with its field; `undefined` if it has all, or for another
 * cloud.
 */
export const stackProblem = (environment: string, spec: DefaultedMachine): string | undefined => {
  if (environment !== azureStack) return undefined;
  const { capacityReservationGroupID = "", diagnostics, image, osDisk, securityProfile, spotVMOptions } = spec;
  const { computeGallery, id = "", marketplace } = image ?? {};
  if (id === "" && marketplace === undefined && computeGallery?.resourceGroup === undefined) {
    return "spec.image: Azure Stack has no community gallery; use your own image, or one of its marketplace";
  }
  const missing: readonly (readonly [field: string, what: string, isAsked: boolean])[] = [
    ["spotVMOptions", "spot instances", spotVMOptions !== undefined],
    ["osDisk.diffDiskSettings", "ephemeral disks", osDisk.diffDiskSettings !== undefined],
    [
      "securityProfile",
      "confidential machines, trusted launch and encryption at the host",
      securityProfile !== undefined,
    ],
    ["capacityReservationGroupID", "capacity reservations", capacityReservationGroupID !== ""],
  ];
  const [field, what] = missing.find(([, , isAsked]) => isAsked) ?? [];
  if (field !== undefined) return `spec.${field}: Azure Stack has no ${what}; remove the field`;
  return diagnostics?.boot?.storageAccountType === "Managed"
    ? "spec.diagnostics.boot.storageAccountType Managed: Azure Stack only supports user-managed storage accounts for boot diagnostics; use UserManaged or Disabled"
    : undefined;
};
