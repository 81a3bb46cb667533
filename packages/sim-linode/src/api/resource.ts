import { notFound, type Route, type RouteRequest, type Shape, type ValueOf } from "@capstan/simulation";
import { note, type Subject } from "../events.ts";
import { apiTime } from "../times.ts";
import type { World } from "../world.ts";
import { collection } from "./collection.ts";
import { route } from "./route.ts";

type Asked = Pick<RouteRequest, "params">;

/** Things of one kind, kept in a list of the account, with the usual operations. */
export interface ResourceKind<I extends object, C extends Shape, U extends Shape> {
  readonly path: string;
  /** The field that names one in its path, as `:<key>`. Default `id`. */
  readonly key?: keyof I & string;
  readonly filterable: readonly string[];
  /** The list itself; those created are added, those deleted are taken out. */
  readonly items: (request: Asked, world: World) => I[];
  /** Returns an item as the API shows it. Default: unchanged. */
  readonly view?: (item: I, world: World) => object;
  readonly create?: {
    readonly body: C;
    readonly make: (body: ValueOf<C>, world: World, request: Asked) => I;
    /** Returns fields that only the answer to the creation has. */
    readonly shown?: (item: I) => object;
  };
  readonly update?: {
    readonly body: U;
    /** Default: the fields given replace what was. */
    readonly change?: (item: I, body: ValueOf<U>, world: World, request: Asked) => void;
  };
  /**
   * Refuses a deletion, or does what else belongs to it, before the item is removed. Without it there is no deletion.
   */
  readonly remove?: (item: I, world: World, request: Asked) => void;
  /** Type of the entity of its events, and what their names begin with; without it there are none. */
  readonly event?: string;
  /** Returns the entity of the item's events, where that is not the item itself. */
  readonly subject?: (item: I, world: World, request: Asked) => Subject;
}

const none = (): void => undefined;

/** For kinds whose deletion nothing stands in the way of. */
export const freely = none;

/** The one that a request names, or 404. */
export const named = <I extends object>(items: readonly I[], { params }: Asked, key: string, name = key): I => {
  const found = items.find((item) => String((item as Readonly<Record<string, unknown>>)[key]) === params[name]);
  if (found === undefined) throw notFound();
  return found;
};

/** The routes of one kind: list, read, create, update and delete, as far as it has them. */
export const resource = <I extends object, const C extends Shape = never, const U extends Shape = never>(
  kind: ResourceKind<I, C, U>,
): readonly Route<World>[] => {
  const { path, items, key = "id" as never } = kind;
  const show = (item: I, world: World): object => kind.view?.(item, world) ?? item;
  const parts: Parts<I> = {
    single: `${path}/:${key}`,
    show,
    find: (request, world) => named(items(request, world), request, key),
    happened: (verb, item, world, request) => {
      if (kind.event === undefined) return;
      note(world, `${kind.event}_${verb}`, (kind.subject ?? subjectOf(kind.event, path, key))(item, world, request));
    },
  };
  const { single, find } = parts;
  return [
    collection({
      path,
      filterable: kind.filterable,
      list: (request, world) => items(request, world).map((item) => show(item, world)),
    }),
    route({ method: "GET", path: single, handle: (request, world) => show(find(request, world), world) }),
    ...(kind.create === undefined ? [] : [creation(kind, kind.create, parts)]),
    ...(kind.update === undefined ? [] : [change(kind.update, parts)]),
    ...(kind.remove === undefined ? [] : [deletion(kind, kind.remove, parts)]),
  ];
};

/** Parts shared by the routes of a kind. */
interface Parts<I> {
  readonly single: string;
  readonly show: (item: I, world: World) => object;
  readonly find: (request: Asked, world: World) => I;
  readonly happened: (verb: "create" | "update" | "delete", item: I, world: World, request: Asked) => void;
}

const creation = <I extends object, C extends Shape>(
  { path, items }: Pick<ResourceKind<I, C, never>, "path" | "items">,
  { body, make, shown }: NonNullable<ResourceKind<I, C, never>["create"]>,
  { show, happened }: Parts<I>,
): Route<World> =>
  route({
    method: "POST",
    path,
    body,
    handle: (request, world) => {
      const item = make(request.body, world, request);
      items(request, world).push(item);
      happened("create", item, world, request);
      return { ...show(item, world), ...shown?.(item) };
    },
  });

const change = <I extends object, U extends Shape>(
  update: NonNullable<ResourceKind<I, never, U>["update"]>,
  { single, find, show, happened }: Parts<I>,
): Route<World> =>
  route({
    method: "PUT",
    path: single,
    body: update.body,
    handle: (request, world) => {
      const item = find(request, world);
      if (update.change === undefined) Object.assign(item, request.body);
      else update.change(item, request.body, world, request);
      if ("updated" in item) Object.assign(item, { updated: nowLike(item.updated, world) });
      happened("update", item, world, request);
      return show(item, world);
    },
  });

const deletion = <I extends object>(
  { items }: Pick<ResourceKind<I, never, never>, "items">,
  remove: NonNullable<ResourceKind<I, never, never>["remove"]>,
  { single, find, happened }: Parts<I>,
): Route<World> =>
  route({
    method: "DELETE",
    path: single,
    handle: (request, world) => {
      const item = find(request, world);
      remove(item, world, request);
      const all = items(request, world);
      all.splice(all.indexOf(item), 1);
      happened("delete", item, world, request);
      return {};
    },
  });

const nowLike = (before: unknown, { clock }: World): string | number =>
  typeof before === "number" ? clock.now() : apiTime(clock.now());

const subjectOf =
  (type: string, path: string, key: string) =>
  (item: object, _world: World, { params }: Asked): Subject => {
    const { label, [key]: id } = item as { readonly label?: string } & Readonly<Record<string, string | number>>;
    const at = path.replaceAll(/:(\w+)/g, (_all, name: string) => params[name] ?? "");
    return { id: id ?? "", type, label: label ?? String(id), url: `/v4/${at}/${id}` };
  };
