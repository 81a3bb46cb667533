import type { Clock } from "@capstan/contract";
import type { OperationState } from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient, ArmRequest } from "../arm/arm-client.ts";
import { azureError } from "../arm/arm-error.ts";
import type { Transport } from "../arm/arm-transport.ts";
import { allPages } from "../arm/pages.ts";
import { nameIn, operationHandle, operationOf, pollOperation, provisioningStateOf } from "../arm/operation.ts";
import { groupId } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { readBootLog } from "./boot-log.ts";
import type { AzureResource } from "./azure-resource.ts";
import type { CommandOutput, MachineCommand } from "./run-command.ts";
import { commandOutput, startCommand } from "./run-command.ts";
import type { KnownResources } from "./known-resources.ts";
import type { VisitLooks } from "./shared-looks.ts";
import { SharedLooks } from "./shared-looks.ts";
import type { SkuCatalogue, VirtualMachineSku } from "./skus.ts";

export type { AzureResource } from "./azure-resource.ts";

/** A body to send. */
export type ResourceBody = Readonly<Record<string, unknown>>;

/** Calls of the provider to one subscription. Those that continue after their answer return a handle for polling them. */
export interface AzureApi {
  readonly subscription: string;
  /** Where Azure Resource Manager is, if that does not follow from `spec.azureEnvironment`. */
  readonly stackEndpoint: string | undefined;
  /** As it is since the visit that this was opened for began, and since its own writes. */
  find(ref: ResourceRef, call: ArmCall, query?: Readonly<Record<string, string>>): Promise<AzureResource | undefined>;
  /** As it was some seconds ago at most. */
  recent(ref: ResourceRef, call: ArmCall, query?: Readonly<Record<string, string>>): Promise<AzureResource | undefined>;
  /** As it was last, unless the list of its group shows that it has changed since; changes are seen a sync period later. */
  known(ref: ResourceRef, call: ArmCall, query?: Readonly<Record<string, string>>): Promise<AzureResource | undefined>;
  /** Everything of a path, over all pages; `undefined` when what holds it does not exist. */
  list(path: string, apiVersion: string, call: ArmCall): Promise<readonly AzureResource[] | undefined>;
  /** The machines of a scale set, of which changes are seen as with `known`; `undefined` when it does not exist. */
  instances(set: ResourceRef, call: ArmCall): Promise<readonly AzureResource[] | undefined>;
  /** Returns the runtime state of a scale set, which its resource does not have; `undefined` when the set does not exist. */
  instanceView(set: ResourceRef, call: ArmCall): Promise<unknown>;
  /** `over`: only if what is there is still what was seen, or nothing, as far as the resource keeps etags. */
  put(
    ref: ResourceRef,
    body: ResourceBody,
    call: ArmCall,
    over?: { readonly present: AzureResource | undefined },
  ): Promise<string | undefined>;
  /** Writes a resource group, of which no condition can be asked; whether it was made. Otherwise its tags were replaced. */
  makeGroup(ref: ResourceRef, body: ResourceBody, call: ArmCall): Promise<boolean>;
  /** Changes what a body names of a resource. It is not waited for. */
  patch(ref: ResourceRef, body: ResourceBody, call: ArmCall): Promise<void>;
  /** One that is gone is success. */
  remove(ref: ResourceRef, call: ArmCall, query?: Readonly<Record<string, string>>): Promise<string | undefined>;
  /** Adds and changes tags of what a path names, or takes some away. */
  changeTags(path: string, change: TagChange, call: ArmCall): Promise<string | undefined>;
  poll(handle: string, options: { readonly call: ArmCall; readonly now: number }): Promise<OperationState>;
  /** The end of what a virtual machine printed on its serial console, if anything. */
  bootLog(vm: ResourceRef, call: ArmCall): Promise<string | undefined>;
  /** Begins a command inside a virtual machine, and answers with how `commandOutput` finds what it printed. */
  runCommand(vm: ResourceRef, command: MachineCommand, call: ArmCall): Promise<string>;
  commandOutput(handle: string, call: ArmCall): Promise<CommandOutput>;
  /** Sizes of virtual machines in a location. */
  skus(location: string, call: ArmCall): Promise<readonly VirtualMachineSku[]>;
}

export interface TagChange {
  readonly operation: "Merge" | "Delete";
  readonly tags: Readonly<Record<string, string>>;
}

const groupsVersion = "2021-04-01";
const tagsVersion = "2021-04-01";

/** A resource group. */
export const groupRef = (subscription: string, group: string): ResourceRef => ({
  type: "Microsoft.Resources/resourceGroups",
  apiVersion: groupsVersion,
  id: groupId(subscription, group),
});

const isResource = (body: unknown): body is AzureResource => isJsonObject(body) && typeof body["id"] === "string";

const asResource = (body: unknown, doing: string): AzureResource => {
  if (isResource(body)) return body;
  throw azureError("unavailable", `could not ${doing}: the response is not a resource; retrying`);
};

/** State shared by all who act as one principal in a subscription. */
export interface Shared {
  readonly catalogue: SkuCatalogue;
  readonly known: KnownResources<AzureResource>;
  readonly looks: SharedLooks;
  readonly transport: Transport;
  readonly stackEndpoint: string | undefined;
}

type Query = Readonly<Record<string, string>>;

const readKey = ({ id }: ResourceRef, query: Query): string => `${id} ${JSON.stringify(query)}`;

const findResource = async (
  client: ArmClient,
  { apiVersion, id }: ResourceRef,
  call: ArmCall,
  query: Query,
): Promise<AzureResource | undefined> => {
  const doing = `read ${nameIn(id)}`;
  const answer = await client.find("GET", id, { doing, apiVersion, query }, call);
  return answer === undefined ? undefined : asResource(answer.body, doing);
};

/** Everything of a resource group, briefly, with the time of its last change; `undefined` when there is no such group. */
export const listGroup = async (
  client: ArmClient,
  group: string,
  call: ArmCall,
): Promise<readonly unknown[] | undefined> => {
  const doing = `list ${nameIn(group)}`;
  const query = { $expand: "changedTime,provisioningState" };
  const answer = await client.find("GET", `${group}/resources`, { doing, apiVersion: groupsVersion, query }, call);
  return answer === undefined ? undefined : allPages(client, answer.body, doing, call);
};

const listResources = async (
  client: ArmClient,
  path: string,
  apiVersion: string,
  call: ArmCall,
): Promise<readonly AzureResource[] | undefined> => {
  const doing = `list ${nameIn(path)}`;
  const answer = await client.find("GET", path, { doing, apiVersion }, call);
  return answer === undefined ? undefined : ((await allPages(client, answer.body, doing, call)) as AzureResource[]);
};

/** A list that is remembered as a resource is: it changes as long as one in it does. */
interface ListedResources extends AzureResource {
  readonly items: readonly AzureResource[];
}

const listInstances = async (
  client: ArmClient,
  { apiVersion, id }: ResourceRef,
  call: ArmCall,
): Promise<ListedResources | undefined> => {
  const items = await listResources(client, `${id}/virtualMachines`, apiVersion, call);
  if (items === undefined) return undefined;
  const isSettled = items.every((item) => provisioningStateOf(item) === "Succeeded");
  return { id, items, properties: { provisioningState: isSettled ? "Succeeded" : "Updating" } };
};

/** Looks that are shared by all who act as one principal in a subscription, by a client of Resource Manager. */
export const sharedLooks = (client: ArmClient, clock: Clock): SharedLooks =>
  new SharedLooks({
    clock,
    get: (ref, call) => findResource(client, ref, call, {}),
    list: (path, apiVersion, call) => listResources(client, path, apiVersion, call),
  });

type ReadCalls = Pick<AzureApi, "find" | "known" | "recent" | "list" | "instances" | "instanceView">;
type WriteCalls = Pick<AzureApi, "put" | "makeGroup" | "patch" | "remove" | "changeTags" | "poll">;

/** Sources of reads: the known resources, and the looks of one visit. */
interface Seeing {
  readonly known: KnownResources<AzureResource>;
  readonly looks: VisitLooks;
}

const readCalls = (client: ArmClient, { known, looks }: Seeing): ReadCalls => {
  const look = (ref: ResourceRef, call: ArmCall, query: Query): Promise<AzureResource | undefined> =>
    Object.keys(query).length === 0 ? looks.find(ref, call) : findResource(client, ref, call, query);
  return {
    find: (ref, call, query = {}) => known.read(readKey(ref, query), ref.id, () => look(ref, call, query)),
    recent: (ref, call, query = {}) => known.recent(readKey(ref, query), ref.id, () => look(ref, call, query)),
    known: (ref, call, query = {}) =>
      known.known(readKey(ref, query), ref.id, { call, find: () => look(ref, call, query) }),
    list: (path, apiVersion, call) => looks.list(path, apiVersion, call),
    instances: async (set, call) => {
      const find = () => listInstances(client, set, call);
      const found = await known.known(`${set.id} instances`, set.id, { call, find });
      return (found as ListedResources | undefined)?.items;
    },
    instanceView: async ({ apiVersion, id }, call) => {
      const path = `${id}/instanceView`;
      return (await client.find("GET", path, { doing: `read ${nameIn(id)}`, apiVersion }, call))?.body;
    },
  };
};

/** The etag of a resource of the network, which changes of others make a new one of. */
const etagOf = (present: AzureResource): string | undefined => {
  const etag: unknown = isJsonObject(present) ? present["etag"] : undefined;
  return typeof etag === "string" ? etag : undefined;
};

/** That a change is made only to what was seen: resources of the network have etags, others take no such condition. */
const conditionOn = (
  { type }: ResourceRef,
  present: AzureResource | undefined,
): Pick<ArmRequest, "ifMatch" | "ifAbsent"> => {
  if (present === undefined) return type.startsWith("Microsoft.Network/") ? { ifAbsent: true } : {};
  const etag = etagOf(present);
  return etag === undefined ? {} : { ifMatch: etag };
};

const writeCalls = (client: ArmClient, { known, looks }: Seeing): WriteCalls => {
  const changing = async <T>(id: string, write: () => Promise<T>): Promise<T> => {
    try {
      return await known.changing(id, write);
    } finally {
      looks.wrote(id);
    }
  };
  return {
    put: async (ref, body, call, over) => {
      const { apiVersion, id } = ref;
      const request = { doing: `make ${nameIn(id)}`, apiVersion, body, ...(over && conditionOn(ref, over.present)) };
      const answer = await changing(id, () => client.send("PUT", id, request, call));
      if (isResource(answer.body)) looks.made(id, answer.body);
      const operation = operationOf({ method: "PUT", path: id, apiVersion }, answer);
      return operation === undefined ? undefined : operationHandle(operation);
    },
    makeGroup: async ({ apiVersion, id }, body, call) => {
      const request = { doing: `make ${nameIn(id)}`, apiVersion, body };
      const answer = await changing(id, () => client.send("PUT", id, request, call));
      if (isResource(answer.body)) looks.made(id, answer.body);
      return answer.status === 201;
    },
    patch: async ({ apiVersion, id }, body, call) => {
      const request = { doing: `change ${nameIn(id)}`, apiVersion, body };
      await changing(id, () => client.send("PATCH", id, request, call));
    },
    remove: async ({ apiVersion, id }, call, query = {}) => {
      const request = { doing: `delete ${nameIn(id)}`, apiVersion, query };
      const answer = await changing(id, () => client.find("DELETE", id, request, call)).finally(looks.removed);
      const operation =
        answer === undefined ? undefined : operationOf({ method: "DELETE", path: id, apiVersion }, answer);
      return operation === undefined ? undefined : operationHandle(operation);
    },
    changeTags: async (path, { operation, tags }, call) => {
      const body = { operation, properties: { tags } };
      const at = `${path}/providers/Microsoft.Resources/tags/default`;
      const request = { doing: `tag ${nameIn(path)}`, apiVersion: tagsVersion, body };
      const answer = await changing(path, () => client.send("PATCH", at, request, call));
      const goingOn = operationOf({ method: "PATCH", path: at, apiVersion: tagsVersion }, answer);
      return goingOn === undefined ? undefined : operationHandle(goingOn);
    },
    poll: async (handle, options) => {
      const state = await pollOperation(client, handle, options);
      // What was seen while it went on is old.
      if (state.state !== "running") looks.removed();
      return state;
    },
  };
};

/** One subscription at Azure as one visit sees it, by a client of Resource Manager. */
export const azureApi = (
  client: ArmClient,
  subscription: string,
  { catalogue, known, looks: all, stackEndpoint, transport }: Shared,
): AzureApi => {
  const seeing: Seeing = { known, looks: all.visit() };
  return {
    subscription,
    stackEndpoint,
    ...readCalls(client, seeing),
    ...writeCalls(client, seeing),
    bootLog: (vm, call) => readBootLog({ client, transport }, vm, call),
    runCommand: (vm, command, call) => startCommand(client, vm, command, call),
    commandOutput: (handle, call) => commandOutput(client, handle, call),
    skus: (location, call) => catalogue.of(location, { client, subscription, call }),
  };
};
