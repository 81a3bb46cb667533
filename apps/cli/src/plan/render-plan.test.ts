import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { renderPlan } from "./render-plan.ts";

const nothing = {
  objects: [],
  leftOut: undefined,
  warnings: [],
  leftOver: [],
  cloud: [],
  problems: [],
  failures: [],
  held: [],
};

it.each([
  [{}, "nothing to do: everything is as the files say\n"],
  [{ ofFiles: false }, "nothing to do: everything is as the management API says; -f names files to compare with\n"],
])("says with what it compared when there is nothing to do: %o", (options, text) => {
  expect(renderPlan(nothing, options)).toBe(text);
});

it("colours what is made, changed, deleted and wrong, where colours are seen", () => {
  const object = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "a" } });
  const entry = { count: 1, changes: [] };
  const plan = {
    ...nothing,
    objects: [
      { ...entry, action: "create", object: object("new") },
      { ...entry, action: "change", object: object("other"), changes: [{ field: "data.a", from: "1", to: "2" }] },
      { ...entry, action: "delete", object: object("old") },
    ],
    problems: [{ where: "a.yaml:3", message: "no" }],
  } as const;
  const text = renderPlan(plan);
  expect(text).not.toContain("\u001B");
  const coloured = renderPlan(plan, { colour: true });
  expect(coloured).toContain("\u001B[32m  + ConfigMap a/new\u001B[0m\n");
  expect(coloured).toContain("\u001B[33m  ~ ConfigMap a/other\u001B[0m\n");
  expect(coloured).toContain("\u001B[31m  - ConfigMap a/old\u001B[0m\n");
  expect(coloured).toContain("\u001B[31m  a.yaml:3: no\u001B[0m\n");
  expect(stripVTControlCharacters(coloured)).toBe(text);
});
