import type { Resource } from "@capstan/schema";
import type { Clock, Random } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { ConditionTable } from "../wire/condition-table.ts";
import type { FlavorV1 } from "./flavor.ts";
import type { KindWebhooksV1 } from "./kind-webhooks.ts";
import type { ControllerPermissionsV1 } from "./permission.ts";
import type { PlanV1 } from "./plan.ts";

/**
 * A provider package as the manager sees it. `register` only wires: it adds controllers to the host and starts nothing.
 */
export interface ProviderV1 {
  readonly contract: "v1";
  /** Role and vendor, for example `infra-linode`: lower-case letters, digits and hyphens. Accounts and roles are named after it. */
  readonly name: string;
  /** Release of the provider, for inventories. Default: that of the application. */
  readonly version?: string;
  /** Every kind the provider owns; the manager installs or checks their CRDs. */
  readonly kinds: readonly Resource[];
  /** The conditions that its controllers write, by kind: for documentation and checks. */
  readonly conditions?: Readonly<Record<string, ConditionTable>>;
  /** Conversion, defaults and checks of its kinds, where there are any. */
  readonly webhooks?: readonly KindWebhooksV1[];
  /** Templates of clusters on its infrastructure, where it brings any. */
  readonly flavors?: readonly FlavorV1[];
  /** For `capstan plan` and the checks before manifests are applied. Default: nothing is known of the cloud. */
  readonly plan?: PlanV1;
  register(host: HostV1): void;
}

export interface HostV1 {
  add(controller: ControllerV1): void;
}

/**
 * The manager as far as this package can name it. `Manager` of `@capstan/runtime` has client, cache and more in addition, and controllers
 * made by it or by the kit's roles need those.
 */
export interface ManagerV1 {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  add(controller: ControllerV1): void;
  provide<T>(key: ServiceKey<T>, service: T): void;
  /** Throws `runtime.service_missing` when the application plugged nothing in under this key. */
  service<T>(key: ServiceKey<T>): T;
  findService<T>(key: ServiceKey<T>): T | undefined;
}

/** Where a controller stands. */
export interface ControllerPlaceV1 {
  /** The provider's name. */
  readonly provider: string;
}

/** A controller made by one of the kit's roles or by the runtime's `controller()`. */
export interface ControllerV1 {
  readonly name: string;
  /** From these the roles of a manager are made; a controller without them cannot run under a generated role. */
  readonly permissions?: ControllerPermissionsV1;
  /**
   * Called by the manager when the controller is added. `place`: the provider that it belongs to, where `defineProvider` made one. A method,
   * so that implementations may ask for more than `ManagerV1`.
   */
  attach(manager: ManagerV1, place?: ControllerPlaceV1): void;
}

/** Names a service that the composing application plugs in (object stores, access to workload clusters). */
export interface ServiceKey<T> {
  readonly name: string;
  /** Phantom: never present at run time. */
  readonly Type?: T;
}
