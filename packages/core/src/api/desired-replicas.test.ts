import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../crds");

/** The least of every number of replicas that someone may ask for, by path. */
const leastOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}/${name}`;
    const isAskedFor = name === "replicas" && at.includes("/properties/spec/") && !at.includes("/properties/status/");
    const { type, minimum } = member as { readonly type?: unknown; readonly minimum?: unknown };
    return isAskedFor && type === "integer" ? [[at, minimum] as const] : leastOf(member, at);
  });
};

it("takes no negative number of replicas, in any version of any kind", () => {
  const found = readdirSync(folder).flatMap((file) =>
    leastOf(readYamlValue(readFileSync(join(folder, file), "utf8"), { marks: 1_000_000 }), file),
  );
  expect(found.length).toBeGreaterThanOrEqual(12);
  expect(found.filter(([, minimum]) => minimum !== 0 && minimum !== 1)).toEqual([]);
});
