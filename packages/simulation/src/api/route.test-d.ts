import { expectTypeOf } from "vitest";
import { type Route, routing } from "./route.ts";
import { boolean, integer, list, object, readOnly, text, type ValueOf } from "./shape.ts";

interface World {
  readonly name: string;
}

const route = routing<World>();

const shape = object(
  {
    name: text({ min: 1 }),
    size: text({ enum: ["small", "large"] }),
    note: text({ nullable: true }),
    disks: list(object({ gb: integer }, ["gb"])),
    labels: { type: "strings" },
    settings: { type: "json" },
    id: readOnly(integer),
  },
  ["name"],
);

// What a shape lets pass: required and optional fields, enums, nulls, lists of objects.
expectTypeOf<ValueOf<typeof shape>>().toEqualTypeOf<{
  readonly name: string;
  readonly size?: "small" | "large";
  readonly note?: string | null;
  readonly disks?: readonly { readonly gb: number }[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly settings?: unknown;
}>();

// Nothing is required of an object inside another unless it says so.
expectTypeOf<ValueOf<ReturnType<typeof nested>>>().toEqualTypeOf<{
  readonly inner?: { readonly a?: boolean };
}>();
const nested = () => object({ inner: object({ a: boolean }) });

// Handlers know the names in the path, the query and the body.
expectTypeOf(
  route({
    method: "PUT",
    path: "/groups/:group/files/:path+",
    query: { force: boolean, depth: integer },
    body: shape,
    handle: ({ params, query, body }, world) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly group: string; readonly path: string }>();
      expectTypeOf(query).toEqualTypeOf<{ readonly force?: boolean; readonly depth?: number }>();
      expectTypeOf(body.name).toBeString();
      expectTypeOf(world).toEqualTypeOf<World>();
    },
  }),
).toEqualTypeOf<Route<World>>();
