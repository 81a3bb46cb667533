import { reply, type Reply } from "@capstan/simulation";
import type { OperationForm, StoredOperation } from "../state.ts";
import type { World } from "../world.ts";

/** Which addresses an answer names for an operation. */
export interface Announcement {
  readonly asyncOperation?: boolean;
  readonly location?: boolean;
}

interface Place {
  /** Address of the status. */
  readonly status: string;
  /** Address of the result. */
  readonly result: string;
  readonly query?: string;
}

const places: Readonly<Record<OperationForm, (operation: StoredOperation, subscription: string) => Place>> = {
  network: ({ id, location }, subscription) => {
    const base = `/subscriptions/${subscription}/providers/Microsoft.Network/locations/${location}`;
    return { status: `${base}/operations/${id}`, result: `${base}/operationResults/${id}` };
  },
  compute: ({ id, location }, subscription) => {
    const base = `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/${location}/operations/${id}`;
    return { status: base, result: base, query: "&monitor=true" };
  },
  disk: ({ id, location }, subscription) => {
    const base = `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/${location}/DiskOperations/${id}`;
    return { status: base, result: base, query: "&monitor=true" };
  },
  "private-dns": ({ id, group }, subscription) => {
    const base = `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network`;
    return { status: `${base}/privateDnsOperationStatuses/${id}`, result: `${base}/privateDnsOperationResults/${id}` };
  },
  group: ({ id }, subscription) => {
    const base = `/subscriptions/${subscription}/operationresults/${id}`;
    return { status: base, result: base };
  },
};

const longestPauseSeconds = 10;

/** When a client should ask again, in whole seconds. Clients that are not told wait as long as they please: azure-cli half a minute. */
export const pause = ({ due }: StoredOperation, { clock }: Pick<World, "clock">): Readonly<Record<string, string>> => {
  const seconds = Math.floor((due - clock.now()) / 1000);
  return { "retry-after": String(Math.min(Math.max(seconds, 1), longestPauseSeconds)) };
};

/** Headers that say where to ask for an operation. The addresses are known with all of their query only. */
export const operationHeaders = (
  operation: StoredOperation,
  { asyncOperation = false, location = false }: Announcement,
  world: World,
): Readonly<Record<string, string>> => {
  const { status, result, query = "" } = places[operation.form](operation, world.subscriptionId);
  const at = (path: string, more: string): string =>
    `${world.url()}${path}?api-version=${world.isStack ? "2018-11-01" : "2024-07-01"}&t=${operation.started}&c=simulated&s=${operation.signature}&h=1${more}`;
  return {
    ...(asyncOperation ? { "azure-asyncoperation": at(status, "") } : {}),
    ...(location ? { location: at(result, query) } : {}),
    ...pause(operation, world),
  };
};

/** An answer that begins an operation. */
export const begun = (
  status: number,
  body: unknown,
  operation: StoredOperation,
  announcement: Announcement,
  world: World,
): Reply => reply(status, body, operationHeaders(operation, announcement, world));
