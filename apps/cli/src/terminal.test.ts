import { expect, it } from "vitest";
import { isColoured } from "./terminal.ts";

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
])("with %j and a terminal %s, colours are %s", (environment, isTerminal, coloured) => {
  expect(isColoured(environment, isTerminal)).toBe(coloured);
});
