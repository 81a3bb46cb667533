import { object, type ObjectShape, type OperationFault, reply, type Reply, text } from "@capstan/simulation";
import { operationHeaders } from "../operations/answers.ts";
import type { Json, StoredOperation, StoredResource, Tags } from "../state.ts";
import type { World } from "../world.ts";
import { checkPolicies } from "./policies.ts";
import { checkEtags, checkIdle, checkReferences, placeOf } from "./change-rules.ts";
import { findGroup, resourceById } from "./find.ts";
import { preempted } from "../operations/operations.ts";
import type { Change, ResourceKind } from "./resource-kind.ts";
import { viewOfResource } from "./views.ts";
import { readOnly, writable } from "./writable.ts";

/** Returns the allowed body of a request that writes a resource. */
export const bodyOf = (kind: ResourceKind): ObjectShape =>
  object({
    id: readOnly,
    name: readOnly,
    type: readOnly,
    etag: readOnly,
    systemData: readOnly,
    location: text(),
    tags: { type: "strings", nullable: true },
    ...kind.outer,
    properties: kind.properties,
  });

interface WriteRequest {
  readonly group: string;
  readonly name: string;
  readonly id: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly fault: OperationFault | undefined;
  /** It is a PATCH: its answer always tells of its operation. */
  readonly isPatch?: boolean;
}

interface Body extends Json {
  readonly location?: string;
  readonly tags?: Tags | null;
  readonly properties?: Json;
}

/** Makes or replaces a resource. */
export const writeResource = async (kind: ResourceKind, request: WriteRequest, world: World): Promise<Reply> => {
  const { headers, fault } = request;
  const group = findGroup(request.group, world);
  const id = inGroup(request.id, group.name);
  const before = resourceById(id, world);
  if (before !== undefined) preempt(kind, before, world);
  if (kind.hasEtag === true) checkEtags(headers, id, before);
  const change: Change = {
    resource: candidate(kind, request, { id, group: group.name, before }, world),
    before,
    fault,
  };
  kind.prepare?.(change, world);
  checkReferences(change.resource, world);
  checkPolicies(change.resource, world);
  world.state.resources = [...world.state.resources.filter((other) => other !== before), change.resource];
  const operation = beginWrite(kind, change, request.isPatch === true, world);
  await kind.written?.(change, operation, world);
  const { created, updated, bare = false } = kind.put;
  return reply(
    before === undefined ? created : updated,
    bare ? {} : viewOfResource(change.resource, kind, world),
    operation === undefined ? ownLocation(kind, change, world) : operationHeaders(operation, kind.put, world),
  );
};

/** Refuses a change while another one continues, unless the kind lets the change replace a running PUT, which then ends. */
const preempt = (kind: ResourceKind, before: StoredResource, { operations }: World): void => {
  const running = kind.preempts === true ? operations.running(before.id) : undefined;
  if (running === undefined || running.verb !== "PUT") return checkIdle(before);
  operations.complete(running.id, preempted);
};

/** An ID with the name of its group as that was written when it was made. */
const inGroup = (id: string, group: string): string =>
  id.replace(/\/resourceGroups\/[^/]+\//, `/resourceGroups/${group}/`);

const candidate = (
  kind: ResourceKind,
  { name, body }: WriteRequest,
  { id, group, before }: { readonly id: string; readonly group: string; readonly before: StoredResource | undefined },
  world: World,
): StoredResource => {
  const { location, tags, properties = {}, ...outer } = writable(body, bodyOf(kind)) as Body;
  return {
    id: before?.id ?? id,
    type: kind.type,
    name: before?.name ?? name,
    group,
    location: placeOf(location, kind, before),
    guid: before?.guid ?? world.newUuid(),
    created: before?.created ?? world.clock.now(),
    tags: tags ?? undefined,
    revision: (before?.revision ?? 0) + 1,
    state: before === undefined ? kind.put.state : "Updating",
    outer,
    properties,
    ...(before?.secrets === undefined ? {} : { secrets: before.secrets }),
    ...(before?.machine === undefined ? {} : { machine: before.machine }),
  };
};

/** The address of a new resource, where answers name it. */
const ownLocation = (
  { put }: ResourceKind,
  { before, resource }: Change,
  world: World,
): Readonly<Record<string, string>> =>
  put.ownLocation === true && before === undefined
    ? { location: `${world.url()}${resource.id}?api-version=2023-01-31` }
    : {};

/** The operation of a change, where the answer announces one. */
const beginWrite = (
  kind: ResourceKind,
  change: Change,
  isPatch: boolean,
  world: World,
): StoredOperation | undefined => {
  const { resource, before, fault } = change;
  const { asyncOperation = false, location = false, silentUpdates = false } = kind.put;
  if (kind.put.state === "Succeeded") resource.state = "Succeeded";
  if (!asyncOperation && !location) {
    resource.state = fault?.kind === "operation-failed" ? "Failed" : "Succeeded";
    return undefined;
  }
  const operation = world.operations.begin({
    target: resource.id,
    verb: "PUT",
    form: kind.form,
    location: resource.location,
    group: resource.group,
    ms: kind.durationMs(change, world),
    expectedMs: world.delays.provisionMs + world.delays.bootMs,
    fault,
  });
  return silentUpdates && before !== undefined && !isPatch ? undefined : operation;
};
