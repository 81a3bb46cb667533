import { machine as fields, MachineResource } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";

/** A machine as a simulated cloud knows it. */
interface CloudMachine {
  readonly name?: string;
  readonly providerID: string;
}

/** Which version of Kubernetes the Machine behind a simulated machine asks for. */
export interface MachineVersions {
  readonly of: (machine: CloudMachine) => Promise<string | undefined>;
  /** From where Machines are read; before, nothing is known of any. */
  readFrom(cache: Cache): void;
}

/** By the Machine's providerID, or else by its name if all Machines of that name ask for one version. */
export const machineVersions = (): MachineVersions => {
  let cache: Cache | undefined;
  return {
    of: async ({ name, providerID }) => {
      const machines = cache?.list(MachineResource) ?? [];
      const exact = machines.filter((each) => fields.providerID.get(each) === providerID);
      const fitting = exact.length > 0 ? exact : machines.filter(({ metadata }) => metadata.name === name);
      const versions = new Set(fitting.map((each) => fields.version.get(each)));
      return versions.size === 1 ? [...versions][0] : undefined;
    },
    readFrom: (next) => {
      next.informer(MachineResource);
      cache = next;
    },
  };
};
