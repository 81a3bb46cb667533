import { conditionOf, resourceConditions, valueAt } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { namespaceGrant, type NamespaceGrant } from "./uses/namespace-grant.ts";
import type { Use } from "./uses/use.ts";

/** On an object, with the value `true`: what it names by an id and what has no owner is to be its own from now on. */
export const adoptAnnotation = "capstan.dev/adopt";

/** On a Namespace, with the value `true`: an administrator trusts the ids that its objects name. */
export const trustedIdsLabel = "capstan.dev/trusted-ids";

/** Reason of objects that name by its id what has no owner, and may not have it. */
export const namedByIdReason = resourceConditions.owned.reasons.namedById;

const {
  type,
  reasons: { owned: ownedReason, released: releasedReason },
} = resourceConditions.owned;

/** A thing outside that an object names by its id. */
export interface ThingById {
  /** For example `firewall 12`. */
  readonly what: string;
  /** Which field names it, for example `spec.firewallID`. */
  readonly field: string;
}

/** Reads whether the ids that objects of a namespace name are trusted. */
export const trustedIds = (): Use<NamespaceGrant> => namespaceGrant(trustedIdsLabel);

/** Tells a user how to adopt a resource named by ID. */
export const howToAdopt = `ask an administrator to label the Namespace with ${trustedIdsLabel}=true, and annotate the object with ${adoptAnnotation}=true`;

/** Returns whether an object takes over what it names by an id and what has no owner: it asks for that, and an administrator trusts its namespace. */
export const adopts = ({ metadata }: KubeObject, trusted: NamespaceGrant): boolean =>
  metadata.annotations?.[adoptAnnotation] === "true" && trusted.has(metadata.namespace);

/** Returns whether the status of an object says that it was ready before its controller told what it owns from what it only names. */
const wasReady = (object: KubeObject): boolean =>
  valueAt(object, "status.ready") === true || valueAt(object, "status.initialization.provisioned") === true;

/**
 * Returns whether the status of an object, which users do not write, proves that a thing without an owner is its own: it says so, or an older
 * release or upstream's controllers left it ready.
 */
export const hasRecorded = (object: KubeObject, { what }: Pick<ThingById, "what">): boolean => {
  const condition = conditionOf(object, type);
  return condition === undefined ? wasReady(object) : condition.status === "True" && condition.message === what;
};

/** Returns whether an object has recorded a thing before, and given it back since the thing was refused. */
export const wasReleased = (object: KubeObject): boolean => conditionOf(object, type)?.reason === releasedReason;

/** The record in the status after the creation of a thing was refused: if it exists later, another user created it. */
export const releasedCondition = ({ what }: Pick<ThingById, "what">): ConditionInput => ({
  type,
  status: "False",
  severity: "Info",
  reason: releasedReason,
  message: `${what} was not created`,
});

/** Why an object may not have a thing that it has not made. */
export const thereAlready = ({ field, what }: ThingById): string =>
  `${what} of ${field} already exists and no object here owns it; choose another name or account, or, to adopt it, ${howToAdopt}`;

/** Its record in the status. */
export const ownedCondition = ({ field, what }: ThingById, isOwn: boolean): ConditionInput =>
  isOwn
    ? { type, status: "True", reason: ownedReason, message: what }
    : {
        type,
        status: "False",
        severity: "Info",
        reason: namedByIdReason,
        message: `${what} of ${field} has no owner: it is used, but never changed or deleted; to adopt it, ${howToAdopt}`,
      };
