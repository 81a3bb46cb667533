import type { GuestHost, MachinePower, OperationFault, Simulation } from "@capstan/simulation";
import type { AzureState, OperationError, StoredOperation, StoredResource } from "./state.ts";

/** Who may do what: one who signs in, and what he is allowed. */
export interface Principal {
  readonly clientId: string;
  /** Its object in the tenant, which roles are given to. */
  readonly objectId: string;
  readonly clientSecret: string;
  readonly role: "Owner" | "Contributor" | "Reader";
}

/** A policy of the subscription, which denies what it does not allow. */
export interface Policy {
  readonly name: string;
  /** Types that it is about. Default: all. */
  readonly types?: readonly string[];
  readonly locations?: readonly string[];
  readonly requiredTags?: readonly string[];
  readonly vmSizes?: readonly string[];
}

/** Durations of work in the simulated cloud, in milliseconds. */
export interface Delays {
  /** A change of a network resource, a disk or a DNS zone, and its deletion. */
  readonly networkMs: number;
  /** A virtual machine: its disks, its boot, and its deletion. */
  readonly provisionMs: number;
  readonly bootMs: number;
  readonly deleteMs: number;
  /** A group, when everything in it is gone. */
  readonly groupMs: number;
  /** Until it is given up that a system says that it is up. */
  readonly osProvisioningMs: number;
  /** Until it is given up that an extension says anything. */
  readonly extensionMs: number;
  /** A change of tags on their own; 0: it is made at once, and not answered as an operation. */
  readonly tagsMs: number;
  /** Until a new identity is known everywhere. */
  readonly principalMs: number;
}

type Foundation = Pick<
  Simulation<AzureState>,
  | "state"
  | "clock"
  | "random"
  | "log"
  | "timers"
  | "balancers"
  | "guestPlans"
  | "newId"
  | "newUuid"
  | "newAddress"
  | "save"
>;

/** Operation to begin. */
export interface NewOperation extends Pick<StoredOperation, "target" | "verb" | "form" | "location" | "group"> {
  /** Duration in milliseconds; `undefined`: it continues until it is completed. */
  readonly ms: number | undefined;
  /** Expected duration in milliseconds when `ms` is `undefined`; a planned failure takes effect then. Default 0. */
  readonly expectedMs?: number;
  readonly fault: OperationFault | undefined;
}

/** Work that continues after the answer: begun by requests, ended by time or by what it waits for. */
export interface OperationLog {
  begin(operation: NewOperation): StoredOperation;
  find(id: string): StoredOperation | undefined;
  /** The one that continues with a target. */
  running(target: string): StoredOperation | undefined;
  /** An operation that waits is over after this time. */
  finishAfter(id: string, ms: number): void;
  /** Ends an operation, unless it is over; `failure` makes it fail. */
  complete(id: string, failure?: OperationError): void;
}

/** State and services that the handlers of the simulated API share. */
export interface World extends Foundation {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly principals: readonly Principal[];
  readonly delays: Delays;
  /** Names of public IP addresses: the address itself, or as at Azure, for who resolves these names. */
  readonly dnsNames: "address" | "azure";
  /** True if it is an Azure Stack Hub, which has less than Azure. */
  readonly isStack: boolean;
  /** Ports of load balancers that are listened at. */
  readonly open: Set<string>;
  /** Where the simulator is, and where its blobs are. */
  readonly url: () => string;
  readonly blobUrl: () => string;
  readonly power: MachinePower<StoredResource>;
  /** Plays the inside of machines, if there is one. */
  readonly guest: GuestHost | undefined;
  /** Aborted when the simulator stops. */
  readonly stopped: AbortSignal;
  /** IDs of the images that the subscription has of its own. */
  readonly images: readonly string[];
  /** Cores that may be in use in a region, by family; `cores`: of all together, and of each family that is not named. */
  readonly quotas: Readonly<Record<string, number>>;
  /** Machines that there is room for, by size, or by size and zone (`Standard_D2s_v3/1`). */
  readonly capacity: Readonly<Record<string, number>>;
  readonly policies: readonly Policy[];
  readonly operations: OperationLog;
  /** A resource, or a part of one, as answers show it; `undefined` when it is not there. */
  readonly viewOf: (id: string) => unknown;
  /** Takes a resource out of the subscription, with what it leaves behind. */
  readonly remove: (resource: StoredResource) => void;
}
