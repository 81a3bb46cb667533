import { expect, it } from "vitest";
import { renderPlan } from "./render-plan.ts";

const nothing = { objects: [], leftOver: [], cloud: [], problems: [] };

it.each([
  [{}, "nothing to do: everything is as the files say\n"],
  [{ ofFiles: false }, "nothing to do: everything is as the management API says; -f names files to compare with\n"],
])("says with what it compared when there is nothing to do: %o", (options, text) => {
  expect(renderPlan(nothing, options)).toBe(text);
});
