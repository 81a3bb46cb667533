import type { Fields, ObjectShape, OperationFault, Refusal } from "@capstan/simulation";
import type { Announcement } from "../operations/answers.ts";
import type {
  Json,
  OperationError,
  OperationForm,
  ProvisioningState,
  StoredOperation,
  StoredResource,
} from "../state.ts";
import type { World } from "../world.ts";

/** Answer to a request that writes a resource. */
export interface PutStyle extends Announcement {
  /** Status of the answer, when the resource is new and when it is not. */
  readonly created: number;
  readonly updated: number;
  /** State of the resource while its operation continues. */
  readonly state: ProvisioningState;
  /** The answer has an empty body. */
  readonly bare?: boolean;
  /** The answer to a creation names the address of the resource. */
  readonly ownLocation?: boolean;
  /** The answer to a PUT of what is there already says nothing of its operation. */
  readonly silentUpdates?: boolean;
}

export interface DeleteStyle extends Announcement {
  readonly status: number;
}

/** A part of a resource: a subnet, a frontend. What it is in is kept where it is not Succeeded. */
export interface StoredPart {
  readonly name: string;
  readonly state?: string;
  readonly properties?: Json;
}

/** A resource that is about to be written. */
export interface Change<P extends object = Json> {
  /** As it will be. */
  readonly resource: StoredResource<P>;
  readonly before: StoredResource<P> | undefined;
  readonly fault: OperationFault | undefined;
}

/** A kind of parts of a resource with addresses of their own, such as the subnets of a virtual network. */
export interface PartKind {
  readonly properties: ObjectShape;
  readonly put: PutStyle;
  readonly delete: DeleteStyle;
  /** Why it cannot go now. */
  readonly blocker?: (id: string, world: World) => Refusal | undefined;
}

/** One type of resources: what it takes, how it answers, and what becomes of it. Methods, so that each may know its own properties. */
export interface ResourceKind<P extends object = Json> {
  /** For example `Microsoft.Network/virtualNetworks`. */
  readonly type: string;
  readonly form: OperationForm;
  /** Allowed fields of `properties`. */
  readonly properties: ObjectShape;
  /** Allowed fields next to properties, location and tags. */
  readonly outer?: Fields;
  /** The place is always `global`. */
  readonly isGlobal?: boolean;
  /** Query parameters of requests. */
  readonly query?: {
    readonly get?: Fields;
    readonly delete?: Fields;
    /** Parameters of the lists of a group and of the subscription. */
    readonly list?: Fields;
    /** Additional parameters of the list of the subscription. */
    readonly listAll?: Fields;
  };
  /** A PATCH may change everything, not only tags. */
  readonly isPatched?: boolean;
  /** A change takes the place of one that continues. */
  readonly preempts?: boolean;
  readonly put: PutStyle;
  readonly delete: DeleteStyle;
  /** By the name of their list in the properties, which is the name in their addresses too. */
  readonly parts?: Readonly<Record<string, PartKind>>;
  /** Has an etag, which requests may ask for. */
  readonly hasEtag?: boolean;
  /** Returns the duration of a change in milliseconds; `undefined`: it continues until the operation is completed. */
  durationMs(change: Change<P>, world: World): number | undefined;
  /** Checks what is about to be written and fills in what the cloud gives. */
  prepare?(change: Change<P>, world: World): void;
  /** Is done when a resource has been written, before the answer. */
  written?(change: Change<P>, operation: StoredOperation | undefined, world: World): void | Promise<void>;
  /** Properties that an answer to a GET has beside all others, by its query. */
  expanded?(resource: StoredResource<P>, query: Json, world: World): Json;
  /** Which of all a list has, by the `$filter` of its request; `undefined`: there is no such filter. */
  filter?(filter: string): ((resource: StoredResource<P>) => boolean) | undefined;
  /** Properties that an answer has beside those that are stored. */
  derived?(resource: StoredResource<P>, world: World): Json;
  /** Fields that an answer has beside properties. */
  derivedOuter?(resource: StoredResource<P>, world: World): Json;
  /** Returns the properties that answers show of a part in addition to the stored ones, by its ID. */
  partExtras?(id: string, part: StoredPart, world: World): Json;
  /** Why it cannot go now. */
  blocker?(resource: StoredResource<P>, world: World): Refusal | undefined;
  /** Is done when its deletion begins; the operation is completed by whoever removes the resource when it returns true. */
  leaving?(resource: StoredResource<P>, query: Json, world: World): boolean;
  /** Is done when its deletion has an operation. */
  begun?(resource: StoredResource<P>, operation: StoredOperation, world: World): void;
  /** Is done when an operation on it is over. */
  finished?(resource: StoredResource<P>, error: OperationError | undefined, world: World): void;
  /** Is done when it is gone. */
  removed?(resource: StoredResource<P>, world: World): void | Promise<void>;
}
