import type { Calls } from "./call.ts";
import { LinodeError } from "./error.ts";
import { filter } from "./filter.ts";
import { poll } from "./poll.ts";
import type { WaitOptions } from "./poll.ts";
import type { System } from "./system.ts";
import type { operations } from "./tables/all.ts";
import type { Filter } from "./types/api.ts";
import type { Disk, Instance, InstanceStatus } from "./types/instances.ts";
import type { AccountEvent, Image, Volume } from "./types/services.ts";

/** The entity of an event, for example `{ type: "linode", id: 123 }`. */
export interface Entity {
  readonly type: string;
  readonly id: number | string;
}

/** Waits that look at the API every few seconds. */
export interface Waiters {
  instanceStatus(id: number, status: InstanceStatus, wait: WaitOptions): Promise<Instance>;
  diskStatus(instanceId: number, diskId: number, status: Disk["status"], wait: WaitOptions): Promise<Disk>;
  volumeStatus(id: number, status: Volume["status"], wait: WaitOptions): Promise<Volume>;
  imageStatus(id: string, status: Image["status"], wait: WaitOptions): Promise<Image>;
  /** The image's state in one region. */
  imageRegionStatus(id: string, region: string, status: string, wait: WaitOptions): Promise<Image>;
  /** No event of the entity is scheduled or started. */
  resourceFree(entity: Entity, wait: WaitOptions): Promise<void>;
}

/** Follows what an action does. Made before the action, so that it can tell the action's event from older ones. */
export interface EventPoller {
  /** The first event that was not there when the poller was made. */
  next(wait: WaitOptions): Promise<AccountEvent>;
  /** The same event once it is finished or a notification. Throws a `LinodeError` when it failed. */
  finished(wait: WaitOptions): Promise<AccountEvent>;
}

interface Apis extends Pick<Calls<typeof operations>, "instances" | "volumes" | "images" | "events"> {
  readonly system: System;
}

export const waiters = ({ system, instances, volumes, images, events }: Apis): Waiters => {
  const until = <T>(what: string, wait: WaitOptions, read: ReadOne<T>, done: (item: T) => boolean): Promise<T> =>
    poll(system, what, wait, async (options) => {
      const item = await read(options);
      return done(item) ? item : undefined;
    });
  return {
    instanceStatus: (id, status, wait) =>
      until(`instance ${id} ${status}`, wait, (options) => instances.get(id, options), has(status)),
    diskStatus: (instanceId, diskId, status, wait) =>
      until(`disk ${diskId} ${status}`, wait, (options) => instances.getDisk(instanceId, diskId, options), has(status)),
    volumeStatus: (id, status, wait) =>
      until(`volume ${id} ${status}`, wait, (options) => volumes.get(id, options), has(status)),
    imageStatus: (id, status, wait) =>
      until(`image ${id} ${status}`, wait, (options) => images.get(id, options), has(status)),
    imageRegionStatus: (id, region, status, wait) =>
      until(
        `image ${id} ${status} in ${region}`,
        wait,
        (options) => images.get(id, options),
        (image) => image.regions?.some((entry) => entry.region === region && entry.status === status) === true,
      ),
    resourceFree: async (entity, wait) => {
      const read: ReadOne<readonly AccountEvent[]> = (options) =>
        events.list({ ...options, filter: ofEntity(entity), page: 1 });
      await until(`${entity.type} ${entity.id} free`, wait, read, (found) => !found.some(isUnderWay));
    },
  };
};

const has =
  (status: string) =>
  (item: { readonly status: string }): boolean =>
    item.status === status;

type ReadOne<T> = (options: { readonly signal?: AbortSignal }) => Promise<T>;

const isUnderWay = ({ status }: AccountEvent): boolean => status === "scheduled" || status === "started";

const ofEntity = (entity: Entity, action?: string): Filter =>
  filter.order(
    filter.and(
      filter.eq("entity.type", entity.type),
      filter.eq("entity.id", entity.id),
      ...(action === undefined ? [] : [filter.eq("action", action)]),
    ),
    "created",
    "desc",
  );

export const eventPoller = async (
  { system, events }: Pick<Apis, "system" | "events">,
  about: { readonly entity: Entity; readonly action: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<EventPoller> => {
  const { entity, action } = about;
  const what = `event ${action} of ${entity.type} ${entity.id}`;
  const find = (call: { readonly signal?: AbortSignal }) =>
    events.list({ ...call, filter: ofEntity(entity, action), page: 1 });
  const known = new Set((await find(options)).map((event) => event.id));
  const next = (wait: WaitOptions): Promise<AccountEvent> =>
    poll(system, what, wait, async (call) => (await find(call)).findLast((event) => !known.has(event.id)));
  return {
    next,
    finished: async (wait) => {
      const started = system.now();
      const { id } = await next(wait);
      const left = { ...wait, withinMs: Math.max(0, wait.withinMs - (system.now() - started)) };
      const event = await poll(system, what, left, async (call) => {
        const current = await events.get(id, call);
        return isUnderWay(current) ? undefined : current;
      });
      if (event.status !== "failed") return event;
      const reason = event.message ?? `${what} failed`;
      throw new LinodeError({ method: "GET", path: `account/events/${id}`, errors: [{ reason }] });
    },
  };
};
