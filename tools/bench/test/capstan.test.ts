import { expect, it } from "vitest";
import { requireForm } from "../src/capstan.ts";

it("names the commands that make what is to be measured, where it has not been made", () => {
  const file = "/nowhere/capstan.mjs";
  expect(() => requireForm("bundle", file)).toThrow(
    "--built: /nowhere/capstan.mjs does not exist; run npm run build and npm run bundle first",
  );
  expect(() => requireForm("built", file)).toThrow("run npm run build first");
  expect(() => requireForm("sources")).not.toThrow();
});
