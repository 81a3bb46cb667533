import { object, reply, type Route, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { readOnly } from "../resources/writable.ts";
import { route } from "../route.ts";
import type { StoredLock } from "../state.ts";
import type { World } from "../world.ts";

const list = "/:scope+/providers/Microsoft.Authorization/locks";

const view = ({ id, name, level, notes }: StoredLock) => ({
  id,
  name,
  type: "Microsoft.Authorization/locks",
  properties: { level, ...(notes === undefined ? {} : { notes }) },
});

/** Locks, which keep what they hold from being deleted or changed. */
export const lockRoutes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path: `${list}/:name`,
    body: object(
      {
        id: readOnly,
        name: readOnly,
        type: readOnly,
        properties: object({ level: text({ enum: ["CanNotDelete", "ReadOnly"] }), notes: text(), owners: readOnly }, [
          "level",
        ]),
      },
      ["properties"],
    ),
    handle: ({ params: { scope, name }, body: { properties } }, { state }) => {
      const id = `/${scope}/providers/Microsoft.Authorization/locks/${name}`;
      const { level, notes } = properties;
      const lock: StoredLock = { id, scope: `/${scope}`, name, level, ...(notes === undefined ? {} : { notes }) };
      const known = state.locks.some((each) => same(each.id, id));
      state.locks = [...state.locks.filter((each) => !same(each.id, id)), lock];
      return reply(known ? 200 : 201, view(lock));
    },
  }),
  route({
    method: "GET",
    path: `${list}/:name`,
    handle: ({ params: { scope, name } }, { state }) => {
      const found = state.locks.find((lock) => same(lock.scope, `/${scope}`) && same(lock.name, name));
      if (found === undefined) throw refusal(404, "LockNotFound", `The lock '${name}' could not be found.`);
      return view(found);
    },
  }),
  route({
    method: "DELETE",
    path: `${list}/:name`,
    handle: ({ params: { scope, name } }, { state }) => {
      const before = state.locks.length;
      state.locks = state.locks.filter((lock) => !(same(lock.scope, `/${scope}`) && same(lock.name, name)));
      return reply(state.locks.length < before ? 200 : 204);
    },
  }),
  route({
    method: "GET",
    path: list,
    handle: ({ params: { scope } }, { state }) => ({
      value: state.locks.filter((lock) => lock.scope.toLowerCase().startsWith(`/${scope}`.toLowerCase())).map(view),
    }),
  }),
];
