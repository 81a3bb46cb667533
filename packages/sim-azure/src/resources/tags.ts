import { object, type Route, text } from "@capstan/simulation";
import { refusal, resourceNotFound } from "../arm/refusals.ts";
import { groupId, same } from "../resource-id.ts";
import { route } from "../route.ts";
import { begun } from "../operations/answers.ts";
import type { StoredOperation, Tags } from "../state.ts";
import type { World } from "../world.ts";
import { resourceById } from "./find.ts";
import { readOnly } from "./writable.ts";

const path = "/:scope+/providers/Microsoft.Resources/tags/default";

const below = "providers/Microsoft.Resources/tags/default";

interface Tagged {
  readonly location: string;
  tags: Tags | undefined;
  revision?: number;
}

/** Finds the group or resource that has the tags. */
const findTagged = (id: string, { subscriptionId, state }: World): Tagged | undefined =>
  state.groups.find(({ name }) => same(groupId(subscriptionId, name), id)) ?? resourceById(id, { state });

const taggedAt = (scope: string, world: World): Tagged => {
  const id = `/${scope}`;
  const found = findTagged(id, world);
  if (found === undefined) throw resourceNotFound("Microsoft.Resources/tags", id, id.split("/")[4] ?? "");
  return found;
};

const view = (scope: string, { tags = {} }: Tagged) => ({
  id: `/${scope}/providers/Microsoft.Resources/tags/default`,
  name: "default",
  type: "Microsoft.Resources/tags",
  properties: { tags },
});

const mostTags = 50;

const check = (tags: Tags): void => {
  if (Object.keys(tags).length > mostTags) {
    throw refusal(
      400,
      "TooManyTags",
      `The number of tags ${Object.keys(tags).length} exceeds the limit of ${mostTags}.`,
      "tags",
    );
  }
  const bad = Object.entries(tags).find(
    ([name, value]) => name.length > 512 || value.length > 256 || /[<>%&\\?/]/.test(name),
  );
  if (bad !== undefined) {
    throw refusal(400, "InvalidTagName", `The tag name '${bad[0]}' or its value is not allowed.`, "tags");
  }
};

const write = (tagged: Tagged, tags: Tags): void => {
  check(tags);
  tagged.tags = tags;
  if (tagged.revision !== undefined) tagged.revision += 1;
};

/** Names of tags are the same in any letter case, and stay as they were written first. */
const merged = (before: Tags, given: Tags): Tags => {
  const changed = Object.fromEntries(
    Object.entries(before).map(([name, value]) => [name, given[nameIn(given, name) ?? ""] ?? value]),
  );
  const added = Object.entries(given).filter(([name]) => nameIn(before, name) === undefined);
  return { ...changed, ...Object.fromEntries(added) };
};

const nameIn = (tags: Tags, name: string): string | undefined => Object.keys(tags).find((each) => same(each, name));

const without = (before: Tags, given: Tags): Tags =>
  Object.fromEntries(
    Object.entries(before).filter(([name, value]) => {
      const named = nameIn(given, name);
      return named === undefined || (given[named] !== value && given[named] !== "");
    }),
  );

const properties = object({ tags: { type: "strings" } });

/** A change that continues after its answer is made when its operation ends. */
export const finishTags = ({ error, tags = {}, target }: StoredOperation, world: World): undefined => {
  const tagged = findTagged(target.slice(0, -`/${below}`.length), world);
  if (error === undefined && tagged !== undefined) write(tagged, tags);
};

/** Tags of a group or resource, as a thing of their own. */
export const tagRoutes: readonly Route<World>[] = [
  route({ method: "GET", path, handle: ({ params: { scope } }, world) => view(scope, taggedAt(scope, world)) }),
  route({
    method: "PUT",
    path,
    body: object({ id: readOnly, name: readOnly, type: readOnly, properties }, ["properties"]),
    handle: ({ params: { scope }, body }, world) => {
      const tagged = taggedAt(scope, world);
      write(tagged, body.properties.tags ?? {});
      return view(scope, tagged);
    },
  }),
  route({
    method: "PATCH",
    path,
    body: object({ operation: text({ enum: ["Merge", "Replace", "Delete"] }), properties }, [
      "operation",
      "properties",
    ]),
    handle: ({ params: { scope }, body: { operation, properties: given }, fault }, world) => {
      const tagged = taggedAt(scope, world);
      const { tags = {} } = given;
      const before = tagged.tags ?? {};
      const after =
        operation === "Replace" ? tags : operation === "Merge" ? merged(before, tags) : without(before, tags);
      const { tagsMs } = world.delays;
      if (tagsMs === 0) {
        write(tagged, after);
        return view(scope, tagged);
      }
      check(after);
      const [, , , , group = ""] = `/${scope}`.split("/");
      const about = { target: `/${scope}/${below}`, verb: "PATCH", form: "group", location: tagged.location } as const;
      const begins = world.operations.begin({ ...about, group, ms: tagsMs, fault });
      begins.tags = after;
      return begun(202, undefined, begins, { location: true }, world);
    },
  }),
  route({
    method: "DELETE",
    path,
    handle: ({ params: { scope } }, world) => {
      write(taggedAt(scope, world), {});
    },
  }),
];
