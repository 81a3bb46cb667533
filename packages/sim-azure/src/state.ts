import type { StorageAccount } from "@capstan/simulation/blob";
import type { Power, SimulatedState, StateDefinition } from "@capstan/simulation";

/** State of the last change of a resource, as ARM reports it. */
export type ProvisioningState = "Creating" | "Updating" | "Deleting" | "Succeeded" | "Failed";

export type Tags = Readonly<Record<string, string>>;

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A resource of any type. Children such as subnets are parts of its properties. */
export interface StoredResource<P extends object = Json> {
  /** In the letter case in which it was created. */
  readonly id: string;
  /** Namespace and type, `Microsoft.Network/virtualNetworks`. */
  readonly type: string;
  readonly name: string;
  /** Name of its group; empty for what belongs to none. */
  readonly group: string;
  /** Empty for types without a place. */
  readonly location: string;
  readonly guid: string;
  readonly created: number;
  tags: Tags | undefined;
  /** Changes with every change; the number of it. */
  revision: number;
  state: ProvisioningState;
  /** Fields beside `properties`: zones, sku, plan, identity. */
  outer: Json;
  properties: P;
  /** Values that answers never show, such as passwords. */
  secrets?: Json;
  /** The machine that the simulator runs, for virtual machines and instances. */
  machine?: StoredMachine;
}

/** A machine as the simulator runs it. */
export interface StoredMachine {
  /** The address on this computer that is the machine's own. */
  readonly loopback: string;
  power: Power;
  /** It is off and costs nothing. */
  deallocated?: boolean;
}

export interface StoredGroup {
  readonly name: string;
  readonly location: string;
  tags: Tags | undefined;
  state: "Succeeded" | "Deleting";
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
}

/** Where the addresses of an operation are. */
export type OperationForm = "network" | "compute" | "disk" | "private-dns" | "group";

/** Work that continues after the answer. */
export interface StoredOperation {
  readonly id: string;
  /** Part of its addresses, without which they are not known. */
  readonly signature: string;
  /** ID of the resource, part of a resource or group that it works on. */
  readonly target: string;
  readonly verb: "PUT" | "PATCH" | "DELETE" | "POST";
  readonly form: OperationForm;
  readonly location: string;
  readonly group: string;
  readonly started: number;
  /** When it is expected to end. */
  readonly due: number;
  /** IDs of what it waits for: it is over when each of them is gone or no longer changes. */
  waitsFor?: readonly string[];
  /** It continues, but no one knows it. */
  readonly lost: boolean;
  ended?: number;
  status: "InProgress" | "Succeeded" | "Failed";
  error?: OperationError;
  /** Tags after a change of tags. */
  tags?: Tags;
  /** Result that a completed POST answers with. */
  result?: unknown;
}

export interface StoredLock {
  readonly id: string;
  /** ID of the locked subscription, group or resource, without a trailing slash. */
  readonly scope: string;
  readonly name: string;
  readonly level: "CanNotDelete" | "ReadOnly";
  readonly notes?: string;
}

export interface StoredRoleAssignment {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly principalId: string;
  readonly principalType: string;
  readonly roleDefinitionId: string;
  readonly condition?: string | null | undefined;
  readonly conditionVersion?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly createdOn?: string;
  readonly updatedBy?: string;
}

/** Everything the simulated subscription holds; plain JSON, saved as it is. */
export interface AzureState extends SimulatedState {
  readonly version: 1;
  /** Signs tokens and the addresses of logs. */
  key: string;
  groups: StoredGroup[];
  resources: StoredResource[];
  operations: StoredOperation[];
  locks: StoredLock[];
  roleAssignments: StoredRoleAssignment[];
  storageAccounts: StorageAccount[];
}

export const azureState: StateDefinition<AzureState> = {
  version: 1,
  empty: () => ({
    key: "",
    groups: [],
    resources: [],
    operations: [],
    locks: [],
    roleAssignments: [],
    storageAccounts: [],
  }),
};
